internal import EditorCore

/// The texts of an effect in order of time, none of which overlap.
struct CaptionTrack: Sendable {
    let cues: [Cue]

    /// One text for the whole time.
    init(_ content: TextContent, during range: TimeRange) {
        cues = [Cue(range: range, content: content, plain: content.string)]
    }

    /// Reads a file; its warnings are reported, its errors thrown together.
    init(_ asset: AssetReference, parameters: TextParameters, context: EffectContext) throws {
        let file = CaptionFile(try context.assets.text(asset), maxWords: parameters.maxWords)
        let name = asset.path
        guard file.errors.isEmpty else {
            let findings = file.errors.prefix(20).map {
                Finding(.error, code: "captions.invalid", at: asset.pointer, "\(name), \($0.place): \($0.message)")
            }
            throw EditorError(Array(findings)) ?? EditorError(.invalidData, "\(name) holds no captions")
        }
        for warning in file.warnings.prefix(20) {
            context.report(
                Finding(
                    .warning, code: "captions.doubtful", at: asset.pointer,
                    "\(name), \(warning.place): \(warning.message)"))
        }
        cues = file.sequence().map { $0.shifted(by: parameters.captionOffset) }
    }

    /// Which text shows at a time, by binary search.
    func index(at time: MediaTime) -> Int? {
        var (low, high) = (0, cues.count)
        while low < high {
            let middle = (low + high) / 2
            if cues[middle].range.end <= time { low = middle + 1 } else { high = middle }
        }
        return low < cues.count && cues[low].range.contains(time) ? low : nil
    }
}
