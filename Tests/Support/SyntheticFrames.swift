public import EditorCore

/// Frames with known pixels for tests.
public enum SyntheticFrames {
    /// Every plane filled from a formula; `plane` is 0 luma, 1 and 2 chroma (in half size), 3 alpha.
    public static func frame(
        _ size: PixelSize, format: PixelFormat = .yuv420, pool: FramePool = FramePool(),
        _ value: (_ plane: Int, _ x: Int, _ y: Int) -> UInt8
    ) -> VideoFrame {
        var frame = pool.frame(format, size)
        for plane in 0..<format.planeCount {
            frame.withMutablePlane(plane) { pixels, layout in
                for y in 0..<layout.height {
                    for x in 0..<layout.width { pixels[y * layout.stride + x] = value(plane, x, y) }
                }
            }
        }
        return frame
    }

    /// A plain picture of one Y′CbCr colour.
    public static func plain(_ size: PixelSize, y: UInt8, u: UInt8 = 128, v: UInt8 = 128) -> VideoFrame {
        frame(size) { plane, _, _ in [y, u, v, 255][plane] }
    }

    /// Reproducible noise over the whole legal range.
    public static func noise(_ size: PixelSize, seed: UInt64 = 1) -> VideoFrame {
        var random = SplitMix64(seed)
        return frame(size) { plane, _, _ in UInt8(16 + random.next() % (plane == 0 ? 220 : 225)) }
    }

    /// The bytes of a plane without padding.
    public static func bytes(of frame: VideoFrame, plane: Int) -> [UInt8] {
        frame.withPlane(plane) { pixels, layout in
            pixels.withUnsafeBufferPointer { pixels in
                var bytes: [UInt8] = []
                bytes.reserveCapacity(layout.width * layout.height)
                for y in 0..<layout.height {
                    bytes.append(contentsOf: pixels[y * layout.stride..<y * layout.stride + layout.width])
                }
                return bytes
            }
        }
    }

    /// Whether two frames have the same pixels, padding left aside.
    public static func areEqual(_ a: VideoFrame, _ b: VideoFrame) -> Bool {
        a.format == b.format && a.size == b.size
            && (0..<a.format.planeCount).allSatisfy { bytes(of: a, plane: $0) == bytes(of: b, plane: $0) }
    }
}

/// Sebastiano Vigna's SplitMix64: a small generator with a fixed sequence for each seed.
public struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    public init(_ seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
