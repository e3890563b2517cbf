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
        reduceChroma(frame, plane: 1, into: reduction.cb)
        reduceChroma(frame, plane: 2, into: reduction.cr)
        let filter = GuidedFilter(strength: strengths.smooth, radius: grid.radius)
        analysis.prepare(reduction, filter: filter, skinOnly: skinOnly)
    }

    private func reduceChroma(_ frame: VideoFrame, plane: Int, into target: Scratch<Float>) {
        frame.withPlane(plane) { samples, layout in
            samples.withUnsafeBufferPointer { reduction.reduceChroma($0.baseAddress!, layout, into: target.base) }
        }
    }

    /// Writes the picture in place.
    func write(
        _ y: UnsafeMutablePointer<UInt8>, _ u: UnsafeMutablePointer<UInt8>, _ v: UnsafeMutablePointer<UInt8>,
        _ lumaLayout: VideoFrame.PlaneLayout, _ chromaLayout: VideoFrame.PlaneLayout, _ strengths: Strengths
    ) {
        let region = analysis.region
        // A strip of pixels lies between two rows of cells; half a strip lies before the first and after the last.
        for strip in 0...grid.rows {
            // Behind the last row it comes again.
            let row = min(strip, grid.rows - 1)
            let cells = region.cells(inRow: row)
            if strip < grid.rows {
                analysis.advance(to: strip)
                if !cells.isEmpty {
                    // One cell more on both sides, since values between cells need both neighbours.
                    let range = max(0, cells.lowerBound - 1)..<min(grid.columns, cells.upperBound + 1)
                    analysis.maps(strip, range, reduction, strengths, into: maps)
                }
            }
            let treated = region.cells(inStrip: strip)
            luma.push(maps, cells, isFirst: strip == 0, strengths)
            luma.write(strip: strip, y, lumaLayout, treated, strengths)
            if strengths.ruddy > 0 {
                chroma.push(maps, cells, isFirst: strip == 0)
                chroma.write(strip: strip, u, v, chromaLayout, treated)
            }
        }
    }
}
