internal import EditorCore
internal import EditorKit

/// `run`: renders the movie.
enum RunCommand {
    static let command = Command(
        name: "run", usage: "", summary: "render the composition to a movie and print its path",
        details: """
            The movie appears under its name when it is complete, and not before. What was rendered is kept: the same
            command after an interruption goes on where it stopped, and after a change only what the change touches is
            rendered again.

            examples:
              editor --config cfg.json run --output movie.mp4
              editor --config cfg.json run --output clip.mp4 --from 1.5 --to 00:04 --draft
              editor --config cfg.json run --set frameRate=60 --set effects.0.smooth=0.8 --overwrite
            """
    ) { invocation in
        try invocation.expectNoWords()
        let composition = try invocation.composition(isCancellable: true)
        let style = try progressStyle(invocation)
        let reporter = ProgressReporter(
            style, terminal: invocation.terminal, color: composition.configuration.progressColor)
        let result = try composition.render(
            try invocation.options(for: composition), cancellation: Process.cancellation, report: reporter.report)
        return try deliver(result, of: composition, invocation)
    }

    /// Tells of a finished movie, and hands it to `returnBlock`.
    static func deliver(_ result: RenderResult, of composition: Composition, _ invocation: Invocation) throws -> Int32 {
        invocation.print(json(result), words: result.path)
        try callBack(
            composition, path: result.path, isAllowed: invocation.arguments.has("allow-commands"), invocation.terminal)
        return ExitCode.done
    }

    static func progressStyle(_ invocation: Invocation) throws -> ProgressReporter.Style {
        guard let word = invocation.arguments.value("progress") else { return .auto }
        guard let style = ProgressReporter.Style(rawValue: word) else {
            throw EditorError(.usage, "--progress \"\(word)\" is none of auto, bar, json, none")
        }
        return style
    }

    private static func json(_ result: RenderResult) -> JSONValue {
        [
            "status": "completed", "path": .string(result.path), "duration": .number(result.duration),
            "frames": .number(Double(result.frames)), "width": .number(Double(result.size.width)),
            "height": .number(Double(result.size.height)), "frameRate": .number(result.frameRate.doubleValue),
            "videoCodec": result.videoCodec.map { .string($0) } ?? .null,
            "audioCodec": result.audioCodec.map { .string($0) } ?? .null,
            "spans": [
                "total": .number(Double(result.spansTotal)), "rendered": .number(Double(result.spansRendered)),
                "cached": .number(Double(result.spansCached)), "copied": .number(Double(result.spansCopied)),
            ],
            "loudness": result.loudness.map(json) ?? .null,
            "wallSeconds": .number((result.wallSeconds * 1000).rounded() / 1000),
            "warnings": .array(result.warnings.map(CheckCommand.json)),
        ]
    }

    /// LUFS and dBTP to a hundredth; null where there is nothing to measure.
    private static func json(_ reading: LoudnessReading) -> JSONValue {
        func number(_ value: Double?) -> JSONValue { value.map { .number(($0 * 100).rounded() / 100) } ?? .null }
        return ["integrated": number(reading.integrated), "truePeak": number(reading.truePeak)]
    }

    /// `returnBlock`: the finished path handed to a program.
    private static func callBack(_ composition: Composition, path: String, isAllowed: Bool, _ terminal: Terminal) throws
    {
        guard let block = composition.configuration.returnBlock, !block.command.isEmpty else { return }
        guard isAllowed else {
            terminal.tell(
                Finding(
                    .warning, code: "returnBlock.notAllowed", at: JSONPointer(["returnBlock"]),
                    "the command of returnBlock was not run", hint: "add --allow-commands if you trust this config"))
            return
        }
        let arguments = block.command.map {
            $0.split(separator: "{path}", omittingEmptySubsequences: false).joined(separator: path)
        }
        let status = try Process.run(arguments)
        guard status == 0 else {
            throw EditorError(.ioFailed, "returnBlock's command \"\(arguments[0])\" ended with status \(status)")
        }
    }
}
