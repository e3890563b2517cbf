/// The weights of a tent filter for 256 places between two pixels, in 256ths.
///
/// Owned by a pyramid and filled anew when the scale changes. Not Sendable.
final class FilterWeights {
    /// For four neighbours in a row, the second of which lies at or left of the place: each weight stands twice, beside
    /// the two halves of a pixel.
    private let acrossTable: UnsafeMutablePointer<SIMD8<UInt16>>
    /// For `rows` neighbours in a column, from `firstRow` on.
    private let downTable: UnsafeMutablePointer<SIMD4<UInt16>>
    /// Radius of the tent in pixels, 1..<2, along each axis; 0 before the first use.
    private var radius = SIMD2<Float>()

    init() {
        acrossTable = .allocate(capacity: 256)
        downTable = .allocate(capacity: 256)
        acrossTable.initialize(repeating: SIMD8(), count: 256)
        downTable.initialize(repeating: SIMD4(), count: 256)
    }

    deinit {
        acrossTable.deallocate()
        downTable.deallocate()
    }

    var across: UnsafePointer<SIMD8<UInt16>> { UnsafePointer(acrossTable) }
    var down: UnsafePointer<SIMD4<UInt16>> { UnsafePointer(downTable) }

    /// How many neighbours in a column have a weight. The outer ones of four have none at a radius of 1; up to one and a
    /// half, that on the farther side has none.
    var rows: Int { radius.y == 1 ? 2 : radius.y <= 1.5 ? 3 : 4 }

    /// The first row with a weight.
    /// - Parameters:
    ///   - place: in 2³²ths of a row.
    ///   - rows: as `rows` says.
    @inline(__always)
    static func firstRow(_ place: Int64, of rows: Int) -> Int {
        switch rows {
        case 2: Int(place >> 32)
        case 3: Int(place >> 32) &- 1 &+ Int(place >> 31 & 1)
        default: Int(place >> 32) &- 1
        }
    }

    func set(radius new: SIMD2<Float>) {
        if new.x != radius.x {
            for place in 0..<256 {
                let w = Self.weights(at: Float(place) / 256, radius: new.x)
                acrossTable[place] = SIMD8(w.x, w.x, w.y, w.y, w.z, w.z, w.w, w.w)
            }
        }
        if new.y != radius.y {
            radius.y = new.y
            for place in 0..<256 {
                let w = Self.weights(at: Float(place) / 256, radius: new.y)
                let isShifted = rows == 2 || rows == 3 && place >= 128
                downTable[place] = isShifted ? SIMD4(w.y, w.z, w.w, 0) : w
            }
        }
        radius = new
    }

    /// Their sum is 256: a surface of one colour keeps it.
    static func weights(at fraction: Float, radius: Float) -> SIMD4<UInt16> {
        let distance = SIMD4(1 + fraction, fraction, 1 - fraction, 2 - fraction)
        var exact = PixelLanes.max(SIMD4(repeating: radius) - distance, SIMD4())
        exact *= 256 / exact.sum()
        var weights = SIMD4<UInt16>()
        for i in 0..<4 { weights[i] = UInt16(exact[i] + 0.5) }
        // What the roundings leave over goes where it weighs least.
        let heaviest = fraction < 0.5 ? 1 : 2
        weights[heaviest] = weights[heaviest] &+ 256 &- weights.wrappedSum()
        return weights
    }
}
