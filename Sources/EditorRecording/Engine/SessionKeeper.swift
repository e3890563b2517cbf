internal import EditorCore
internal import Glibc

/// A session's record and its file, which follows every change. Belongs to one thread.
final class SessionKeeper {
    var record: SessionRecord
    private let store: SessionStore
    private let publish: @Sendable (SessionRecord) -> Void
    private let teller: EventTeller

    init(
        _ record: SessionRecord, store: SessionStore, publish: @escaping @Sendable (SessionRecord) -> Void,
        teller: EventTeller
    ) {
        (self.record, self.store, self.publish, self.teller) = (record, store, publish, teller)
    }

    /// What the session is while nothing is recorded.
    var restingState: RecordingState {
        if let left = record.left, left < record.frameRate.duration(ofTicks: 1) { return .stop }
        return record.segments.isEmpty ? .idle : .pause
    }

    /// - Throws: `EditorError` that names the session's file.
    func change(to state: RecordingState) throws {
        record.state = state
        defer { teller.report(.state(state)) }
        try save()
    }

    /// Back to where nothing is recorded; a file that cannot be written is told of.
    func rest() {
        do { try change(to: restingState) } catch { teller.fail(error) }
    }

    /// - Throws: `EditorError` that names the session's file.
    func save() throws {
        publish(record)
        try store.save(record)
    }

    /// Takes the last `count` segments out, and deletes their files.
    func deleteLast(_ count: Int) {
        let segments = record.segments.suffix(count)
        record.segments.removeLast(segments.count)
        record.updateShares()
        // The session's file first: a crash in between leaves a file too much and never a segment without its file.
        rest()
        for segment in segments {
            if unlink(segment.path) != 0, errno != ENOENT {
                teller.warn(
                    "recording.delete", "\(segment.path) could not be deleted: \(String(cString: strerror(errno)))")
            }
            teller.report(.segmentDeleted(path: segment.path))
        }
    }
}
