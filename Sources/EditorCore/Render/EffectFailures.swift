/// A module that is not the editor's own broke: it crashed, hung, gave back garbage or threw.
package struct ModuleFailure: Error, CustomStringConvertible {
    /// What happened, as the end of a sentence whose subject is the effect: "crashed (signal 11)".
    package var description: String

    package init(_ description: String) { self.description = description }
}

/// What becomes of the failures of effects on one thread: the end of the render, or a warning.
final class EffectFailures {
    /// The warnings since they were last taken.
    private var warnings: [Finding] = []

    /// Turns a failure into the error that ends the render, unless the render goes on without the effect.
    /// - Parameter place: where it happened: "at frame 12 (0.4 s)".
    func take(_ error: any Error, of id: String, at pointer: JSONPointer, place: String, isSkipped: Bool) throws {
        let told: EditorError =
            switch error {
            case let failure as ModuleFailure:
                EditorError(.unavailable, "\(pointer): the effect \(id) \(failure) \(place)")
            case let known as EditorError: known
            default: EditorError(.internalBug, "\(pointer): the effect \(id) failed \(place): \(error)")
            }
        guard isSkipped else { throw told }
        let what = error is ModuleFailure ? "\(error)" : "failed: \(told.message)"
        warnings.append(
            Finding(
                .warning, cause: .unavailable, code: "effect.skipped", at: pointer,
                "the effect \(id) \(what) \(place); the render goes on without it"))
    }

    /// The warnings since the last call.
    func drain() -> [Finding] {
        defer { warnings = [] }
        return warnings
    }
}
