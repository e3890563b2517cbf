/// Columns or rows of a plane from a row of lines that lies beside them, at a sub-pixel offset.
///
/// `count` lines come out, each a mean of two neighbours of `count + 1` lines that go in: line `i` is line `i` of the
/// input times `(256 − weight) / 256` plus line `i + 1` times `weight / 256`. A movement in steps of any length is
/// thereby as even as its steps.
struct LineShift {
    /// Whole lines and the rest in 1/256 of a line.
    let lines: Int
    let weight: UInt16

    /// - Parameter offset: in lines, not negative.
    init(_ offset: Double) {
        let units = Int((offset * 256).rounded())
        lines = units >> 8
        weight = UInt16(units & 255)
    }

    /// Columns `columns` of a row from `line`, which holds one more.
    func columns(_ line: UnsafePointer<UInt8>, into out: UnsafeMutablePointer<UInt8>, count: Int) {
        if weight == 0 {
            out.update(from: line, count: count)
        } else {
            RowBlend.mix(line, line + 1, weight: weight, into: out, count: count)
        }
    }

    /// One row from two.
    func row(
        _ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>, into out: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        if weight != 0 {
            RowBlend.mix(upper, lower, weight: weight, into: out, count: count)
        } else if upper != UnsafePointer(out) {
            out.update(from: upper, count: count)
        }
    }
}

extension LineShift {
    /// What shows behind an edge at `edge`: of the line in which the edge lies, the part beyond it.
    static func reversed(_ edge: LineShift) -> LineShift { LineShift(lines: 0, weight: 256 - edge.weight) }

    private init(lines: Int, weight: UInt16) { (self.lines, self.weight) = (lines, weight) }
}
