internal import EditorCore

/// What every foreign effect takes beside its plugin's parameters.
struct ForeignOptions: ParameterSet {
    enum OnFailure: String, CaseIterable, Sendable {
        case stop, skip
    }

    var isolate = true
    var onFailure = OnFailure.stop
    var timeLimit = 10.0
    var memoryLimit = 1024

    static let specs: [ParameterSpec<Self>] = [
        .init(
            "isolate", \.isolate, .bool,
            help: "Whether it runs in a process of its own, where it can harm neither the editor nor the movie."),
        .init(
            "onFailure", \.onFailure, .choice,
            help: "What a crash, a hang or garbage does: end the render, or leave the effect out."),
        .init(
            "timeLimit", \.timeLimit, .number(in: 0.1...600), unit: "seconds",
            help: "How long a frame may take in a process of its own."),
        .init(
            "memoryLimit", \.memoryLimit, .integer(in: 16...65536), unit: "MiB",
            help: "How much memory it may use in a process of its own."),
    ]

    static let names = specs.map(\.name)

    var limits: WorkerLimits { WorkerLimits(seconds: timeLimit, mebibytes: memoryLimit) }
}
