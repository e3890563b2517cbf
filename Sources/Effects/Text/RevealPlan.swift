internal import EditorCore

/// In which pieces a text comes on and goes off, and when its words are spoken.
struct RevealPlan {
    /// The ends of the pieces in bytes; nil when it does not come on in pieces.
    let entranceEnds: [Int]?
    let exitEnds: [Int]?
    let words: [Cue.Word]
    /// Bytes of the text.
    let length: Int
    private let entranceSeconds: Double
    private let exitSeconds: Double

    init(cue: Cue, layout: TextLayout, animation: OverlayAnimation) {
        length = layout.text.utf8.count
        let lines = layout.lines.map(\.bytes)
        func pieces(_ step: OverlayAnimation.Step?) -> (ends: [Int]?, seconds: Double) {
            guard let reveal = step.flatMap({ TextReveal(rawValue: $0.name) }) else { return (nil, 0) }
            let ends = reveal.pieceEnds(of: layout.text, lines: lines)
            return (ends, reveal.duration(pieces: ends.count))
        }
        (entranceEnds, entranceSeconds) = pieces(animation.entrance)
        (exitEnds, exitSeconds) = pieces(animation.exit)
        var cue = cue
        // Of markup, only the layout knows the text.
        cue.plain = layout.text
        words = cue.timedWords()
    }

    /// A placement whose animations in pieces take the time that suits their number, where none is asked for.
    func placement(_ placement: OverlayPlacement) -> OverlayPlacement {
        var placement = placement
        if entranceEnds != nil, placement.animation.entrance?.duration == nil {
            placement.animation.entrance?.duration = entranceSeconds
        }
        if exitEnds != nil, placement.animation.exit?.duration == nil {
            placement.animation.exit?.duration = exitSeconds
        }
        return placement
    }
}
