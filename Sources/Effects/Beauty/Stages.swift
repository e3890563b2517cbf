internal import EditorCore

/// The stages for pictures of one size, with all memory they need, and the order in which they work.
final class Stages {
    let grid: CellGrid
    let reduction: PictureReduction
    let analysis: SkinAnalysis
    private let maps: TreatmentMaps
    private let luma: LumaTreatment
    private let chroma: ChromaTreatment

    init(_ grid: CellGrid) {
        self.grid = grid
        reduction = PictureReduction(grid)
        analysis = SkinAnalysis(grid)
        maps = TreatmentMaps(columns: grid.columns)
        luma = LumaTreatment(grid)
        chroma = ChromaTreatment(grid)
    }

    /// Reads the whole picture; after this `analysis.region` is known.
    func analyse(_ frame: VideoFrame, _ strengths: Strengths, skinOnly: Bool) {
        frame.withPlane(0) { pixels, layout in
            pixels.withUnsafeBufferPointer { reduction.reduceLuma($0.baseAddress!, layout) }
        }
        for (plane, target) in [(1, reduction.cb), (2, reduction.cr)] {
            frame.withPlane(plane) { samples, layout in
                samples.withUnsafeBufferPointer { reduction.reduceChroma($0.baseAddress!, layout, into: target.base) }
            }
        }
        analysis.prepare(reduction, filter: GuidedFilter(strength: strengths.smooth), skinOnly: skinOnly)
    }

    /// Writes the picture in place.
    func write(
        _ y: UnsafeMutablePointer<UInt8>, _ u: UnsafeMutablePointer<UInt8>, _ v: UnsafeMutablePointer<UInt8>,
        _ lumaLayout: VideoFrame.PlaneLayout, _ chromaLayout: VideoFrame.PlaneLayout, _ strengths: Strengths
    ) {
        let region = analysis.region
        // A strip of pixels lies between two rows of cells; half a strip lies before the first and after the last.
        for strip in 0...grid.rows {
            if strip < grid.rows {
                analysis.advance(to: strip)
                if region.rows.contains(strip) || strengths.sharpen > 0 {
                    analysis.maps(strip, reduction, strengths, into: maps)
                }
            }
            // Behind the last row it comes again.
            let row = min(strip, grid.rows - 1)
            let isTreated = region.rows.contains(row)
            let columns = isTreated ? region.columns : 0..<0
            let startsRegion = strip == region.rows.lowerBound
            guard isTreated || strengths.sharpen > 0 else { continue }
            luma.push(maps, columns: columns, startsRegion: startsRegion, isFirst: strip == 0, strengths)
            luma.write(strip: strip, y, lumaLayout, columns: columns, strengths)
            if strengths.ruddy > 0, isTreated {
                chroma.push(maps, columns: columns, startsRegion: startsRegion)
                chroma.write(strip: strip, u, v, chromaLayout, columns: columns)
            }
        }
    }
}
