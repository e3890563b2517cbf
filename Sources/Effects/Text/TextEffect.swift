public import EditorCore

/// Writes a text, or captions in their times, over the picture.
///
/// Each distinct state of a text (a caption, a revealed letter, a spoken word) is drawn once, on the thread that asks
/// for it, and kept. Pango's objects live only while a state is drawn, so an instance may go from thread to thread.
public final class TextEffect: OverlayEffect, OverlaysEffect {
    public static var id: String { "text" }
    /// 2: captions are balanced and stand where their file says. 3: each of several at one time in its own place, in the
    /// looks of WebVTT's styles.
    public static var version: Int { 3 }
    public static var summary: String { "Writes text or captions, with colour styles, outline, shadow and animations." }
    public static var example: JSONValue {
        [
            "text": "你好, world 👋", "center": [0.5, 0.85], "fontSize": 0.06, "outline": ["color": "000000"],
            "animation": ["in": "typewriter"],
        ]
    }

    /// A drawn state and where it stands.
    private struct Shown {
        var picture: OverlayPicture
        var placement: OverlayPlacement
    }

    private let parameters: TextParameters
    private let canvas: PixelSize
    private let family: FontFamily
    private let track: CaptionTrack
    /// Pixels drawn per canvas pixel, so that a text stays sharp when it grows.
    private var drawingScale: Double
    private var reveals: [Int: RevealPlan] = [:]
    /// The faces that the letters are drawn with.
    private var fonts = ""
    /// Bounded in bytes.
    private var cache = RecentlyUsed<TextState, Shown>(limit: 32 << 20)
    /// The shape that was drawn last, for the next spoken word of the same text.
    private var shape: (key: TextState, scale: Double, shape: TextPainter.Shape)?

    public init(_ parameters: TextParameters, context: EffectContext) throws {
        self.parameters = parameters
        canvas = context.canvas
        if let file = parameters.fontFile {
            let name = try context.assets.fontFamily(file)
            family = FontFamily(names: "\(name),\(parameters.fontFamily)", isFromFile: true)
        } else {
            family = FontFamily(names: parameters.fontFamily)
        }
        if let captions = parameters.captions {
            track = try CaptionTrack(captions, parameters: parameters, context: context)
        } else {
            let content = parameters.markup.map(TextContent.markup) ?? .plain(parameters.text ?? "")
            guard content.string.utf8.count <= TextContent.mostBytes else {
                throw EditorError(
                    .invalidData,
                    "the text has \(content.string.utf8.count) bytes; \(TextContent.mostBytes) are the most")
            }
            track = CaptionTrack(content, during: context.activeRange)
        }
        // A scale that grows is drawn at its largest; the canvas' size bounds what is worth drawing.
        drawingScale = min(8, max(0.05, parameters.placement.scale.keyframes.map(\.value).max() ?? 1))
        let style = TextStyle(parameters, family: family, canvas: canvas, scale: 1)
        guard style.fontSize <= 2 * Double(max(canvas.width, canvas.height)) else {
            throw EditorError(
                .invalidData,
                "fontSize is \(Int(style.fontSize)) pixels, far larger than the \(canvas) canvas; make it smaller")
        }
        try checkFonts(style, context)
        if parameters.captions == nil { try drawFirst(context) }
    }

    public var subtitles: SubtitleTrack? {
        guard parameters.soft != .no else { return nil }
        return SubtitleTrack(language: parameters.language, cues: track.sequence.map(\.subtitle))
    }

    public var surroundings: String { fonts }

    public func isIdentity(at time: EffectTime) -> Bool {
        if parameters.soft == .only { return true }
        return shownIndices(at: time).isEmpty
    }

    /// The texts that show at a time and are not blank.
    private func shownIndices(at time: EffectTime) -> [Int] {
        track.indices(at: time.time).filter { !track.cues[$0].plain.allSatisfy(\.isWhitespace) }
    }

    public func overlay(at time: EffectTime) throws -> Overlay? { try overlays(at: time).first }

    package func overlays(at time: EffectTime) throws -> [Overlay] {
        guard parameters.soft != .only else { return [] }
        return try shownIndices(at: time).compactMap { try overlay(ofContent: $0, at: time) }
    }

    private func overlay(ofContent index: Int, at time: EffectTime) throws -> Overlay? {
        // A caption comes on and goes off on its own.
        var moment = time
        guard let range = track.cues[index].range.intersection(time.activeRange) else { return nil }
        moment.activeRange = range
        guard let state = try state(ofContent: index, at: moment) else { return nil }
        let shown = try shown(state)
        return shown.placement.overlay(of: shown.picture, at: moment, canvas: canvas)
    }

    // MARK: - State

