internal import EditorCore

/// `color` as tables: what each of R′, G′ and B′ contributes to Y′, C′B and C′R, in whole numbers.
///
/// R′G′B′ come as places in the tables, in steps of a sixth of a code of luma from −1 to 2, so that no Y′CbCr colour
/// lies outside but the most impossible blues, which take the table's end.
final class ResponseTables {
    /// Entries for one code of luma.
    static let perCode = 6
    /// Entries from 0 to full scale.
    private static let unit = Double(219 * perCode)
    /// Entries of a table: three times full scale.
    static let count = 3 * 219 * perCode
    /// Contributions are in 1/64 of a code.
    static let fractionBits = 6

    /// Contributions to luma by channel; red's holds the offset and the rounding.
    let luma: (red: Scratch<Int16>, green: Scratch<Int16>, blue: Scratch<Int16>)
    /// Contributions to Cb in the lower half and Cr in the upper half, to be added as one.
    let chroma: (red: Scratch<Int32>, green: Scratch<Int32>, blue: Scratch<Int32>)

    init() {
        func tables<T: FixedWidthInteger & BitwiseCopyable>(_ zero: T) -> (Scratch<T>, Scratch<T>, Scratch<T>) {
            (Scratch(Self.count, zero: zero), Scratch(Self.count, zero: zero), Scratch(Self.count, zero: zero))
        }
        luma = tables(Int16(0))
        chroma = tables(Int32(0))
    }

    /// Fills the tables for a response; `saturation` multiplies chroma.
    func fill(_ response: ToneResponse, saturation: Double) {
        let scale = Double(1 << Self.fractionBits)
        fill(luma.red, chroma.red, response, response.gains.red, 0, saturation, offset: 16.5 * scale)
        fill(luma.green, chroma.green, response, response.gains.green, 1, saturation, offset: 0)
        fill(luma.blue, chroma.blue, response, response.gains.blue, 2, saturation, offset: 0)
    }

    private func fill(
        _ luma: Scratch<Int16>, _ chroma: Scratch<Int32>, _ response: ToneResponse, _ gain: Double, _ lane: Int,
        _ saturation: Double, offset: Double
    ) {
        let scale = Double(1 << Self.fractionBits)
        let weight = Double(BT709.luma[lane]) * 219 * scale
        let (cb, cr) = (
            Double(BT709.toCb[lane]) * scale * saturation, Double(BT709.toCr[lane]) * scale * saturation
        )
        for i in 0..<Self.count {
            // Wider than any colour that is seen, and sums stay within sixteen bits.
            let value = max(-0.5, min(1.5, response.value(Double(i) / Self.unit - 1, gain: gain)))
            luma[i] = Int16((value * weight + offset).rounded())
            let (u, v) = (Int32((value * cb).rounded()), Int32((value * cr).rounded()))
            chroma[i] = u &+ v &<< 16
        }
    }

    /// Table steps that one code of chroma is worth: whole ones and 1/512 of the rest, so that products fit sixteen bits.
    struct Step {
        let whole: Int16
        let rest: Int16

        init(_ codes: Float) {
            let steps = Double(codes) * unit
            whole = Int16(steps.rounded())
            rest = Int16(((steps - steps.rounded()) * 512).rounded())
        }

        /// Steps for a chroma code minus 128, to nearest.
        @inline(__always)
        func times(_ code: Int16) -> Int16 { whole &* code &+ (rest &* code &+ 256) &>> 9 }
    }

    static let redCr = Step(BT709.fromCr.x)
    static let greenCb = Step(BT709.fromCb.y)
    static let greenCr = Step(BT709.fromCr.y)
    static let blueCb = Step(BT709.fromCb.z)
    /// The place of luma code 0 with chroma 128.
    static let origin = Int16((219 - 16) * perCode)
}
