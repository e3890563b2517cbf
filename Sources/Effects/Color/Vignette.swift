/// Darkens a picture towards its corners.
///
/// With the distance d from the middle, 1 in the corners, a pixel keeps 1 − strength · d⁴ of what it is above black: the
/// middle stays as it is, and light falls off as it does towards the edge of a wide lens (cos⁴ begins alike).
final class Vignette {
    /// The horizontal part of d² by column, in 1/32768, for luma and for chroma.
    private var luma = Scratch<Int16>(0, zero: 0)
    private var chroma = Scratch<Int16>(0, zero: 0)
    private var size = (width: 0, height: 0)

    /// - Parameter strength: 0…1.
    func apply(to picture: PlanarPicture, strength: Double) {
        let (width, height) = (picture.luma.width, picture.luma.height)
        if size != (width, height) { prepare(picture) }
        let strength = Int16((strength * 32767).rounded())
        for y in 0..<height {
            let down = Self.square(Double(y) + 0.5, of: height)
            Self.darken(picture.luma.row(y), luma.base, down, strength, black: 16, count: width)
        }
        for y in 0..<picture.cb.height {
            let down = Self.square(Double(2 * y + 1), of: height)
            Self.darken(picture.cb.row(y), chroma.base, down, strength, black: 128, count: picture.cb.width)
            Self.darken(picture.cr.row(y), chroma.base, down, strength, black: 128, count: picture.cr.width)
        }
    }

    private func prepare(_ picture: PlanarPicture) {
        size = (picture.luma.width, picture.luma.height)
        luma = Scratch(size.width, zero: 0)
        chroma = Scratch(picture.cb.width, zero: 0)
        for x in 0..<size.width { luma[x] = Self.square(Double(x) + 0.5, of: size.width) }
        for x in 0..<picture.cb.width { chroma[x] = Self.square(Double(2 * x) + 0.5, of: size.width) }
    }

    /// The share of one axis in d²: at most a half, at the end of the axis.
    private static func square(_ place: Double, of extent: Int) -> Int16 {
        let offset = (place - Double(extent) / 2) / (Double(extent) / 2)
        return Int16((min(1, offset * offset) * 16383).rounded())
    }

    private static func darken(
        _ row: UnsafeMutablePointer<UInt8>, _ across: UnsafePointer<Int16>, _ down: Int16, _ strength: Int16,
        black: Int16, count: Int
    ) {
        for x in 0..<count {
            let square = across[x] &+ down
            // In 1/32768; twice the upper half of a product of such is one again.
            let fall = highProduct(square, square) &<< 1
            let loss = highProduct(fall, strength) &<< 1
            let level = Int16(row[x]) &- black
            // Levels times 128 fit sixteen bits; the loss comes in 1/128 of a level, with a half for rounding.
            let taken = highProduct(level &<< 7, loss) &<< 1
            row[x] = clamped(black &+ level &- ((taken &+ 64) &>> 7))
        }
    }
}
