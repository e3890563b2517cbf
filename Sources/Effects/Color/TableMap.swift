/// What a .cube file holds: a curve for each channel, a cube of colours, or first the one and then the other.
struct TableMap: ColorMap {
    var ramp: ColorRamp?
    var lattice: ColorLattice?

    func color(_ rgb: SIMD4<Float>) -> SIMD4<Float> {
        let bent = ramp?.color(rgb) ?? rgb
        return lattice?.color(bent) ?? bent
    }
}
