public import EditorCore

/// Evens out skin and leaves eyes, hair, text and background sharp; lightens, reddens and sharpens on demand.
///
/// Works in place on planar Y′CbCr, in time proportional to the number of pixels and independent of strength: the mask
/// and the smoothing filter are computed on a grid of cells of 2 × 2 or 4 × 4 pixels and applied at full size.
/// Stateless: what a frame becomes depends on that frame and the parameters alone. Not Sendable; one thread at a time.
public final class Beauty: VideoEffect {
    public static let id = "beauty"
    public static let version = 3
    public static let summary =
        "Smooths skin and keeps eyes, hair and background sharp; lightens, reddens and sharpens."
    public static let example: JSONValue = ["smooth": 0.6, "whiten": 0.2, "ruddy": 0.1]

    private let parameters: BeautyParameters
    private var stages: Stages

    public init(_ parameters: BeautyParameters, context: EffectContext) {
        self.parameters = parameters
        stages = Stages(CellGrid(context.canvas))
    }

    public func isIdentity(at time: EffectTime) -> Bool { Strengths(parameters, at: time.seconds).areZero }

    public func process(_ frame: inout VideoFrame, at time: EffectTime) {
        let strengths = Strengths(parameters, at: time.seconds)
        guard !strengths.areZero, frame.width > 0, frame.height > 0 else { return }
        if stages.grid.size != frame.size { stages = Stages(CellGrid(frame.size)) }
        stages.analyse(frame, strengths, skinOnly: parameters.skinOnly)
        guard !stages.analysis.region.isEmpty || strengths.sharpen > 0 else { return }
        frame.withMutablePlanes { y, u, v, luma, chroma in
            y.withUnsafeMutableBufferPointer { y in
                u.withUnsafeMutableBufferPointer { u in
                    v.withUnsafeMutableBufferPointer { v in
                        stages.write(y.baseAddress!, u.baseAddress!, v.baseAddress!, luma, chroma, strengths)
                    }
                }
            }
        }
    }
}