    /// What shows of a text at a moment; nil is nothing.
    private func state(ofContent index: Int, at time: EffectTime) throws -> TextState? {
        var state = TextState(content: index)
        let animation = parameters.placement.animation
        guard hasPieces else { return state }
        let plan = try plan(ofContent: index)
        let reveal = plan.placement(parameters.placement).animation
        if let ends = plan.entranceEnds, let step = reveal.entrance, let fraction = reveal.entranceFraction(at: time),
            fraction < 1
        {
            guard let end = Self.piece(of: ends, (step.easing ?? .linear).value(at: fraction)) else { return nil }
            state.revealed = end
        } else if let ends = plan.exitEnds, let step = reveal.exit, let fraction = reveal.exitFraction(at: time),
            fraction > 0
        {
            guard let end = Self.piece(of: ends, 1 - (step.easing ?? .linear).value(at: fraction)) else { return nil }
            state.revealed = end
        }
        if let spokenWords = animation.loop.flatMap({ SpokenWords(rawValue: $0.name) }) {
            let last = plan.words.last { $0.start <= time.time }
            guard let last else { return spokenWords == .wordReveal ? nil : state }
            let first = plan.words.lazy.map(\.bytes.lowerBound).min() ?? 0
            state.spoken = spokenWords == .karaoke ? first..<last.bytes.upperBound : last.bytes
            if spokenWords == .wordReveal { state.revealed = min(state.revealed ?? .max, last.bytes.upperBound) }
        }
        if let revealed = state.revealed, revealed >= plan.length { state.revealed = nil }
        return state
    }

    /// Whether the text shows in pieces or changes with its words.
    private var hasPieces: Bool {
        let animation = parameters.placement.animation
        return [animation.entrance, animation.exit].contains {
            $0.map { TextReveal(rawValue: $0.name) != nil } ?? false
        }
            || animation.loop.map { SpokenWords(rawValue: $0.name) != nil } ?? false
    }

    /// The end of the pieces that show at a fraction: from the first instant one of them.
    private static func piece(of ends: [Int], _ fraction: Double) -> Int? {
        let count = min(ends.count, Int((fraction * Double(ends.count)).rounded(.down)))
        return count > 0 ? ends[count - 1] : nil
    }

    private func plan(ofContent index: Int) throws -> RevealPlan {
        if let plan = reveals[index] { return plan }
        let cue = track.cues[index]
        let layout = try TextLayout(cue.content, style: style(ofContent: index, scale: 1))
        let plan = RevealPlan(cue: cue, layout: layout, animation: parameters.placement.animation)
        if reveals.count > 64 { reveals.removeAll(keepingCapacity: true) }
        reveals[index] = plan
        return plan
    }

    // MARK: - Drawing

    private func shown(_ state: TextState) throws -> Shown {
        if let shown = cache.value(for: state) { return shown }
        let (drawn, scale) = try draw(state)
        let shown = Shown(picture: drawn.picture, placement: try placement(of: drawn, state: state, scale: scale))
        cache.keep(shown, for: state, cost: drawn.picture.pixels.count)
        return shown
    }

    /// Draws at the drawing scale, or at a smaller one where that picture would be needlessly large.
    private func draw(_ state: TextState) throws -> (DrawnText, scale: Double) {
        var scale = drawingScale
        while true {
            let style = style(ofContent: state.content, scale: scale)
            let layout = try TextLayout(track.cues[state.content].content, style: style)
            do {
                let painter = try TextPainter(layout, style: style, mostPixels: mostPixels)
                var key = state
                key.spoken = nil
                let known = shape.flatMap { $0.key == key && $0.scale == scale ? $0.shape : nil }
                let drawn = try painter.draw(state, shape: known)
                // Only spoken words come back to a shape.
                shape = state.spoken == nil ? nil : drawn.shape.map { (key, scale, $0) }
                return (drawn.text, scale)
            } catch  where scale > 1 {
                scale = max(1, scale / 2)
            }
        }
    }

    /// The effect's look, with what the caption says itself.
    private func style(ofContent index: Int, scale: Double) -> TextStyle {
        var style = TextStyle(parameters, family: family, canvas: canvas, scale: scale)
        let standing = track.cues[index].standing
        if let alignment = standing.alignment { style.alignment = alignment }
        if let width = standing.maxWidth { style.maxWidth = min(style.maxWidth, width * Double(canvas.width) * scale) }
        return style
    }

    /// Four times the canvas, and at least a small picture.
    private var mostPixels: Int { max(4 * canvas.width * canvas.height, 512 * 512) }

