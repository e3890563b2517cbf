internal import CFFmpeg
internal import EditorCore

/// A subtitle track in the form that a container holds: 3GPP timed text in mp4 and mov, SubRip in mkv, WebVTT in webm.
struct SubtitleStream {
    /// Milliseconds.
    static let timeBase = AVRational(num: 1, den: 1000)

    let codec: AVCodecID
    /// Times in `timeBase`.
    let packets: [EncodedPacket]
    /// What stands before the first caption.
    let header: [UInt8]
    /// The room for the text, in pixels; nothing where the format has none.
    let size: PixelSize
    /// A code of three letters of ISO 639-2, as libav writes it; nil when it is not known.
    let language: String?

    init(_ track: SubtitleTrack, container: OutputFileType, canvas: PixelSize) {
        let body: (SubtitleCue) -> [UInt8]
        switch container {
        case .mkv:
            (codec, header, size) = (AV_CODEC_ID_SUBRIP, [], PixelSize(width: 0, height: 0))
            body = { Array(Self.tagged($0, escaping: false).utf8) }
        case .webm:
            (codec, header, size) = (AV_CODEC_ID_WEBVTT, [], PixelSize(width: 0, height: 0))
            body = { Array(Self.tagged($0, escaping: true).utf8) }
        default:
            let room = PixelSize(width: canvas.width, height: max(2, canvas.height / 5))
            (codec, size) = (AV_CODEC_ID_MOV_TEXT, room)
            header = Self.sampleDescription(room)
            body = Self.timedText
        }
        packets = track.cues.compactMap { cue in
            let start = cue.range.start.ticksRounded(per: Rational(1000))
            let end = cue.range.end.ticksRounded(per: Rational(1000))
            guard end > start else { return nil }
            return EncodedPacket(data: body(cue), pts: start, dts: start, duration: end - start, isKey: true)
        }
        language = track.language.flatMap(Self.code)
    }

    // MARK: Text with tags

    /// `<b>`, `<i>` and `<u>`, which both formats know. Only WebVTT has a way to write brackets as text.
    private static func tagged(_ cue: SubtitleCue, escaping: Bool) -> String {
        cue.runs.map { run in
            var text = run.text
            if escaping {
                text = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            }
            // A blank line would end the caption.
            while text.contains("\n\n") { text = text.replacing("\n\n", with: "\n") }
            for (isOn, tag) in [(run.isUnderlined, "u"), (run.isItalic, "i"), (run.isBold, "b")] where isOn {
                text = "<\(tag)>\(text)</\(tag)>"
            }
            return text
        }.joined()
    }

    // MARK: 3GPP timed text (TS 26.245)

    /// The text with its length, and a box of the stretches that have another look.
    private static func timedText(_ cue: SubtitleCue) -> [UInt8] {
        var text = Array(cue.text.utf8.prefix(65_535))
        while !text.isEmpty, String(validating: text, as: UTF8.self) == nil { text.removeLast() }
        var records: [UInt8] = []
        var count = 0
        var place = 0
        for run in cue.runs {
            let start = place
            // It counts characters.
            place += run.text.unicodeScalars.count
            let face: UInt8 = (run.isBold ? 1 : 0) | (run.isItalic ? 2 : 0) | (run.isUnderlined ? 4 : 0)
            guard face != 0, place <= 65_535 else { continue }
            records += big(start, 2) + big(place, 2) + style(face)
            count += 1
        }
        let box = count == 0 ? [] : big(10 + records.count, 4) + Array("styl".utf8) + big(count, 2) + records
        return big(text.count, 2) + text + box
    }

    /// Font 1, its size, white.
    private static func style(_ face: UInt8) -> [UInt8] { big(1, 2) + [face, 18, 255, 255, 255, 255] }

    /// Centred at the bottom of the room, over nothing, in white.
    private static func sampleDescription(_ room: PixelSize) -> [UInt8] {
        let font = Array("Sans-Serif".utf8)
        let fonts =
            big(8 + 2 + 3 + font.count, 4) + Array("ftab".utf8) + big(1, 2) + big(1, 2) + [UInt8(font.count)] + font
        let box = big(0, 2) + big(0, 2) + big(min(65_535, room.height), 2) + big(min(65_535, room.width), 2)
        return big(0, 4) + [1, 255] + [0, 0, 0, 0] + box + big(0, 2) + big(0, 2) + style(0) + fonts
    }

    private static func big(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    // MARK: Languages

    /// Codes of three letters for those of two, of the languages with most speakers; others are left out.
    private static let codes = [
        "ar": "ara", "bn": "ben", "cs": "ces", "da": "dan", "de": "deu", "el": "ell", "en": "eng", "es": "spa",
        "fa": "fas", "fi": "fin", "fr": "fra", "he": "heb", "hi": "hin", "hu": "hun", "id": "ind", "it": "ita",
        "ja": "jpn", "ko": "kor", "nl": "nld", "no": "nor", "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus",
        "sv": "swe", "ta": "tam", "te": "tel", "th": "tha", "tr": "tur", "uk": "ukr", "ur": "urd", "vi": "vie",
        "zh": "zho",
    ]

    private static func code(_ tag: String) -> String? {
        let first = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
        return first.count == 3 ? first : codes[first]
    }
}
