/// How the pixels of a `VideoFrame` lie in memory.
public enum PixelFormat: String, Sendable, Hashable {
    /// Planar Y′CbCr 4:2:0, eight bits, BT.709, limited range (luma 16…235, chroma 16…240), chroma sited left: the
    /// working picture. Three planes; the chroma planes have half the rows and columns, rounded up.
    case yuv420
    /// The same with a fourth plane of straight alpha (0…255) in full size.
    case yuva420
    /// Packed R, G, B, A of full-range BT.709 R′G′B′, one plane of four bytes a pixel.
    case rgba

    public var planeCount: Int {
        switch self {
        case .yuv420: 3
        case .yuva420: 4
        case .rgba: 1
        }
    }

    /// Whether plane `index` holds chroma, in half size.
    public func isChroma(_ index: Int) -> Bool { self != .rgba && (index == 1 || index == 2) }

    /// Bytes in a row and rows of plane `index` of a picture of `size`, without padding.
    public func planeSize(_ index: Int, of size: PixelSize) -> PixelSize {
        if self == .rgba { return PixelSize(width: size.width * 4, height: size.height) }
        return isChroma(index) ? PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2) : size
    }
}
