/// Draws a plane enlarged about its middle, bilinearly, and mixes it with another. Belongs to one thread.
struct Enlargement {
    /// One row between two, in 1/256 codes, and one sample more.
    private var row: [UInt16]
    /// For every column the sample to the left of its place, and the share of the next one in 1/256.
    private var places: [Int32]
    private var shares: [UInt32]

    init(width: Int) {
        row = Array(repeating: 0, count: width + 1)
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
            shares[x] = UInt32(share)
        }
        row.withUnsafeMutableBufferPointer { row in
            places.withUnsafeBufferPointer { places in
                shares.withUnsafeBufferPointer { shares in
                    for y in 0..<out.height {
                        let (place, share) = Self.place(y, out.height, factor, 0)
                        Self.mix(
                            plane.row(place), plane.row(min(place + 1, plane.height - 1)), UInt16(share),
                            into: row.baseAddress!, count: plane.width)
                        row[plane.width] = row[plane.width - 1]
                        Self.draw(
                            row.baseAddress!, places.baseAddress!, shares.baseAddress!, other.row(y), UInt32(weight),
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

    private static func mix(
        _ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>, _ share: UInt16,
        into out: UnsafeMutablePointer<UInt16>, count: Int
    ) {
        for i in 0..<count { out[i] = UInt16(upper[i]) &* (256 &- share) &+ UInt16(lower[i]) &* share }
    }

    private static func draw(
        _ row: UnsafePointer<UInt16>, _ places: UnsafePointer<Int32>, _ shares: UnsafePointer<UInt32>,
        _ other: UnsafePointer<UInt8>, _ weight: UInt32, into out: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        for x in 0..<count {
            let i = Int(places[x])
            let enlarged = (UInt32(row[i]) &* (256 &- shares[x]) &+ UInt32(row[i &+ 1]) &* shares[x]) &>> 8
            // `enlarged` is in 1/256 codes.
            let mixed = enlarged &* (256 &- weight) &+ (UInt32(other[x]) &<< 8) &* weight
            out[x] = UInt8(truncatingIfNeeded: (mixed &+ 32_768) &>> 16)
        }
    }
}
