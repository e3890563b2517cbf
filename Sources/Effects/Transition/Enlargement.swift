internal import EditorCore

/// Draws a plane enlarged about its middle, bilinearly, and mixes it with another. Belongs to one thread.
///
/// Across first, which every row of the plane needs once however often it is drawn; what remains for every row of the
/// result runs along rows.
struct Enlargement {
    /// Two rows of the plane drawn across, in 1/256 codes; row n lies in the half n & 1.
    private var rows: [UInt16]
    /// For every column the sample to the left of its place, and the share of the next one in 1/256.
    private var places: [Int32]
    private var shares: [UInt16]

    init(width: Int) {
        rows = Array(repeating: 0, count: 2 * width)
        places = Array(repeating: 0, count: width)
        shares = Array(repeating: 0, count: width)
    }

    /// - Parameters:
    ///   - factor: at least 1.
    ///   - isChroma: whether the plane is left-sited chroma in half size.
    ///   - weight: of `other`, 0…256.
    mutating func draw(
        _ plane: PlaneRows, by factor: Double, isChroma: Bool, mixedWith other: PlaneRows, weight: UInt16,
        into out: PlaneRows
    ) {
        if places.count < out.width { self = Enlargement(width: out.width) }
        // A left-sited chroma sample lies a quarter of a sample left of its middle.
        let siting = isChroma ? 0.25 : 0
        for x in 0..<out.width {
            let (place, share) = Self.place(x, out.width, factor, siting)
            places[x] = Int32(place)
            shares[x] = UInt16(share)
        }
        // Which rows the halves hold.
        var held = (-1, -1)
        rows.withUnsafeMutableBufferPointer { rows in
            let halves = (rows.baseAddress!, rows.baseAddress! + rows.count / 2)
            places.withUnsafeBufferPointer { places in
                shares.withUnsafeBufferPointer { shares in
                    func across(_ y: Int) -> UnsafeMutablePointer<UInt16> {
                        let row = y & 1 == 0 ? halves.0 : halves.1
                        guard (y & 1 == 0 ? held.0 : held.1) != y else { return row }
                        if y & 1 == 0 { held.0 = y } else { held.1 = y }
                        Self.stretch(
                            plane.row(y), plane.width, places.baseAddress!, shares.baseAddress!, into: row,
                            count: out.width)
                        return row
                    }
                    for y in 0..<out.height {
                        let (place, share) = Self.place(y, out.height, factor, 0)
                        let upper = across(place)
                        Self.mix(
                            upper, across(min(place + 1, plane.height - 1)), UInt16(share), other.row(y), weight,
                            into: out.row(y), count: out.width)
                    }
                }
            }
        }
    }

    /// The sample before the place that shows in line `i` of `count`, and the share of the next one.
    static func place(_ i: Int, _ count: Int, _ factor: Double, _ siting: Double) -> (Int, Int) {
        let middle = Double(count) / 2
        let place = (Double(i) + 0.5 - siting - middle) / factor + middle - 0.5 + siting
        let units = Int((min(max(place, 0), Double(count - 1)) * 256).rounded())
        return (units >> 8, units & 255)
    }

    /// - Parameter width: samples of the row; the last one repeats.
    private static func stretch(
        _ row: UnsafePointer<UInt8>, _ width: Int, _ places: UnsafePointer<Int32>, _ shares: UnsafePointer<UInt16>,
        into out: UnsafeMutablePointer<UInt16>, count: Int
    ) {
        // Places rise, so those that have no next sample come last.
        var inner = count
        while inner > 0, Int(places[inner - 1]) >= width - 1 {
            inner -= 1
            out[inner] = UInt16(row[width - 1]) &<< 8
        }
        for x in 0..<inner {
            let pair = row + Int(places[x])
            out[x] = UInt16(pair[0]) &* (256 &- shares[x]) &+ UInt16(pair[1]) &* shares[x]
        }
    }

    private static func mix(
        _ upper: UnsafePointer<UInt16>, _ lower: UnsafePointer<UInt16>, _ share: UInt16,
        _ other: UnsafePointer<UInt8>, _ weight: UInt16, into out: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        let (near, far) = (UInt32(256 &- share), UInt32(share))
        let (own, foreign) = (UInt32(256 &- weight), UInt32(weight))
        for x in 0..<count {
            // 255 · 2¹⁶ at most; then in 1/256 codes.
            let enlarged = (UInt32(upper[x]) &* near &+ UInt32(lower[x]) &* far) &>> 8
            let mixed = enlarged &* own &+ (UInt32(other[x]) &<< 8) &* foreign
            out[x] = UInt8(truncatingIfNeeded: (mixed &+ 32_768) &>> 16)
        }
    }
}
