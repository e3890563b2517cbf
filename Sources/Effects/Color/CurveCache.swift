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
    /// The curve's number for each pair of chroma values, 0 for none yet.
    private let numbers = Scratch<UInt16>(1 << 16, zero: 0)
    /// Luma by curve and luma.
    private var lumaCurves: Scratch<UInt8>
    /// Cb and, above it, Cr by curve and luma.
    private var chromaCurves: Scratch<UInt16>
    /// Curves there is room for; number 0 is never used.
    private var capacity: Int
    private var used = 1
    /// The curves of a row's pixels.
    private var row: Scratch<UInt16>

    /// Room for as many curves as the pictures of a telephone have. Where a film grain has more than this they are worked
    /// out again; results do not depend on it. Memory is touched only as curves are met.
    private static var usualCapacity: Int { 16_384 }

    /// - Parameter width: of the pictures, in pixels.
    init(_ map: Map, width: Int) {
        self.map = map
        capacity = max(Self.usualCapacity, min(65_535, 2 * width))
        lumaCurves = Scratch(uninitialized: capacity << 8)
        chromaCurves = Scratch(uninitialized: capacity << 8)
        row = Scratch(max(1, width) + 2, zero: 0)
    }

    /// - Parameter strength: share of the map's result, 0…1; the rest is the picture as it was.
    func apply(to picture: PlanarPicture, strength: Double) {
        let weight = UInt16((strength * 256).rounded())
        if row.count < picture.luma.width + 2 { row = Scratch(picture.luma.width + 2, zero: 0) }
        walk.apply(Rows(cache: self, width: picture.luma.width, samples: picture.cb.width, weight: weight), to: picture)
    }

    private struct Rows: RowTransform {
        let cache: CurveCache
        let width: Int
        let samples: Int
        /// In 1/256.
        let weight: UInt16

        func luma(
            _ pixels: UnsafeMutablePointer<UInt8>, row y: Int, _ cb: UnsafePointer<UInt8>, _ cr: UnsafePointer<UInt8>
        ) {
            cache.find(cb, cr, count: width)
            let (curves, row) = (cache.lumaCurves.base, cache.row.base)
            if weight == 256 {
                for x in 0..<width { pixels[x] = curves[Int(row[x]) &<< 8 | Int(pixels[x])] }
            } else {
                for x in 0..<width {
                    let old = pixels[x]
                    pixels[x] = mixed(old, curves[Int(row[x]) &<< 8 | Int(old)])
                }
            }
        }

        func chroma(
            _ cb: UnsafeMutablePointer<UInt8>, _ cr: UnsafeMutablePointer<UInt8>, row y: Int,
            _ luma: UnsafePointer<UInt8>
        ) {
            cache.find(cb, cr, count: samples)
            let (curves, row) = (cache.chromaCurves.base, cache.row.base)
            for x in 0..<samples {
                let pair = curves[Int(row[x]) &<< 8 | Int(luma[x])]
                let (u, v) = (UInt8(truncatingIfNeeded: pair), UInt8(truncatingIfNeeded: pair &>> 8))
                cb[x] = weight == 256 ? u : mixed(cb[x], u)
                cr[x] = weight == 256 ? v : mixed(cr[x], v)
            }
        }

        @inline(__always)
        private func mixed(_ old: UInt8, _ new: UInt8) -> UInt8 {
            UInt8(truncatingIfNeeded: (UInt16(old) &* (256 &- weight) &+ UInt16(new) &* weight &+ 128) &>> 8)
        }
    }

    /// Writes the numbers of the curves of `count` pairs to `row`.
    @inline(__always)
    private func find(_ cb: UnsafePointer<UInt8>, _ cr: UnsafePointer<UInt8>, count: Int) {
        let (numbers, row) = (numbers.base, row.base)
        var least = UInt16.max
        for x in 0..<count {
            let number = numbers[Int(cb[x]) &<< 8 | Int(cr[x])]
            row[x] = number
            least = min(least, number)
        }
        if least == 0 { complete(cb, cr, count: count) }
    }

    /// Works out the curves that are missing in a row.
    @inline(never)
    private func complete(_ cb: UnsafePointer<UInt8>, _ cr: UnsafePointer<UInt8>, count: Int) {
        if used + count > capacity {
            numbers.base.update(repeating: 0, count: numbers.count)
            used = 1
        }
        for x in 0..<count {
            let pair = Int(cb[x]) << 8 | Int(cr[x])
            if numbers[pair] == 0 {
                numbers[pair] = UInt16(used)
                draw(curve: used, cb: cb[x], cr: cr[x])
                used += 1
            }
            row[x] = numbers[pair]
        }
    }

    /// The map over every luma for one pair of chroma values.
    private func draw(curve: Int, cb: UInt8, cr: UInt8) {
        let offset = BT709.fromCb * (Float(cb) - 128) + BT709.fromCr * (Float(cr) - 128)
        let (toY, toCb, toCr) = (BT709.luma * 219, BT709.toCb, BT709.toCr)
        let (lumaOut, chromaOut) = (lumaCurves.base + curve << 8, chromaCurves.base + curve << 8)
        for y in 0..<256 {
            let grey = SIMD4(repeating: Float(y - 16) * (1 / 219))
            let rgb = map.color(FloatLanes.clamped(grey + offset))
            lumaOut[y] = FloatLanes.byte(16 + (rgb * toY).sum())
            let u = UInt16(FloatLanes.byte(128 + (rgb * toCb).sum()))
            chromaOut[y] = u | UInt16(FloatLanes.byte(128 + (rgb * toCr).sum())) << 8
        }
    }
}
