internal import EditorCore

/// What `look` and `lut` share: a map of colours and how much of it the picture takes, which may move.
final class MapStage<Map: ColorMap> {
    private let strength: AnimatedNumber
    private let cache: CurveCache<Map>

    init(_ map: Map, strength: AnimatedNumber, canvas: PixelSize) {
        self.strength = strength
        cache = CurveCache(map, width: canvas.width)
    }

    /// Easings may overshoot; strengths do not.
    private func strength(at time: EffectTime) -> Double { max(0, min(1, strength.value(at: time.seconds))) }

    func isIdentity(at time: EffectTime) -> Bool { strength(at: time) == 0 }

    func apply(to frame: inout VideoFrame, at time: EffectTime) {
        let strength = strength(at: time)
        guard strength > 0 else { return }
        frame.withPlanarPicture { cache.apply(to: $0, strength: strength) }
    }
}
