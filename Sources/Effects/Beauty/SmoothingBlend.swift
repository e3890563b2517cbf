internal import EditorCore

/// Applies the line fits to a row of pixels.
enum SmoothingBlend {
    /// `luma + offset − removal · luma` for pixels `range` of a row, in place.
    /// - Parameters:
    ///   - removal: shares above and below the row, in 1/4096.
    ///   - offset: levels above and below the row, in 1/16.
    ///   - weight: weight of the lower maps in eighths.
    static func apply(
        _ pixels: UnsafeMutablePointer<UInt8>, _ range: Range<Int>,
        removal: MapRows, offset: MapRows, weight: Int16
    ) {
        let (removal0, removal1, offset0, offset1) = (
            removal.upper.base, removal.lower.base, offset.upper.base, offset.lower.base
        )
        for x in range {
            let share = between(removal0[x], removal1[x], weight)
            let given = between(offset0[x], offset1[x], weight)
            let pixel = pixels[x]
            // In 1/64 levels.
            let taken = highProduct(share, Int16(pixel) &<< 7)
            let difference = (given &>> 1) &- taken
            pixels[x] = clamped(Int16(pixel) &+ ((difference &+ 32) &>> 6))
        }
    }
}
