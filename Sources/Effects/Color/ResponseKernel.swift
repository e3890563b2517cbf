internal import EditorCore

/// Applies `ResponseTables` to a 4:2:0 picture: R′G′B′ at each sample's own place, three loads, and back.
final class ResponseKernel {
    let tables = ResponseTables()
    private let walk = ChromaWalk()
    private var places = (
        red: Scratch<Int16>(0, zero: 0), green: Scratch<Int16>(0, zero: 0), blue: Scratch<Int16>(0, zero: 0)
    )
    private var sums = Scratch<Int16>(0, zero: 0)

    func apply(to picture: PlanarPicture) {
        let width = picture.luma.width
        if sums.count < width {
            sums = Scratch(width, zero: 0)
            places = (Scratch(width, zero: 0), Scratch(width, zero: 0), Scratch(width, zero: 0))
        }
        walk.apply(Rows(kernel: self, width: width, samples: picture.cb.width), to: picture)
    }

    private struct Rows: RowTransform {
        let kernel: ResponseKernel
        let width: Int
        let samples: Int

        func luma(_ pixels: UnsafeMutablePointer<UInt8>, row y: Int, _ pairs: UnsafePointer<UInt16>) {
            kernel.place(pixels, pairs, count: width)
            let (red, green, blue) = (
                kernel.tables.luma.red.base, kernel.tables.luma.green.base, kernel.tables.luma.blue.base
            )
            let (r, g, b) = (kernel.places.red.base, kernel.places.green.base, kernel.places.blue.base)
            let sums = kernel.sums.base
            for x in 0..<width { sums[x] = red[Int(r[x])] &+ green[Int(g[x])] &+ blue[Int(b[x])] }
            for x in 0..<width { pixels[x] = clamped(sums[x] &>> Int16(ResponseTables.fractionBits)) }
        }

        func chroma(
            _ cb: UnsafeMutablePointer<UInt8>, _ cr: UnsafeMutablePointer<UInt8>, row y: Int,
            _ pairs: UnsafePointer<UInt16>, _ luma: UnsafePointer<UInt8>
        ) {
            kernel.place(luma, pairs, count: samples)
            let (red, green, blue) = (
                kernel.tables.chroma.red.base, kernel.tables.chroma.green.base, kernel.tables.chroma.blue.base
            )
            let (r, g, b) = (kernel.places.red.base, kernel.places.green.base, kernel.places.blue.base)
            let half = Int16(1) &<< Int16(ResponseTables.fractionBits - 1)
            for x in 0..<samples {
                let sum = red[Int(r[x])] &+ green[Int(g[x])] &+ blue[Int(b[x])]
                // The lower half may be negative and has then taken one from the upper.
                let low = Int16(truncatingIfNeeded: sum)
                let high = Int16(truncatingIfNeeded: (sum &- Int32(low)) &>> 16)
                cb[x] = clamped(128 &+ ((low &+ half) &>> Int16(ResponseTables.fractionBits)))
                cr[x] = clamped(128 &+ ((high &+ half) &>> Int16(ResponseTables.fractionBits)))
            }
        }
    }

    /// Writes the places of R′, G′ and B′ in the tables.
    @inline(__always)
    private func place(_ luma: UnsafePointer<UInt8>, _ pairs: UnsafePointer<UInt16>, count: Int) {
        let (redCr, greenCb) = (ResponseTables.redCr, ResponseTables.greenCb)
        let (greenCr, blueCb) = (ResponseTables.greenCr, ResponseTables.blueCb)
        let (origin, perCode) = (ResponseTables.origin, Int16(ResponseTables.perCode))
        let last = Int16(ResponseTables.count - 1)
        let (red, green, blue) = (places.red.base, places.green.base, places.blue.base)
        for x in 0..<count {
            let grey = Int16(luma[x]) &* perCode &+ origin
            let u = Int16(truncatingIfNeeded: pairs[x] &>> 8) &- 128
            let v = Int16(truncatingIfNeeded: pairs[x] & 255) &- 128
            red[x] = max(0, min(last, grey &+ redCr.times(v)))
            green[x] = max(0, min(last, grey &+ greenCb.times(u) &+ greenCr.times(v)))
            blue[x] = max(0, min(last, grey &+ blueCb.times(u)))
        }
    }
}
