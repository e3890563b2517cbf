internal import EditorCore
internal import EditorKit

/// `init`: a config to start from.
enum InitCommand {
    static let command = Command(
        name: "init", usage: "CLIP…", summary: "print a starter config for these clips",
        details: """
            example:
              editor init beach.mp4 portrait.mov > cfg.json
            """
    ) { invocation in
        guard !invocation.words.isEmpty else {
            throw EditorError(.usage, "init needs clips: editor init beach.mp4 portrait.mov")
        }
        let clips = try invocation.words.map { path in
            guard let video = try MediaInspector.probe(path).video else {
                throw EditorError(.invalidData, "\(path) has no video, so it cannot be a clip")
            }
            let value: JSONValue = video.isStill ? ["path": .string(path), "duration": 3] : .string(path)
            let length = video.isStill ? "a still" : "\(video.duration) s"
            return "    \(value.text()),  // \(video.displayedSize.width)×\(video.displayedSize.height), \(length)"
        }
        let text =
            """
            {
              // The clips, in order: paths, relative to this file.
              "assetArray": [
            \(clips.joined(separator: "\n"))
              ],
              "renderSize": {"width": 1080, "height": 1920},
              "frameRate": 30,
              "videoGravity": "fitWidth",  // or resizeAspect, resizeAspectFill, resize, resizeAspectBlur
              "effects": [
                {"type": "beauty", "smooth": 0.4},
                {"type": "text", "text": "Hello 👋", "center": [0.5, 0.85], "fontSize": 0.07},
                // {"type": "sticker", "image": "star.png", "center": [0.2, 0.2], "width": 0.2},
                // {"type": "music", "source": "song.mp3", "volume": 0.5, "fadeOut": 1, "duck": true},
              ],
            }
            """
        try invocation.print(try ConfigurationDocument(text, name: "the starter config").value, words: text)
        return ExitCode.done
    }
}

/// `schema`: the config's JSON Schema.
enum SchemaCommand {
    static let command = Command(
        name: "schema", usage: "[--markdown config|effects]",
        summary: "print the config's JSON Schema, the effects' parameters in it",
        details: """
            For editors that complete and check JSON. Effects of further modules are in it too. With --markdown the same
            for people: the reference of the config, or of the effects.

            examples:
              editor schema > editor.schema.json
              editor schema --markdown effects > effects.md
            """
    ) { invocation in
        try invocation.expectNoWords()
        if let name = invocation.arguments.value("markdown") {
            guard let page = ReferencePage(rawValue: name) else {
                throw EditorError(.usage, "--markdown \"\(name)\" is none of config, effects")
            }
            invocation.terminal.print(page.text(invocation.registry))
            return ExitCode.done
        }
        invocation.terminal.print(ConfigurationSchema.schema(registry: try invocation.wholeRegistry()).text(indent: 2))
        return ExitCode.done
    }
}