    /// The placement for a drawn picture: the anchor is told of the block and becomes one of the picture; and a block
    /// that stands still stands on whole pixels.
    private func placement(of drawn: DrawnText, state: TextState, scale: Double) throws -> OverlayPlacement {
        var placement = reveals[state.content]?.placement(parameters.placement) ?? parameters.placement
        let (block, picture) = (drawn.block, drawn.picture)
        var lift =
            switch parameters.verticalAlignment {
            case .top: -0.5
            case .middle: 0.0
            case .bottom: 0.5
            }
        stand(track.cues[state.content].standing, &placement, &lift)
        var nudge = Point(0, 0)
        if placement.path == nil, placement.center.isConstant, placement.anchor.isConstant,
            placement.rotation.isConstant,
            placement.scale.isConstant,
            placement.rotation.keyframes[0].value == 0, scale == placement.scale.keyframes[0].value
        {
            let (center, anchor) = (placement.center.keyframes[0].value, placement.anchor.keyframes[0].value)
            let left = center.x * Double(canvas.width) - anchor.x * block.width
            let top = center.y * Double(canvas.height) - (anchor.y + lift) * block.height
            nudge = Point(left - left.rounded(), top - top.rounded())
        }
        placement.anchor = Animated(
            keyframes: placement.anchor.keyframes.map {
                var keyframe = $0
                keyframe.value = Point(
                    (block.x + $0.value.x * block.width + nudge.x) / Double(picture.width),
                    (block.y + ($0.value.y + lift) * block.height + nudge.y) / Double(picture.height))
                return keyframe
            })
        placement.scale = Animated(
            keyframes: placement.scale.keyframes.map {
                var keyframe = $0
                keyframe.value = $0.value / scale
                return keyframe
            })
        return placement
    }

    /// Where the caption itself says that it stands.
    private func stand(_ standing: CueStanding, _ placement: inout OverlayPlacement, _ lift: inout Double) {
        func set(_ path: WritableKeyPath<Point, Double>, _ hold: CueStanding.Hold) {
            placement.center = Self.setting(path, to: hold.canvas, in: placement.center)
            placement.anchor = Self.setting(path, to: hold.block, in: placement.anchor)
        }
        if let column = standing.column { set(\.x, column) }
        switch standing.row {
        case nil: return
        case .hold(let hold): set(\.y, hold)
        case .line(let line):
            // As high as most fonts' lines.
            let height =
                parameters.fontSize.pixels(onWidth: canvas.width) * 1.3 * parameters.lineSpacing / Double(canvas.height)
            set(
                \.y,
                line >= 0
                    ? .init(canvas: Double(line) * height, block: 0)
                    : .init(canvas: 1 + Double(line + 1) * height, block: 1))
        }
        lift = 0
    }

    private static func setting(
        _ path: WritableKeyPath<Point, Double>, to value: Double, in points: Animated<Point>
    ) -> Animated<Point> {
        Animated(
            keyframes: points.keyframes.map {
                var keyframe = $0
                keyframe.value[keyPath: path] = value
                return keyframe
            })
    }

    // MARK: - Before the first frame

    private func checkFonts(_ style: TextStyle, _ context: EffectContext) throws {
        for name in FontFamilies.missing(from: FontFamily(names: parameters.fontFamily)) {
            context.warn(
                "text.fontFamily", "no font family \"\(name)\" is installed, so another one is used",
                hint: Suggestion.nearest(to: name, in: FontFamilies.installed()).map { "did you mean \"\($0)\"?" })
        }
        // Captions are laid out when they show; here each of their letters is looked for once.
        var content = track.cues.first?.content ?? .plain("")
        if parameters.captions != nil {
            var scalars = Set<Unicode.Scalar>()
            for cue in track.cues { scalars.formUnion(cue.plain.unicodeScalars) }
            var letters = String.UnicodeScalarView()
            letters.append(contentsOf: scalars.sorted { $0.value < $1.value })
            content = .plain(String(letters))
        }
        let layout = try TextLayout(content, style: style)
        fonts = layout.faces()
        var missing = layout.missingCharacters()
        if parameters.captions != nil {
            // Joiners and selectors are only seen between others.
            missing.removeAll { $0.properties.isDefaultIgnorableCodePoint || $0.properties.isVariationSelector }
        }
        guard !missing.isEmpty else { return }
        let names = missing.prefix(20).map { "\"\($0)\" (U+\(String($0.value, radix: 16, uppercase: true)))" }
        context.warn(
            "text.missingGlyphs",
            "no font has a glyph for \(names.joined(separator: ", "))\(missing.count > 20 ? " and \(missing.count - 20) more" : "")"
                + "; the others are drawn in \(layout.families.joined(separator: ", "))",
            hint: "install a font that has them, or name one with fontFile")
    }

    /// Draws a standing text at once, so that what is wrong is told before the first frame.
    private func drawFirst(_ context: EffectContext) throws {
        guard !track.cues[0].plain.allSatisfy(\.isWhitespace) else {
            context.warn("text.empty", "the text is empty, so nothing is written")
            return
        }
        if hasPieces { _ = try plan(ofContent: 0) }
        _ = try shown(TextState())
    }
}
