internal import EditorCore

/// Which part of the incoming picture is seen, line by line.
protocol RevealMask {
    /// Weights of the incoming picture, 0…256, in the pixels of luma row `y`.
    func cover(row y: Int, into weights: UnsafeMutablePointer<UInt16>, count: Int) -> RowCover
}

/// What a row shows; weights are written for `mixed` alone.
enum RowCover {
    case outgoing, incoming, mixed
}

/// Puts the incoming picture over the outgoing one through a mask. Belongs to one thread.
///
/// Chroma takes the mask at its own place, left-sited: 1 2 1 across and 1 1 down.
struct MaskedBlend {
    /// Weights of two luma rows with one more on each side, and of a chroma row.
    private var scratch: [UInt16]
    private var width: Int

    init(width: Int) {
        self.width = width
        scratch = Array(repeating: 0, count: 3 * (width + 2))
    }

    mutating func blend(_ out: PlanarPicture, _ incoming: PlanarPicture, _ mask: some RevealMask) {
        if width < out.luma.width { self = MaskedBlend(width: out.luma.width) }
        let pitch = width + 2
        scratch.withUnsafeMutableBufferPointer { scratch in
            let upper = scratch.baseAddress! + 1
            let lower = upper + pitch
            let chroma = lower + pitch
            for cy in 0..<out.cb.height {
                let first = Self.blend(row: 2 * cy, out.luma, incoming.luma, mask, weights: upper)
                var second = first
                if 2 * cy + 1 < out.luma.height {
                    second = Self.blend(row: 2 * cy + 1, out.luma, incoming.luma, mask, weights: lower)
                } else {
                    lower.update(from: upper, count: out.luma.width)
                }
                switch (first, second) {
                case (.outgoing, .outgoing): continue
                case (.incoming, .incoming):
                    out.cb.row(cy).update(from: incoming.cb.row(cy), count: out.cb.width)
                    out.cr.row(cy).update(from: incoming.cr.row(cy), count: out.cr.width)
                default:
                    Self.fill(upper, first, count: out.luma.width)
                    Self.fill(lower, second, count: out.luma.width)
                    Self.reduce(upper, lower, count: out.luma.width, into: chroma)
                    for plane in 1...2 {
                        let (out, incoming) = (out[plane], incoming[plane])
                        RowBlend.mix(
                            out.row(cy), incoming.row(cy), weights: chroma, into: out.row(cy), count: out.width)
                    }
                }
            }
        }
    }

    private static func blend(
        row y: Int, _ out: PlaneRows, _ incoming: PlaneRows, _ mask: some RevealMask,
        weights: UnsafeMutablePointer<UInt16>
    ) -> RowCover {
        let cover = mask.cover(row: y, into: weights, count: out.width)
        switch cover {
        case .outgoing: break
        case .incoming: out.row(y).update(from: incoming.row(y), count: out.width)
        case .mixed: RowBlend.mix(out.row(y), incoming.row(y), weights: weights, into: out.row(y), count: out.width)
        }
        return cover
    }

    /// Writes out the weights of a row that has one weight only.
    private static func fill(_ weights: UnsafeMutablePointer<UInt16>, _ cover: RowCover, count: Int) {
        if cover != .mixed { weights.update(repeating: cover == .incoming ? 256 : 0, count: count) }
    }

    /// The weights at the chroma samples of two luma rows; there is room for one more weight on each side of these.
    private static func reduce(
        _ upper: UnsafeMutablePointer<UInt16>, _ lower: UnsafeMutablePointer<UInt16>, count: Int,
        into chroma: UnsafeMutablePointer<UInt16>
    ) {
        (upper[-1], upper[count]) = (upper[0], upper[count - 1])
        (lower[-1], lower[count]) = (lower[0], lower[count - 1])
        for k in 0..<(count + 1) / 2 {
            let i = 2 &* k
            let left = upper[i &- 1] &+ lower[i &- 1]
            let center = upper[i] &+ lower[i]
            let right = upper[i &+ 1] &+ lower[i &+ 1]
            chroma[k] = (left &+ center &+ center &+ right &+ 4) &>> 3
        }
    }
}
