internal import EditorCore

/// What `blur` and `pixelate` share: a length and a region, both of which may move, and the painting of a region.
final class RegionStage {
    private let length: Animated<Length>
    private let region: Region?
    private let canvas: PixelSize
    /// Lengths below this many pixels cannot be seen.
    private let least: Double
    private let painter = RegionPainter()

    /// - Parameters:
    ///   - region: nil is the whole picture.
    ///   - least: pixels below which the effect changes nothing.
    init(_ length: Animated<Length>, region: Region?, canvas: PixelSize, least: Double) {
        (self.length, self.region, self.canvas, self.least) = (length, region, canvas, least)
    }

    /// The length in pixels of the canvas.
    func pixels(at time: EffectTime) -> Double { length.value(at: time.seconds).pixels(onWidth: canvas.width) }

    func isIdentity(at time: EffectTime) -> Bool {
        pixels(at: time) < least
            || region.map { RegionMask($0, at: time.seconds, size: canvas).area.isEmpty } ?? false
    }

    func paint(_ version: some PlaneVersion, onto frame: inout VideoFrame, at time: EffectTime) {
        let mask = region.map { RegionMask($0, at: time.seconds, size: frame.size) }
        frame.withPlanarPicture { painter.paint(version, onto: $0, mask: mask) }
    }
}
