internal import EditorCore

/// Says what happens, in a session's events. Safe on any thread.
struct EventTeller: Sendable {
    let report: @Sendable (RecordingEvent) -> Void

    func warn(_ code: String, _ message: String) {
        report(.finding(Finding(.warning, code: code, message)))
    }

    func fail(_ error: any Error) {
        report(.failure(error as? EditorError ?? EditorError(.internalBug, "\(error)")))
    }
}
