internal import EditorCore

/// The parameters at one instant, in the units of the stages.
struct Strengths: Equatable {
    var smooth: Double
    var whiten: Double
    var ruddy: Double
    var sharpen: Double

    /// Easings may overshoot; strengths do not.
    init(_ parameters: BeautyParameters, at seconds: Double) {
        func value(_ number: AnimatedNumber) -> Double { max(0, min(1, number.value(at: seconds))) }
        smooth = value(parameters.smooth)
        whiten = value(parameters.whiten)
        ruddy = value(parameters.ruddy)
        sharpen = value(parameters.sharpen)
    }

    var areZero: Bool { smooth == 0 && whiten == 0 && ruddy == 0 && sharpen == 0 }

    /// Share of the filtered picture in the result. It stays below 1: some of the pores remain, without which skin
    /// looks like plastic.
    var blend: Double { smooth * (1.2 - 0.35 * smooth) }
}
