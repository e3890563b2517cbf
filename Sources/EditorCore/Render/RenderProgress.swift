internal import Synchronization

/// Counts finished frames from all workers and tells the caller now and then.
final class RenderProgress: Sendable {
    private let frames: Int
    private let report: @Sendable (RenderEvent) -> Void
    private let start = ContinuousClock.now
    private let state: Mutex<(done: Int, rendered: Int, lastReport: ContinuousClock.Instant?)>
    /// Reports come at most this often.
    private static let interval = Duration.milliseconds(100)

    /// - Parameter cached: frames that need not be rendered.
    init(frames: Int, cached: Int, report: @escaping @Sendable (RenderEvent) -> Void) {
        self.frames = frames
        self.report = report
        state = Mutex((cached, 0, nil))
    }

    /// Tells where things stand, without waiting for a frame.
    func tell() { add(0) }

    func add(_ count: Int) {
        state.withLock { state in
            state.done += count
            state.rendered += count
            let now = ContinuousClock.now
            if let last = state.lastReport, now - last < Self.interval, state.done < frames { return }
            state.lastReport = now
            // Under the lock, so that fractions never fall; the caller's closure must not render.
            report(.progress(progress(state.done, state.rendered, now)))
        }
    }

    private func progress(_ done: Int, _ rendered: Int, _ now: ContinuousClock.Instant) -> RenderEvent.Progress {
        let seconds = (now - start) / .seconds(1)
        let speed = seconds > 0 ? Double(rendered) / seconds : 0
        return RenderEvent.Progress(
            fraction: min(1, Double(done) / Double(max(1, frames))), frame: done, frames: frames,
            framesPerSecond: speed,
            secondsLeft: speed > 0 ? Double(frames - done) / speed : nil)
    }
}
