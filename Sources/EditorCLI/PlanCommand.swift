internal import EditorCore
internal import EditorKit

/// `plan`: the resolved timeline.
enum PlanCommand {
    static let command = Command(
        name: "plan", usage: "", summary: "print the resolved timeline, effects and spans; render nothing",
        details: """
            Shows each clip with its exact times and frames, how it is fitted, what is put right about it, the effects
            with their times, and for each span whether a run would render it or take it from the cache.

            example:
              editor --config cfg.json plan --json
            """
    ) { invocation in
        try invocation.expectNoWords()
        let composition = try invocation.composition(isCancellable: true)
        let description = try composition.describe(
            try invocation.options(for: composition), cancellation: Process.cancellation)
        invocation.print(description.json, words: description.text)
        return ExitCode.done
    }
}
