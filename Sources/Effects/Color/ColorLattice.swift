/// A cube of colours, as a 3D look-up table holds them, read by tetrahedral interpolation.
struct ColorLattice: ColorMap {
    /// Entries along a side, at least 2.
    let side: Int
    /// `side`³ colours, red runs fastest; the fourth lane is free.
    private let entries: [SIMD4<Float>]
    /// What a channel's value is multiplied with, and what is added, to become a place along its side.
    private let scale: SIMD4<Float>
    private let shift: SIMD4<Float>

    /// - Parameters:
    ///   - entries: `side`³ colours of full scale 1, red runs fastest.
    ///   - low, high: the values of the first and the last entry along each side; `high` is above `low` in every lane
    ///     but the fourth.
    init(
        side: Int, entries: [SIMD4<Float>], low: SIMD4<Float> = .zero, high: SIMD4<Float> = SIMD4(repeating: 1)
    ) {
        precondition(side >= 2 && entries.count == side * side * side, "a lattice is a whole cube")
        self.side = side
        self.entries = entries
        let span = SIMD4(high.x - low.x, high.y - low.y, high.z - low.z, 1)
        scale = Float(side - 1) / span
        shift = -low * scale
    }

    /// A map, sampled.
    init(side: Int, of map: some ColorMap) {
        var entries: [SIMD4<Float>] = []
        entries.reserveCapacity(side * side * side)
        let step = 1 / Float(side - 1)
        for b in 0..<side {
            for g in 0..<side {
                for r in 0..<side { entries.append(map.color(SIMD4(Float(r), Float(g), Float(b), 0) * step)) }
            }
        }
        self.init(side: side, entries: entries)
    }

    /// The cube of eight entries around a colour falls into six tetrahedra along its diagonal, one for each order of the
    /// fractions; the entries at the corners of the one that holds the colour are weighed with its barycentric coordinates.
    func color(_ rgb: SIMD4<Float>) -> SIMD4<Float> {
        let last = Float(side - 1)
        var place = rgb * scale + shift
        place = place.replacing(with: 0, where: place .< 0)
        place = place.replacing(with: last, where: place .> last)
        // The last entry belongs to the cube before it.
        let r = min(Int32(place.x), Int32(side - 2))
        let g = min(Int32(place.y), Int32(side - 2))
        let b = min(Int32(place.z), Int32(side - 2))
        let (fr, fg, fb) = (place.x - Float(r), place.y - Float(g), place.z - Float(b))
        let (acrossG, acrossB) = (side, side * side)
        // From the nearest corner along the channel with the largest fraction, then the middle one, then the smallest.
        let first: Int
        let second: Int
        let (most, middle, least): (Float, Float, Float)
        if fr > fg {
            if fg > fb {
                (first, second, most, middle, least) = (1, 1 + acrossG, fr, fg, fb)
            } else if fr > fb {
                (first, second, most, middle, least) = (1, 1 + acrossB, fr, fb, fg)
            } else {
                (first, second, most, middle, least) = (acrossB, 1 + acrossB, fb, fr, fg)
            }
        } else if fb > fg {
            (first, second, most, middle, least) = (acrossB, acrossG + acrossB, fb, fg, fr)
        } else if fb > fr {
            (first, second, most, middle, least) = (acrossG, acrossG + acrossB, fg, fb, fr)
        } else {
            (first, second, most, middle, least) = (acrossG, 1 + acrossG, fg, fr, fb)
        }
        let corner = Int(r) + Int(g) * acrossG + Int(b) * acrossB
        return entries.withUnsafeBufferPointer { entries in
            let entry = entries.baseAddress! + corner
            let near = entry[0] * (1 - most) + entry[first] * (most - middle)
            let far = entry[second] * (middle - least) + entry[1 + acrossG + acrossB] * least
            return FloatLanes.clamped(near + far)
        }
    }
}
