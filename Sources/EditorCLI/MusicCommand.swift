internal import EditorCore
internal import EditorKit

/// `music`: what the config offers, and whether it is here.
enum MusicCommand {
    static let command = Command(
        name: "music", usage: "list | fetch",
        summary: "list the music that the config offers, or fetch it from the web",
        details: """
            list tells for each entry of recommendMusicList, and for its cover, whether the file is on this machine
            (local) or still on the web. fetch brings what is missing into the cache, where renders find it.

            examples:
              editor --config cfg.json music list --json
              editor --config cfg.json music fetch
            """
    ) { invocation in
        guard invocation.words.count == 1, ["list", "fetch"].contains(invocation.words[0]) else {
            throw EditorError(.usage, "music needs one word: list or fetch")
        }
        let composition = try invocation.composition(requiresClips: false)
        var options = Composition.Options()
        try invocation.setWeb(of: &options)
        Process.cancelOnSignals()
        let offered = try composition.offeredMusic(
            fetches: invocation.words[0] == "fetch", options: options, cancellation: Process.cancellation)
        if invocation.wantsJSON {
            invocation.terminal.print(JSONValue.array(offered.map(json)).text(indent: 2))
        } else {
            for (index, music) in offered.enumerated() {
                invocation.terminal.print("\(index). \(music.title ?? "without a title")")
                for (name, file) in [("music", music.music), ("cover", music.cover)] {
                    if let file {
                        invocation.terminal.print("   \(name): \(file.state.rawValue), \(file.path ?? file.source)")
                    }
                }
            }
        }
        let failures = offered.flatMap { [$0.music?.failure, $0.cover?.failure] }.compactMap { $0 }
        for failure in failures { invocation.terminal.tell(failure) }
        return failures.first.map { ExitCode.code(for: $0.kind) } ?? ExitCode.done
    }

    private static func json(_ music: OfferedMusic) -> JSONValue {
        func describe(_ file: OfferedMusic.File?) -> JSONValue {
            guard let file else { return .null }
            return [
                "source": .string(file.source), "state": .string(file.state.rawValue),
                "path": file.path.map { .string($0) } ?? .null,
                "error": file.failure.map { .string($0.message) } ?? .null,
            ]
        }
        return [
            "musicTitle": music.title.map { .string($0) } ?? .null, "music": describe(music.music),
            "cover": describe(music.cover),
        ]
    }
}
