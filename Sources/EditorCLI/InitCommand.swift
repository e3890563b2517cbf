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
        let clips = invocation.words.map { path in
            let note = (try? MediaInspector.probe(path)).flatMap(\.video).map {
                "  // \($0.displayedSize.width)×\($0.displayedSize.height)\($0.isStill ? ", a still" : ", \($0.duration) s")"
            }
            let isStill = note?.hasSuffix("a still") ?? false
            let value: JSONValue = isStill ? ["path": .string(path), "duration": 3] : .string(path)
            return "    " + value.text() + "," + (note ?? "  // could not be read")
        }
        invocation.terminal.print(
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
            """)
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
        invocation.terminal.print(ConfigurationSchema.schema(registry: invocation.registry).text(indent: 2))
        return ExitCode.done
    }
}
