import EditorCore
import EditorRecording
import Foundation
import Testing

/// The session's file.
@Suite struct SessionRecordTests {
    private func segment(_ number: Int, frames: Int, speed: Rational = .one) -> RecordedSegment {
        var segment = RecordedSegment(
            path: "/tmp/s\(number).mp4", duration: Rational(30).duration(ofTicks: Int64(frames)) / speed,
            frameCount: frames, camera: "camera /dev/video0 (Back Camera)")
        segment.speed = speed
        return segment
    }

    private func record() -> SessionRecord {
        var record = SessionRecord(
            id: "a", created: 1, limit: MediaTime(seconds: 15), size: PixelSize(width: 640, height: 480),
            frameRate: Rational(30), configPath: "/x/cfg.json")
        record.append(segment(1, frames: 90))
        record.append(segment(2, frames: 120, speed: Rational(2)))
        return record
    }

    /// Three seconds, and four that play in two: a fifth and two fifteenths of 15 s.
    @Test func sharesAreOfTheLongestRecording() {
        let segments = record().segments
        #expect(segments.map(\.duration) == [MediaTime(seconds: 3), MediaTime(seconds: 2)])
        #expect(zip(segments.map(\.durationWeight), [3.0 / 15, 2.0 / 15]).allSatisfy { abs($0 - $1) < 1e-12 })
        #expect(zip(segments.map(\.progress), [3.0 / 15, 5.0 / 15]).allSatisfy { abs($0 - $1) < 1e-12 })
        #expect(record().left == MediaTime(seconds: 10))
    }

    @Test func theFileSaysEverything() throws {
        var record = record()
        record.running = SessionRecord.Running(
            path: "/tmp/s3.mp4", speed: Rational(1, 2), camera: "c", musicTime: MediaTime(seconds: 5))
        record.state = .inProgress
        record.nextNumber = 4
        #expect(try SessionRecord(record.json, path: "x") == record)
        for key in ["path", "duration", "progress", "durationWeight"] {
            #expect(record.segments[0].json[key] != nil, "SDVideoDataModel's \(key)")
        }
    }

    /// Nothing that may stand in a file makes reading it crash.
    @Test func anyFileIsReadOrRefused() throws {
        guard case .object(let members) = record().json else { return }
        let values: [JSONValue] = [
            .null, .number(-1), .number(1e300), .string("x"), .array([.null, [:]]), [:], .bool(true),
        ]
        for key in members.keys {
            for value in values {
                var changed = members
                changed[key] = value
                _ = try? SessionRecord(.object(changed), path: "x")
            }
        }
        #expect(throws: EditorError.self) { try SessionRecord([:], path: "x") }
    }

    @Test func theStoreKeepsAndFinds() throws {
        let folder = NSTemporaryDirectory() + "editor-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = SessionStore(folder: folder + "/deep/sessions")
        #expect(store.list().isEmpty)
        #expect(throws: EditorError.self) { try store.load(nil) }
        var first = record()
        first.id = store.freshID()
        try store.save(first)
        var second = record()
        (second.id, second.created) = (store.freshID(), 2)
        try store.save(second)
        try "broken".write(toFile: store.path(of: "broken"), atomically: false, encoding: .utf8)
        #expect(store.list().map(\.id) == [first.id, second.id])
        #expect(try store.load(nil).id == second.id && store.load(first.id) == first)
        #expect(try store.load(store.path(of: first.id)) == first)
        #expect(throws: EditorError.self) { try store.load("broken") }
    }

    /// Segments whose files are gone are left out, and said so.
    @Test func missingSegmentsAreToldOf() {
        var record = record()
        let findings = SessionStore(folder: "/nowhere").recover(&record)
        #expect(record.segments.isEmpty && findings.count == 2)
        #expect(findings.allSatisfy { $0.message.contains("/tmp/s") })
    }
}
