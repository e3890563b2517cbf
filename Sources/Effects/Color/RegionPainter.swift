internal import EditorCore

/// Another version of a plane, made from it before it is written to.
protocol PlaneVersion: AnyObject {
    /// Reads a plane.
    /// - Parameters:
    ///   - index: 0 luma, 1 and 2 chroma, which have half the resolution.
    ///   - area: the samples that `write` is asked for, not empty.
    func read(_ plane: PlaneRows, index: Int, area: RegionMask.Area)

    /// Writes samples of row `y` of the version of the plane that was read last.
    func write(row y: Int, columns: Range<Int>, into out: UnsafeMutablePointer<UInt8>)
}

/// Puts another version of a picture where a region is. Belongs to one thread.
final class RegionPainter {
    private var version = Scratch<UInt8>(0, zero: 0)
    /// Weights of the luma rows at hand and of a chroma row.
    private var upper = Scratch<UInt16>(0, zero: 0)
    private var lower = Scratch<UInt16>(0, zero: 0)
    private var chroma = Scratch<UInt16>(0, zero: 0)

    /// - Parameter mask: nil for all of the picture.
    func paint(_ versions: some PlaneVersion, onto picture: PlanarPicture, mask: RegionMask?) {
        let size = (width: picture.luma.width, height: picture.luma.height)
        if version.count < size.width {
            version = Scratch(size.width, zero: 0)
            upper = Scratch(size.width, zero: 0, margin: 1)
            lower = Scratch(size.width, zero: 0, margin: 1)
            chroma = Scratch(size.width, zero: 0)
        }
        let whole = RegionMask.Area(columns: 0..<size.width, rows: 0..<size.height)
        let area = mask?.area ?? whole
        for index in 0..<3 {
            let plane = picture[index]
            let part = (index == 0 ? area : area.chroma).within(plane)
            guard !part.isEmpty else { continue }
            versions.read(plane, index: index, area: part)
            for y in part.rows {
                let row = plane.row(y) + part.columns.lowerBound
                guard let mask else {
                    versions.write(row: y, columns: part.columns, into: row)
                    continue
                }
                versions.write(row: y, columns: part.columns, into: version.base)
                if index == 0 {
                    mask.weights(row: y, part.columns, into: upper.base)
                    Self.mix(row, version.base, upper.base, count: part.columns.count)
                } else {
                    chromaWeights(mask, row: y, part.columns, size)
                    Self.mix(row, version.base, chroma.base, count: part.columns.count)
                }
            }
        }
    }

    /// A chroma sample counts as much as the pixel that counts most among those it colours, so that nothing of the
    /// region's colour shows.
    private func chromaWeights(
        _ mask: RegionMask, row cy: Int, _ samples: Range<Int>, _ size: (width: Int, height: Int)
    ) {
        let columns = 2 * samples.lowerBound..<min(2 * samples.upperBound, size.width)
        let (upper, lower, out) = (upper.base, lower.base, chroma.base)
        mask.weights(row: 2 * cy, columns, into: upper)
        for row in [2 * cy - 1, 2 * cy + 1, 2 * cy + 2] where (0..<size.height).contains(row) {
            mask.weights(row: row, columns, into: lower)
            for i in 0..<columns.count { upper[i] = max(upper[i], lower[i]) }
        }
        (upper[-1], upper[columns.count]) = (upper[0], upper[columns.count - 1])
        for k in 0..<samples.count {
            let i = 2 &* k
            out[k] = max(upper[i], max(upper[i &- 1], upper[i &+ 1]))
        }
    }

    private static func mix(
        _ row: UnsafeMutablePointer<UInt8>, _ other: UnsafePointer<UInt8>, _ weights: UnsafePointer<UInt16>, count: Int
    ) {
        for i in 0..<count {
            let (old, new, weight) = (UInt16(row[i]), UInt16(other[i]), weights[i])
            row[i] = UInt8(truncatingIfNeeded: (old &* (256 &- weight) &+ new &* weight &+ 128) &>> 8)
        }
    }
}
