internal import EditorCore

/// Applies a `ColorMap` to a 4:2:0 picture.
///
/// With its chroma given, what becomes of a pixel depends on its luma alone: a curve of 256 values. Such curves are
/// worked out, with the map itself and nothing coarser, when their chroma is first met, and kept; a picture has a few
/// thousand chroma values, and most of them come again in the next. So a pixel costs two loads however dear the map is,
/// and the result is the map's own, rounded once.
final class CurveCache<Map: ColorMap> {
    private let map: Map
    private let walk = ChromaWalk()
    /// Where the curve of each pair of chroma values begins, 0 for none yet.
    private let starts = Scratch<UInt32>(1 << 16, zero: 0)
    /// Luma by curve and luma.
    private let lumaCurves: Scratch<UInt8>
    /// Cb and, below it, Cr by curve and luma.
    private let chromaCurves: Scratch<UInt16>
    /// Curves there is room for; the first is never used.
    private let capacity: Int
    private var used = 1
    /// A row of results.
    private var lights: Scratch<UInt8>
    private var colors: Scratch<UInt16>

    /// Room for as many curves as the pictures of a telephone have. Where noise has more than this they are worked out
    /// again; results do not depend on it. Memory is touched only as curves are met.
    private static var usualCapacity: Int { 16_384 }

    /// - Parameter width: of the pictures, in pixels.
    init(_ map: Map, width: Int) {
        self.map = map
        // A row's curves are all there at once.
        capacity = max(Self.usualCapacity, 2 * width)
        lumaCurves = Scratch(uninitialized: capacity << 8)
        chromaCurves = Scratch(uninitialized: capacity << 8)
        // What is read where a curve is missing, and then put right.
        lumaCurves.base.update(repeating: 0, count: 256)
        chromaCurves.base.update(repeating: 0, count: 256)
        lights = Scratch(width, zero: 0)
        colors = Scratch(width, zero: 0)
    }

    /// - Parameter strength: share of the map's result, 0…1; the rest is the picture as it was.
    func apply(to picture: PlanarPicture, strength: Double) {
        let width = picture.luma.width
        precondition(width < capacity, "the picture is no wider than the canvas")
        if lights.count < width {
            lights = Scratch(width, zero: 0)
            colors = Scratch(width, zero: 0)
        }
        let weight = UInt16((strength * 256).rounded())
        walk.apply(Rows(cache: self, width: width, samples: picture.cb.width, weight: weight), to: picture)
    }

    private struct Rows: RowTransform {
        let cache: CurveCache
        let width: Int
        let samples: Int
        /// In 1/256.
        let weight: UInt16

        func luma(_ pixels: UnsafeMutablePointer<UInt8>, row y: Int, _ pairs: UnsafePointer<UInt16>) {
            let out = cache.lights.base
            cache.look(up: pairs, pixels, in: cache.lumaCurves.base, into: out, count: width)
            if weight == 256 {
                pixels.update(from: out, count: width)
            } else {
                for x in 0..<width { pixels[x] = mixed(pixels[x], out[x]) }
            }
        }

        func chroma(
            _ cb: UnsafeMutablePointer<UInt8>, _ cr: UnsafeMutablePointer<UInt8>, row y: Int,
            _ pairs: UnsafePointer<UInt16>, _ luma: UnsafePointer<UInt8>
        ) {
            let out = cache.colors.base
            cache.look(up: pairs, luma, in: cache.chromaCurves.base, into: out, count: samples)
            for x in 0..<samples {
                cb[x] = mixed(cb[x], UInt8(truncatingIfNeeded: out[x] &>> 8))
                cr[x] = mixed(cr[x], UInt8(truncatingIfNeeded: out[x]))
            }
        }

        @inline(__always)
        private func mixed(_ old: UInt8, _ new: UInt8) -> UInt8 {
            UInt8(truncatingIfNeeded: (UInt16(old) &* (256 &- weight) &+ UInt16(new) &* weight &+ 128) &>> 8)
        }
    }

    /// Reads a row's results from curves; what is missing is worked out first.
    @inline(__always)
    private func look<Value>(
        up pairs: UnsafePointer<UInt16>, _ luma: UnsafePointer<UInt8>, in curves: UnsafePointer<Value>,
        into out: UnsafeMutablePointer<Value>, count: Int
    ) {
        let starts = starts.base
        // The sign tells of a 0 among the starts.
        var gaps: UInt32 = 0
        for x in 0..<count {
            let start = starts[Int(pairs[x])]
            gaps |= start &- 1
            out[x] = curves[Int(start) &+ Int(luma[x])]
        }
        if gaps >> 31 == 0 { return }
        complete(pairs, count: count)
        for x in 0..<count { out[x] = curves[Int(starts[Int(pairs[x])]) &+ Int(luma[x])] }
    }

    /// Works out the curves that are missing in a row.
    @inline(never)
    private func complete(_ pairs: UnsafePointer<UInt16>, count: Int) {
        if used + count > capacity {
            starts.base.update(repeating: 0, count: starts.count)
            used = 1
        }
        for x in 0..<count where starts[Int(pairs[x])] == 0 {
            starts[Int(pairs[x])] = UInt32(used << 8)
            draw(curve: used, cb: UInt8(pairs[x] >> 8), cr: UInt8(pairs[x] & 255))
            used += 1
        }
    }

    /// The map over every luma for one pair of chroma values.
    private func draw(curve: Int, cb: UInt8, cr: UInt8) {
        let map = map
        let offset = BT709.fromCb * (Float(cb) - 128) + BT709.fromCr * (Float(cr) - 128)
        // Columns of the matrix to Y′, C′B, C′R.
        func column(_ lane: Int) -> SIMD4<Float> {
            SIMD4(BT709.luma[lane] * 219, BT709.toCb[lane], BT709.toCr[lane], 0)
        }
        let (red, green, blue, black) = (column(0), column(1), column(2), SIMD4<Float>(16, 128, 128, 0))
        let (lumaOut, chromaOut) = (lumaCurves.base + curve << 8, chromaCurves.base + curve << 8)
        for y in 0..<256 {
            let rgb = map.color(FloatLanes.clamped(SIMD4(repeating: Float(y - 16) * (1 / 219)) + offset))
            let codes = FloatLanes.bytes(black + red * rgb.x + green * rgb.y + blue * rgb.z)
            lumaOut[y] = codes.x
            chromaOut[y] = UInt16(codes.y) &<< 8 | UInt16(codes.z)
        }
    }
}
