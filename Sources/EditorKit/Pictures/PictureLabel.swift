internal import EditorCore
internal import EditorMedia
internal import TextEffects

/// Writes a line of text, such as a time, onto pictures of one size: white on a dark box at the lower edge.
struct PictureLabel {
    private let context: EffectContext
    private let renderer: OverlayRenderer
    private let descriptor: EffectDescriptor
    private let fontSize: Int

    /// - Parameter fontSize: pixels; nil is a part of the picture's size.
    /// - Throws: `EditorError` when there are no fonts.
    init(size: PixelSize, fontSize: Int? = nil) throws {
        let whole = TimeRange(start: .zero, duration: MediaTime(seconds: 1))
        context = EffectContext(
            canvas: size, frameRate: Rational(30), duration: whole.duration, activeRange: whole,
            assets: FileMediaLibrary(baseDirectory: "").assets)
        renderer = OverlayRenderer(canvas: size)
        guard let text = TextModule.effects.first(where: { $0.id == "text" }) else {
            throw EditorError(.internalBug, "the text module has no text")
        }
        descriptor = text
        self.fontSize = fontSize ?? max(8, min(size.width / 9, size.height / 6))
    }

    /// Draws `0:02.50` for two and a half seconds.
    func draw(_ time: MediaTime, onto picture: inout VideoFrame) throws {
        try draw(Self.clock(time), onto: &picture)
    }

    func draw(_ text: String, onto picture: inout VideoFrame) throws {
        guard let overlay = try overlay(text) else { return }
        renderer.draw(overlay, onto: &picture)
    }

    /// The line as a picture and its place.
    func overlay(_ text: String) throws -> Overlay? {
        let parameters: JSONValue = [
            "text": .string(text), "fontFamily": "DejaVu Sans Mono, monospace", "fontSize": .string("\(fontSize)px"),
            "center": [0.5, 0.97], "verticalAlignment": "bottom", "backgroundColor": "000000a0",
        ]
        var reading = ParameterReading()
        guard let prepared = descriptor.prepare(parameters, JSONPointer(), &reading),
            case .overlay(let effect) = try prepared.make(context)
        else { throw EditorError(.internalBug, "a label cannot be made") }
        return try effect.overlay(at: EffectTime(time: .zero, index: 0, activeRange: context.activeRange))
    }

    /// Minutes, seconds and hundredths, as in `0:02.50`.
    static func clock(_ time: MediaTime) -> String {
        let hundredths = Int(time.ticksRoundedDown(per: Rational(100)))
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return "\(hundredths / 6000):\(two(hundredths / 100 % 60)).\(two(hundredths % 100))"
    }
}
