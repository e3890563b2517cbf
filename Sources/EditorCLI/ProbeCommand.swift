internal import EditorCore
internal import EditorKit

/// `probe`: what the editor sees in files.
enum ProbeCommand {
    static let command = Command(
        name: "probe", usage: "FILE…", summary: "show what the editor sees in media files and what it would put right",
        details: """
            Displayed size after rotation and pixel shape, kind of frame rate, exact length of each stream, colours.

            example:
              editor probe clip.mov --json
            """
    ) { invocation in
        guard !invocation.words.isEmpty else { throw EditorError(.usage, "probe needs a file: editor probe clip.mov") }
        var results: [JSONValue] = []
        var failure: EditorError?
        for path in invocation.words {
            do {
                let info = try MediaInspector.probe(path)
                if invocation.wantsJSON { results.append(json(info)) } else { invocation.terminal.print(text(info)) }
            } catch let error as EditorError {
                // Here a file that is no media is an input that cannot be read, as there is no config to be wrong.
                let kind = error.kind == .invalidData ? .missingInput : error.kind
                let error = EditorError(kind, error.message, findings: error.findings)
                if failure == nil { failure = error } else { invocation.terminal.tell(error) }
            }
        }
        if invocation.wantsJSON {
            invocation.terminal.print(
                (results.count == 1 && invocation.words.count == 1 ? results[0] : .array(results)).text(indent: 2))
        }
        if let failure { throw failure }
        return ExitCode.done
    }

    private static func text(_ info: MediaInfo) -> String {
        var lines = ["\(info.path): \(info.container)"]
        if let video = info.video {
            let rate = video.frameRate.map {
                "\(decimal($0.doubleValue)) frames/s \(video.isVariableRate ? "variable" : "constant")"
            }
            let count = video.frameCount.map { ", \($0) frames" } ?? ""
            let length = video.isStill ? "still image" : "\(video.duration) s\(count), \(rate ?? "unknown rate")"
            lines.append(
                "  video: \(video.codec) \(video.pixelFormat), shown \(video.displayedSize.width)x\(video.displayedSize.height), \(length)"
            )
            lines.append(
                "    stored \(video.storedSize.width)x\(video.storedSize.height), pixel shape \(video.pixelAspect), "
                    + "\(video.orientation.rawValue)\(video.isInterlaced ? ", interlaced" : "")\(video.hasAlpha ? ", alpha" : "")"
            )
            lines.append("    first picture at \(video.firstTimestamp) s of the file's clock")
            let color = video.color
            lines.append(
                "    colour: matrix \(color.matrix.rawValue)\(color.isTagged ? "" : " (guessed)"), "
                    + "\(color.isFullRange ? "full" : "limited") range, transfer \(color.transfer.rawValue), primaries \(color.primaries.rawValue)"
            )
        } else {
            lines.append("  no video")
        }
        for (index, audio) in info.audio.enumerated() {
            let length = audio.duration.map { "\($0) s" } ?? "unknown length"
            lines.append(
                "  audio \(index): \(audio.codec) \(audio.sampleRate) Hz \(audio.layout), \(audio.isEmpty ? "empty" : length), starts at \(audio.start) s"
            )
        }
        if info.audio.isEmpty { lines.append("  no audio: silence") }
        for finding in info.normalisations { lines.append("  \(finding.code): \(finding.message)") }
        return lines.joined(separator: "\n")
    }

    private static func decimal(_ value: Double) -> String { JSONValue.number((value * 1000).rounded() / 1000).text() }

    private static func json(_ info: MediaInfo) -> JSONValue {
        var result: [String: JSONValue] = [
            "path": .string(info.path), "container": .string(info.container), "video": .null,
            "audio": .array(
                info.audio.map { audio in
                    [
                        "codec": .string(audio.codec), "sampleRate": .number(Double(audio.sampleRate)),
                        "channels": .number(Double(audio.channelCount)), "layout": .string(audio.layout),
                        "start": .number(audio.start.seconds),
                        "duration": audio.duration.map { .number($0.seconds) } ?? .null,
                        "isEmpty": .bool(audio.isEmpty),
                    ]
                }),
            "normalisations": .array(info.normalisations.map(CheckCommand.json)),
        ]
        if let video = info.video {
            result["video"] = [
                "codec": .string(video.codec), "pixelFormat": .string(video.pixelFormat),
                "width": .number(Double(video.displayedSize.width)),
                "height": .number(Double(video.displayedSize.height)),
                "storedWidth": .number(Double(video.storedSize.width)),
                "storedHeight": .number(Double(video.storedSize.height)),
                "pixelAspect": .string(video.pixelAspect.description),
                "orientation": .string(video.orientation.rawValue),
                "duration": .number(video.duration.seconds),
                "frames": video.frameCount.map { .number(Double($0)) } ?? .null,
                "frameRate": video.frameRate.map { .number($0.doubleValue) } ?? .null,
                "rateKind": .string(video.isStill ? "still" : video.isVariableRate ? "variable" : "constant"),
                "firstTimestamp": .number(video.firstTimestamp.seconds), "hasAlpha": .bool(video.hasAlpha),
                "isInterlaced": .bool(video.isInterlaced),
                "color": [
                    "matrix": .string(video.color.matrix.rawValue), "isTagged": .bool(video.color.isTagged),
                    "range": .string(video.color.isFullRange ? "full" : "limited"),
                    "transfer": .string(video.color.transfer.rawValue),
                    "primaries": .string(video.color.primaries.rawValue),
                ],
            ]
        }
        return .object(result)
    }
}
