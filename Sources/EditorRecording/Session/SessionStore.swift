public import EditorCore
internal import EditorMedia
internal import Glibc

/// The folder that session files lie in.
public struct SessionStore: Sendable {
    public let folder: String

    /// - Parameter folder: made with the first session.
    public init(folder: String) { self.folder = folder }

    private static let ending = ".session.json"

    /// The file of a session.
    public func path(of id: String) -> String { "\(folder)/\(id)\(Self.ending)" }

    /// A name for a new session: the time, and a number that no other session has.
    public func freshID() -> String {
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        var buffer = [CChar](repeating: 0, count: 32)
        strftime(&buffer, buffer.count, "%Y%m%d-%H%M%S", &parts)
        let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        while true {
            let id = "\(name)-\(Int.random(in: 1000...9999))"
            if access(path(of: id), F_OK) != 0 { return id }
        }
    }

    /// Writes a session's file, whole and safe on the disk.
    /// - Throws: `EditorError` that names the file.
    public func save(_ record: SessionRecord) throws {
        try FileBytes.makeFolder(folder)
        try FileBytes.write(Array((record.json.text(indent: 2) + "\n").utf8), to: path(of: record.id))
        // The new name is on the disk only with its folder.
        FileBytes.flushFolder(folder)
    }

    /// - Parameter name: a session's id, or the path of its file; nil is the latest.
    /// - Throws: `EditorError` that names it.
    public func load(_ name: String?) throws -> SessionRecord {
        guard let name else {
            guard let latest = list().max(by: { $0.created < $1.created }) else {
                throw EditorError(
                    .missingInput, "there is no session to go on with in \(folder); editor record begins one")
            }
            return latest
        }
        let path = name.contains("/") || name.hasSuffix(".json") ? name : path(of: name)
        guard let bytes = try? FileBytes.read(path, limit: 16 << 20) else {
            throw EditorError(
                .missingInput, "there is no session \(name) (\(path)); editor record --list shows what there is")
        }
        guard let json = try ConfigurationDocument.parse(utf8: bytes, name: path) else {
            throw EditorError(.invalidData, "\(path) is empty")
        }
        return try SessionRecord(json, path: path)
    }

    /// All sessions, oldest first; files that are none are passed over.
    public func list() -> [SessionRecord] {
        FileBytes.names(in: folder).filter { $0.hasSuffix(Self.ending) }
            .compactMap { try? load("\(folder)/\($0)") }
            .sorted { $0.created < $1.created }
    }

    /// Puts right what a crash left: the segment that was running is taken in as far as it can be read, and segments
    /// whose files are gone are left out.
    /// - Returns: what was done, for the user.
    public func recover(_ record: inout SessionRecord) -> [Finding] {
        var findings: [Finding] = []
        let missing = record.segments.filter { access($0.path, R_OK) != 0 }
        for segment in missing {
            findings.append(
                Finding(
                    .warning, code: "session.segmentMissing",
                    "the segment \(segment.path) is gone; the session goes on without it"))
        }
        record.segments.removeAll { missing.contains($0) }
        if let running = record.running {
            record.running = nil
            let media = FileMediaLibrary(baseDirectory: "/", aliases: [:])
            if let video = try? media.probe(running.path).video, video.duration > .zero {
                let frames = max(1, Int(video.duration.ticksRounded(per: record.frameRate)))
                var segment = RecordedSegment(
                    path: running.path,
                    duration: record.frameRate.duration(ofTicks: Int64(frames)) / running.speed, frameCount: frames,
                    camera: running.camera)
                segment.speed = running.speed
                segment.musicTime = running.musicTime
                segment.isRecovered = true
                record.append(segment)
                findings.append(
                    Finding(
                        .warning, code: "session.recovered",
                        "the segment \(running.path) was not ended; the \(video.duration) s that were written are kept")
                )
            } else if unlink(running.path) == 0 {
                findings.append(
                    Finding(
                        .warning, code: "session.recovered",
                        "the segment \(running.path) was ended before anything was written, and is left out"))
            }
        }
        record.updateShares()
        if record.state == .inProgress { record.state = record.segments.isEmpty ? .idle : .pause }
        return findings
    }
}
