internal import EditorCore
internal import EditorKit
internal import EditorRecording
internal import EditorWindow

/// A session's live picture in a window, with its bar, the microphone's level, and the keys. Belongs to the first
/// thread.
final class RecordingWindow {
    let board = RecordingBoard()
    /// Where the session leaves its pictures.
    let newest = LivePicture()
    private let window: PictureWindow
    private let progressColor: Color
    private let tintColor: Color
    /// nil without fonts.
    private let line = try? StatusLine()
    private let message = try? StatusLine(size: PixelSize(width: 420, height: 160))
    private let numeral = try? StatusLine(size: PixelSize(width: 400, height: 260), fontSize: 160)

    private var picture: VideoFrame?
    private var shownVersion = -1

    /// Rows under the picture: the bar, and the line with the level.
    private static let footer = 22 + StatusLine.height

    /// - Throws: `EditorError` `.unavailable` without SDL or without a display.
    init(_ configuration: Configuration) throws {
        (progressColor, tintColor) = (configuration.progressColor, configuration.tintColor)
        // A message of some lines stands over the picture.
        window = try PictureWindow(
            title: "editor record",
            size: PictureWindow.firstSize(for: configuration.renderSize, atLeast: 240, below: Self.footer))
    }

    /// The window, where one can be opened; `warn` is told when there is a display, but no window.
    static func open(_ configuration: Configuration, warn: (Finding) -> Void) -> RecordingWindow? {
        guard PictureWindow.hasDisplay else { return nil }
        do { return try RecordingWindow(configuration) } catch {
            warn(
                Finding(
                    .warning, code: "window.none",
                    "\((error as? EditorError)?.message ?? "\(error)"); recording goes on without a picture"))
            return nil
        }
    }

    /// Shows the session until it has ended.
    /// - Parameter press: called with what keys ask for.
    func run(_ session: RecordingSession, _ composer: LiveComposer, press: (RecordingCommand) -> Void) {
        while !session.hasEnded, !Process.cancellation.isCancelled {
            for event in window.events(waiting: 0.008) { handle(event, press) }
            let content = board.shown
            let new = composer.take()
            guard new != nil || content.version != shownVersion else { continue }
            if let new { picture = new }
            draw(content, segments: session.record.segments.count)
            shownVersion = content.version
        }
    }

    private func handle(_ event: WindowEvent, _ press: (RecordingCommand) -> Void) {
        switch event {
        case .closed: press(.quit)
        case .resized, .exposed: shownVersion = -1
        case .key(.character("o"), _, false): board.toggleOnionSkin()
        case .key(let key, let isShifted, let isRepeated):
            guard let command = RecordingKeys.command(for: key, isShifted: isShifted) else { return }
            // A key that is held down may zoom on, and do everything else once.
            if isRepeated { guard case .zoomBy = command else { return } }
            press(command)
        }
    }

    // MARK: Drawing

    private func draw(_ content: RecordingBoard.Content, segments: Int) {
        let whole = window.size
        let place = window.place(for: picture?.size ?? whole, below: Self.footer)
        let (boxes, words) = footer(content, segments: segments, whole)
        var overlays: [PictureWindow.Overlay] = []
        if let picture = try? line?.picture(words) {
            overlays.append(
                .init(picture, x: 30, y: whole.height - StatusLine.height + (StatusLine.height - picture.height) / 2))
        }
        if let text = content.message, let picture = try? message?.picture(text) {
            overlays.append(.init(picture, x: (whole.width - picture.width) / 2, y: 10))
        }
        if let left = content.countdown, let picture = try? numeral?.picture(String(left)) {
            overlays.append(
                .init(
                    picture, x: (whole.width - picture.width) / 2, y: place.y + (place.size.height - picture.height) / 2
                ))
        }
        window.show(picture, at: place, boxes: boxes, overlays: overlays)
    }

    private static let ground = Color(red: 64, green: 64, blue: 64)

    /// The bar with a mark where each segment ends, the level, a dot while it records; and the words beside them.
    private func footer(_ content: RecordingBoard.Content, segments: Int, _ whole: PixelSize) -> (
        boxes: [PictureWindow.Box], words: String
    ) {
        var boxes: [PictureWindow.Box] = []
        func box(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ color: Color) {
            guard width > 0 else { return }
            boxes.append(.init(x: x, y: y, size: PixelSize(width: width, height: height), color: color))
        }
        let progress = content.progress
        let (top, length) = (whole.height - Self.footer + 6, whole.width - 20)
        box(10, top, length, 12, Self.ground)
        box(10, top, Int((progress?.fraction ?? 0) * Double(length)), 12, progressColor)
        for mark in progress?.marks ?? [] { box(10 + Int(mark * Double(length)) - 3, top, 3, 12, tintColor) }

        let row = whole.height - StatusLine.height / 2
        if content.state == .inProgress { box(10, row - 7, 14, 14, tintColor) }
        let levelLength = min(140, whole.width / 4)
        if let level = progress?.level {
            // The last 60 dB; loud sound is told by its colour.
            let share = max(0, min(1, (level + 60) / 60))
            box(whole.width - 10 - levelLength, row - 5, levelLength, 10, Self.ground)
            box(
                whole.width - 10 - levelLength, row - 5, Int(share * Double(levelLength)), 10,
                level > -3 ? tintColor : Color(red: 0x31, green: 0xd3, blue: 0x66))
        }
        var words = ["\(RecordingEventText.tenths(progress?.duration ?? 0)) s"]
        if let left = progress?.secondsLeft { words.append("\(RecordingEventText.tenths(left)) left") }
        words.append("\(segments) \(segments == 1 ? "segment" : "segments")")
        return (boxes, words.joined(separator: "  "))
    }
}
