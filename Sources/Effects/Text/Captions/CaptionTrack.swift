internal import EditorCore

/// The texts of an effect in order of their starts. At one time there is at most one in each place.
struct CaptionTrack: Sendable {
    let cues: [Cue]
    /// The same for a subtitle track, which has one text at a time.
    let sequence: [Cue]
    private let sections: [CueSection]

    /// One text for the whole time.
    init(_ content: TextContent, during range: TimeRange) {
        cues = [Cue(range: range, content: content, plain: content.string)]
        sequence = cues
        sections = [CueSection(range: range, shown: [0])]
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
        let placed = file.placed()
        cues = placed.map { $0.shifted(by: parameters.captionOffset) }
        sequence = file.sequence().map { $0.shifted(by: parameters.captionOffset) }
        // Cut before they are moved, since they may be moved to before the movie's start.
        sections = CueSection.sections(of: placed.map(\.range)).map {
            var section = $0
            section.range.start += parameters.captionOffset
            return section
        }
    }

    /// Which texts show at a time, by binary search.
    func indices(at time: MediaTime) -> [Int] {
        var (low, high) = (0, sections.count)
        while low < high {
            let middle = (low + high) / 2
            if sections[middle].range.end <= time { low = middle + 1 } else { high = middle }
        }
        return low < sections.count && sections[low].range.contains(time) ? sections[low].shown : []
    }
}
