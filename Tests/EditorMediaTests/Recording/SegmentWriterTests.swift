import EditorCore
import EditorMedia
import EditorTestSupport
import Foundation
import Testing

/// Segments as they are written.
@Suite struct SegmentWriterTests {
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "editor-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func probe(_ path: String) throws -> MediaInfo { try FileMediaLibrary(baseDirectory: "/").probe(path) }

    private func frame(_ luma: UInt8) -> VideoFrame {
        var frame = FramePool().frame(.yuv420, PixelSize(width: 64, height: 48))
        for plane in 0..<3 {
            frame.withMutablePlane(plane) { pixels, layout in
                for row in 0..<layout.height {
                    for column in 0..<layout.width { pixels[row * layout.stride + column] = plane == 0 ? luma : 128 }
                }
            }
        }
        return frame
    }

    private func sound(_ count: Int) -> AudioBuffer { AudioBuffer(sampleCount: count) }

    /// Before it is finished the file can be read up to its last fragment, whatever comes after.
    @Test func aRunningSegmentCanBeRead() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/s.mp4"
        let writer = try SegmentWriter(
            path: path,
            settings: .init(size: PixelSize(width: 64, height: 48), frameRate: Rational(30), hasSound: true))
        for number in 0..<50 {
            try writer.append(frame(UInt8(40 + number)))
            try writer.append(sound(1600))
        }
        #expect(writer.frameCount == 50 && writer.flushedFrameCount == 45)
        let copy = folder + "/copy.mp4"
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let info = try probe(copy)
        #expect(info.video?.frameCount == 45 && info.audio.count == 1)
        // What the encoder put before the first sample lies before the first picture, and so is not heard.
        #expect(abs(info.audio[0].start.seconds + 1024.0 / 48_000) < 0.001)
        // Cut off anywhere, what is whole is there.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
        try bytes.prefix(bytes.count - 100).write(to: URL(fileURLWithPath: copy))
        #expect(try (probe(copy).video?.frameCount ?? 0) >= 30)
        try writer.hold(4)
        try writer.finish()
        let whole = try probe(path)
        #expect(whole.video?.frameCount == 54 && whole.video?.duration == MediaTime(value: 54, timescale: 30))
        #expect(whole.video?.color.matrix == .bt709 && whole.video?.color.isTagged ?? false)
        #expect(!(whole.video?.isVariableRate ?? true))
    }

    @Test func anUnwritableFolderIsNamed() {
        let error = #expect(throws: EditorError.self) {
            try SegmentWriter(
                path: "/nowhere/s.mp4",
                settings: .init(size: PixelSize(width: 64, height: 48), frameRate: Rational(30), hasSound: false))
        }
        #expect(error?.kind == .cannotCreateOutput && error?.message.contains("/nowhere/s.mp4") ?? false)
    }
}
