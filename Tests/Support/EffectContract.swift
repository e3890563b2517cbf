public import EditorCore

/// Checks what every effect promises, over any effect: one line in the tests of a module.
///
///     #expect(EffectContract.failures(of: .video(Glow.self), neutral: ["strength": 0]) == [])
///
/// - Each parameter is explained, its default is allowed, and the example is read without findings.
/// - Pictures of 1×1, 3×5 and 161×121 pixels work; size and format stay, and nothing is written outside.
/// - A frame that somebody else still holds is left alone.
/// - Two instances give equal results, in whatever order the times come and however wide the rows are.
/// - Where `isIdentity` says so, and with neutral parameters, nothing changes, to the byte.
/// - Overlays are premultiplied and stand at finite places; sound stays finite and does not depend on block lengths;
///   a transition begins with the outgoing picture and ends with the incoming one.
public enum EffectContract {
    /// What `descriptor`'s effect breaks, a sentence each; empty when all is well.
    /// - Parameters:
    ///   - parameters: a config entry to run with; nil takes the effect's example.
    ///   - neutral: a config entry that should change nothing, if there is one.
    ///   - assets: the files the parameters name; by default every name has something.
    public static func failures(
        of descriptor: EffectDescriptor, parameters: JSONValue? = nil, neutral: JSONValue? = nil,
        assets: any AssetLoading = SyntheticAssets()
    ) -> [String] {
        var check = ContractCheck(descriptor: descriptor, assets: assets)
        check.description()
        if let prepared = check.read(parameters ?? descriptor.example, called: parameters == nil ? "example" : "entry")
        {
            check.run(prepared, isNeutral: false)
        }
        if let neutral, let prepared = check.read(neutral, called: "neutral entry") {
            check.run(prepared, isNeutral: true)
        }
        return check.failures
    }

    /// What the effects of `registry` break.
    /// - Parameter neutral: config entries that should change nothing, by effect.
    public static func failures(
        of registry: EffectRegistry, neutral: [String: JSONValue] = [:], assets: any AssetLoading = SyntheticAssets()
    ) -> [String] {
        registry.descriptors.flatMap { failures(of: $0, neutral: neutral[$0.id], assets: assets) }
    }
}

/// One effect under test, and what it has broken.
struct ContractCheck {
    static let sizes = [
        PixelSize(width: 1, height: 1), PixelSize(width: 3, height: 5), PixelSize(width: 161, height: 121),
    ]
    static let frameRate = Rational(30)
    static let duration = MediaTime(seconds: 2)
    static let activeRange = TimeRange(
        start: MediaTime(value: 1, timescale: 5), end: MediaTime(value: 9, timescale: 5))
    /// Frames within the active range: its first, its last, and some between.
    static let frames = [6, 8, 15, 30, 47, 53]

    let descriptor: EffectDescriptor
    let assets: any AssetLoading
    private(set) var failures: [String] = []

    init(descriptor: EffectDescriptor, assets: any AssetLoading) {
        (self.descriptor, self.assets) = (descriptor, assets)
    }

    mutating func fail(_ message: String) {
        let failure = "\(descriptor.id): \(message)"
        if !failures.contains(failure) { failures.append(failure) }
    }

    /// Runs `body` and tells what it throws.
    mutating func attempt<R>(_ place: String, _ body: (inout ContractCheck) throws -> R) -> R? {
        do { return try body(&self) } catch {
            fail("\(place): throws \"\(error)\"")
            return nil
        }
    }

    /// The time of a frame of a 30 frames a second movie.
    static func time(ofFrame index: Int) -> EffectTime {
        EffectTime(time: frameRate.duration(ofTicks: Int64(index)), index: index, activeRange: activeRange)
    }

    func context(canvas: PixelSize) -> EffectContext {
        EffectContext(
            canvas: canvas, frameRate: Self.frameRate, duration: Self.duration, activeRange: Self.activeRange,
            assets: assets, pointer: JSONPointer(["effects", "0"]))
    }

    // MARK: The description

    mutating func description() {
        if descriptor.id.isEmpty || descriptor.id.contains(where: \.isWhitespace) { fail("the id is no word") }
        if descriptor.summary.isEmpty { fail("the summary is empty") }
        if descriptor.version < 1 { fail("the version is less than 1") }
        var seen: Set<String> = ["type"]
        for parameter in descriptor.parameters {
            if !seen.insert(parameter.name).inserted {
                fail("the parameter \(parameter.name) is there twice or reserved")
            }
            if parameter.help.isEmpty { fail("the parameter \(parameter.name) has no help") }
            if let value = parameter.defaultValue { checkDefault(value, of: parameter.name) }
        }
    }

    /// Reads the default back, beside what the example gives for required parameters.
    private mutating func checkDefault(_ value: JSONValue, of name: String) {
        let required = descriptor.parameters.filter { $0.defaultValue == nil }.map(\.name)
        var entry: [String: JSONValue] = [:]
        for name in required { entry[name] = descriptor.example[name] }
        entry[name] = value
        var reading = ParameterReading()
        let place = JSONPointer().appending(name)
        _ = descriptor.prepare(.object(entry), JSONPointer(), &reading)
        for finding in reading.findings where finding.pointer.description.hasPrefix(place.description) {
            fail("the default of \(name) is not allowed: \(finding.message)")
        }
    }

    mutating func read(_ entry: JSONValue, called name: String) -> PreparedEffect? {
        var reading = ParameterReading()
        let prepared = descriptor.prepare(entry, JSONPointer(), &reading)
        for finding in reading.findings { fail("the \(name) is not read: \(finding.sentence)") }
        return reading.findings.isEmpty ? prepared : nil
    }

    // MARK: The effect at work

    mutating func run(_ prepared: PreparedEffect, isNeutral: Bool) {
        // Sound has no size; one run does.
        for size in descriptor.kind == .audio ? [PixelSize(width: 16, height: 16)] : Self.sizes {
            let place = "\(isNeutral ? "neutral, " : "")\(size)"
            let context = context(canvas: size)
            attempt(place) { check in
                switch (try prepared.make(context), try prepared.make(context)) {
                case (.video(let a), .video(let b)):
                    try check.video(a, b, size: size, isNeutral: isNeutral, place: place)
                case (.overlay(let a), .overlay(let b)):
                    try check.overlay(a, b, isNeutral: isNeutral, place: place)
                case (.audio(let a), .audio(let b)):
                    try check.audio(a, b, isNeutral: isNeutral, place: isNeutral ? "neutral" : "sound")
                case (.transition(let a), .transition(let b)):
                    try check.transition(a, b, size: size, place: place)
                default: check.fail("\(place): two instances are of two kinds")
                }
            }
        }
    }
}
