internal import EditorCore

/// Finds the factor that brings a movie's sound to its loudness target, on a thread of its own while the movie plays.
final class LevelSearch {
    private let cancellation = Cancellation()
    private let thread: WorkerThread

    /// - Parameter found: called once, on that thread, unless this object goes first or the sound cannot be measured:
    ///   then it cannot be played either, and is told of there.
    init(_ plan: RenderPlan, library: any MediaLibrary, found: @escaping @Sendable (Double) -> Void) throws {
        let library = InterruptibleLibrary(library, cancellation: cancellation)
        thread = try WorkerThread { [cancellation] in
            let pass = LoudnessPass(plan, library: library) {
                try cancellation.check()
                return false
            }
            if let level = try? pass.level() { found(level) }
        }
    }

    deinit {
        cancellation.cancel()
        thread.join()
    }
}
