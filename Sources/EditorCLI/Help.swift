internal import EditorCore

/// The words of `--help`, made from the commands and options themselves.
enum Help {
    static let rendering = ["run", "check", "plan", "preview", "frame", "thumbnails", "render-audio", "waveform"]

    /// Commands that write pictures.
    private static let pictures = ["frame", "thumbnails"]

    private static let recording = ["record"]
    /// Commands that fetch music and pictures from the web.
    static let fetching = rendering + recording + ["beats", "music"]

    static let options: [Arguments.Option] = [
        .init("config", "FILE", "the composition; - is standard input"),
        .init(
            "output", "FILE", "where the result goes",
            for: ["run", "plan", "check", "frame", "thumbnails", "render-audio", "waveform", "record", "effects"]),
        .init(
            "overwrite", nil, "replace an existing output",
            for: ["run", "check", "frame", "thumbnails", "render-audio", "waveform", "record"]),
        .init("from", "T", "start of the part to render, in place of selectTimeRange", for: rendering),
        .init("to", "T", "end of the part to render", for: rendering),
        .init("set", "KEY.PATH=VALUE", "override one value of the config; may be repeated", for: rendering + recording),
        .init("draft", nil, "half size, fast encoding", for: rendering + recording),
        .init(
            "jobs", "N", "spans rendered side by side; default one a core",
            for: ["run", "plan", "check"] + pictures + recording),
        .init(
            "no-cache", nil, "neither use nor keep rendered spans and pictures",
            for: ["run", "plan"] + pictures + recording),
        .init("offline", nil, "fetch nothing from the web; use what the cache holds", for: fetching),
        .init(
            "allow-private-addresses", nil, "let files be fetched from this machine and private networks too",
            for: fetching),
        .init("download-timeout", "SECONDS", "how long fetching a file may take; default 300", for: fetching),
        .init("download-limit", "MB", "how large a fetched file may be; default 200", for: fetching),
        .init("allow-commands", nil, "let the config's returnBlock run its command", for: ["run"] + recording),
        .init("at", "T", "time of a picture; may be repeated", for: pictures + ["preview"]),
        .init("watch", nil, "read the config again whenever its file changes", for: ["preview"]),
        .init("guides", nil, "show what the players' buttons and captions cover", for: ["frame"]),
        .init("count", "N", "number of thumbnails", for: ["thumbnails"]),
        .init("every", "T", "distance of thumbnails", for: ["thumbnails"]),
        .init("width", "PIXELS", "width of each picture", for: pictures + ["waveform"]),
        .init("source", "FILE", "pictures of a media file, in place of --config", for: pictures),
        .init("fast", nil, "the nearest key frames of the clips: other pictures, sooner", for: pictures),
        .init("labels", nil, "write its time on each picture", for: pictures),
        .init("format", "png|jpg|webp", "of the pictures in a folder", for: pictures),
        .init("markdown", "PAGE", "the reference as Markdown: config, effects", for: ["schema"]),
        .init("kind", "KIND", "kind of the new effect: video, overlay, audio, transition", for: ["effects"]),
        .init("progress", "auto|bar|json|none", "how progress is told on standard error", for: ["run"] + recording),
        .init("device", "CAMERA", "the camera: /dev/video0, or part of its name", for: recording),
        .init("size", "WxH", "size of the camera's pictures; default what suits the canvas", for: recording),
        .init("rate", "N", "pictures a second of the camera; default 30 or what is nearest", for: recording),
        .init("camera-format", "FORMAT", "how the camera gives them: nv12, yuyv, mjpeg, …", for: recording),
        .init("microphone", "NAME", "the microphone by ALSA's name, or none", for: recording),
        .init("speaker", "NAME", "where music and countdown are heard, by ALSA's name, or none", for: recording),
        .init("no-window", nil, "show no live picture where there is a display", for: recording),
        .init("resume", nil, "go on with a session: the one named, or the latest", for: recording),
        .init("list", nil, "list the sessions", for: recording),
        .init("photo", "FILE", "take one picture: .png, .jpg or .webp", for: recording),
        .init("flash", "off|on|auto", "light for the photo", for: recording),
        .init("json", nil, "the result as JSON on standard output"),
        .init("strict", nil, "treat warnings as errors", for: rendering),
        .init("quiet", nil, "say nothing but errors"),
        .init("verbose", nil, "say more (-v)"),
        .init("version", nil, "print the version"),
        .init("help", nil, "print help, of a command too"),
    ]

    static var overview: String {
        var lines = [
            "editor makes short videos from a config: clips, stickers, text, beauty, music.", "",
            "usage: editor [--config FILE] [options] COMMAND …", "",
        ]
        let width = EditorCommand.commands.map(\.name.count).max() ?? 0
        for command in EditorCommand.commands {
            lines.append(
                "  \(command.name)\(String(repeating: " ", count: width - command.name.count))  \(command.summary)")
        }
        lines += [
            "", "to start:", "  editor init clip.mp4 > cfg.json", "  editor --config cfg.json run --output movie.mp4",
            "",
        ]
        lines += ["editor COMMAND --help tells more. Times are seconds (2.5), mm:ss.s, or frames (75f)."]
        return lines.joined(separator: "\n")
    }

    /// - Throws: `EditorError` for a command that there is not.
    static func text(for name: String?) throws -> String {
        guard let name else { return overview + "\n\noptions:\n" + table(options) }
        guard let command = EditorCommand.commands.first(where: { $0.name == name }) else {
            throw EditorError(
                .usage,
                "unknown command \"\(name)\"; \(Suggestion.hint(for: name, in: EditorCommand.commands.map(\.name)))")
        }
        let own = options.filter { $0.commands?.contains(name) ?? true }
        let needsConfig = (rendering + ["music"]).contains(name) ? "--config FILE " : ""
        return [
            "usage: editor \(needsConfig)\(name) \(command.usage)".trimmed, "", command.summary, "", command.details,
            "", "options:",
            table(own),
        ].joined(separator: "\n")
    }

    private static func table(_ options: [Arguments.Option]) -> String {
        let names = options.map { "  --\($0.name)" + ($0.value.map { " \($0)" } ?? "") }
        let width = names.map(\.count).max() ?? 0
        return zip(names, options).map { name, option in
            name + String(repeating: " ", count: width - name.count) + "  " + option.help
        }.joined(separator: "\n")
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
