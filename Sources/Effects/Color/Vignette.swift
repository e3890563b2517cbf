internal import EditorCore

/// Darkens a picture towards its corners.
///
/// With the distance d from the middle, 1 in the corners, a pixel keeps 1 − strength · d⁴ of what it is above black: the
/// middle stays as it is, and light falls off as it does towards the edge of a wide lens (cos⁴ begins alike).
final class Vignette {
    /// The horizontal part of d² by column, for luma and for chroma.
    private var luma = Scratch<Int16>(0, zero: 0)
    private var chroma = Scratch<Int16>(0, zero: 0)

    /// - Parameter strength: 0…1.
    func apply(to picture: PlanarPicture, strength: Double) {
        let (width, height) = (picture.luma.width, picture.luma.height)
        if luma.count != width {
            luma = Scratch(width, zero: 0)
            chroma = Scratch(picture.cb.width, zero: 0)
        }
        // The root of the strength goes into d², whose square is taken.
        let root = strength.squareRoot()
        for x in 0..<width { luma[x] = Self.square(Double(x) + 0.5, of: width, root) }
        for x in 0..<picture.cb.width { chroma[x] = Self.square(Double(2 * x) + 0.5, of: width, root) }
        for y in 0..<height {
            let down = Self.square(Double(y) + 0.5, of: height, root)
            Self.darken(picture.luma.row(y), luma.base, down, black: 16, count: width)
        }
        for y in 0..<picture.cb.height {
            let down = Self.square(Double(2 * y + 1), of: height, root)
            Self.darken(picture.cb.row(y), chroma.base, down, black: 128, count: picture.cb.width)
            Self.darken(picture.cr.row(y), chroma.base, down, black: 128, count: picture.cr.width)
        }
    }

    /// One axis' share of d², at most a half, times `factor`, in 1/32768.
    private static func square(_ place: Double, of extent: Int, _ factor: Double) -> Int16 {
        let offset = (place - Double(extent) / 2) / (Double(extent) / 2)
        return Int16((min(1, offset * offset) * factor * 16383).rounded())
    }

    private static func darken(
        _ row: UnsafeMutablePointer<UInt8>, _ across: UnsafePointer<Int16>, _ down: Int16, black: Int16, count: Int
    ) {
        for x in 0..<count {
            let square = across[x] &+ down
            // The upper half of a product of 1/32768s is half of one such.
            let loss = highProduct(square, square) &<< 1
            let level = Int16(row[x]) &- black
            // Levels times 128 fit sixteen bits; the loss comes in 1/128 of a level, with a half for rounding.
            let taken = highProduct(level &<< 7, loss) &<< 1
            row[x] = clamped(black &+ level &- ((taken &+ 64) &>> 7))
        }
    }
}
