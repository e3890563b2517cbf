internal import EditorCore

/// What the full-size loops need per cell, one row of cells at a time. All numbers are whole, so that those loops run
/// on 16-bit lanes.
final class TreatmentMaps {
    /// Share of luma that smoothing takes away, in 1/4096 below 1.
    let removal: Scratch<Int16>
    /// Luma that smoothing gives back, in 1/16 levels.
    let offset: Scratch<Int16>
    /// Strength of the lift of luma, in 1/4096.
    let lift: Scratch<Int16>
    /// What Cr gains, in 1/256 levels.
    let blush: Scratch<Int16>
    /// Strength of sharpening, in 1/4096.
    let crispness: Scratch<Int16>

    /// The largest strength, just below 1.
    static let full: Float = 4095

    /// Each row has a cell in front and one behind, for the loops that look at neighbours.
    init(columns: Int) {
        removal = Scratch(columns, zero: 0, margin: 1)
        offset = Scratch(columns, zero: 0, margin: 1)
        lift = Scratch(columns, zero: 0, margin: 1)
        blush = Scratch(columns, zero: 0, margin: 1)
        crispness = Scratch(columns, zero: 0, margin: 1)
    }

    /// Repeats the border cells outside.
    func extend() {
        extend(removal)
        extend(offset)
        extend(lift)
        extend(blush)
        extend(crispness)
    }

    private func extend(_ map: Scratch<Int16>) {
        map[-1] = map[0]
        map[map.count] = map[map.count - 1]
    }
}
