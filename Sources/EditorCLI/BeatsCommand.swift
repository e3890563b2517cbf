internal import EditorCore
internal import EditorKit

/// `beats`: where the beats of a piece of music are.
enum BeatsCommand {
    static let command = Command(
        name: "beats", usage: "FILE", summary: "find the tempo and the beats of a piece of music",
        details: """
            Prints the tempo, then the time of each beat in seconds from the file's beginning. FILE may be an address on
            the web. In a config, "cutTo": "beats" moves the joints of clips to the beats of the music.

            examples:
              editor beats song.mp3
              editor beats song.mp3 --json
            """
    ) { invocation in
        guard invocation.words.count == 1 else {
            throw EditorError(.usage, "beats needs one file: editor beats song.mp3")
        }
        var options = Composition.Options()
        try invocation.setWeb(of: &options)
        Process.cancelOnSignals()
        let track = try MediaInspector.beats(
            invocation.words[0], options: options, cancellation: Process.cancellation)
        func rounded(_ value: Double, _ places: Double) -> Double { (value * places).rounded() / places }
        let tempo = track.tempo.map { rounded($0, 100) }
        let times = track.times.map { rounded($0, 1000) }
        if invocation.wantsJSON {
            let result: JSONValue = [
                "path": .string(invocation.words[0]), "tempo": tempo.map { .number($0) } ?? .null,
                "beats": .array(times.map { .number($0) }),
            ]
            invocation.terminal.print(result.text(indent: 2))
        } else {
            let words = tempo.map { "tempo \(JSONValue.number($0).text()) beats a minute" } ?? "no tempo"
            invocation.terminal.print("\(words), \(times.count) beats")
            for time in times { invocation.terminal.print(JSONValue.number(time).text()) }
        }
        return ExitCode.done
    }
}
