package import EditorCapture

/// Places pictures on a grid of equal steps by the times at which they were taken.
package struct FrameGrid {
    /// Pictures a second.
    let rate: Double
    let start: MonotonicTime
    /// Number of the picture that is due next.
    package private(set) var next = 0

    /// A picture that is so many steps away from the place that is due still takes it: stamps jitter, and the camera's
    /// clock is not the grid's.
    private static let tolerance = 0.6

    package init(rate: Double, start: MonotonicTime) { (self.rate, self.start) = (rate, start) }

    package enum Placement: Equatable {
        /// It takes the next place, after so many in which the one before is held.
        case next(afterHeld: Int)
        /// Its place is taken: the camera is faster than the grid.
        case surplus
    }

    package mutating func place(_ time: MonotonicTime) -> Placement {
        let distance = (time - start) * rate - Double(next)
        if distance < -Self.tolerance { return .surplus }
        let held = distance <= Self.tolerance ? 0 : max(1, Int(distance.rounded()))
        next += held + 1
        return .next(afterHeld: held)
    }
}
