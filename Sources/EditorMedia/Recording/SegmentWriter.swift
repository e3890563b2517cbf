internal import CFFmpeg
public import EditorCore
internal import Glibc

/// Encodes and writes one recorded segment while it is recorded: H.264 and AAC in a fragmented movie, which can be read
/// up to its last fragment whatever happens to the process. Belongs to one thread.
public final class SegmentWriter {
    /// How a segment is written.
    public struct Settings: Sendable {
        public var size: PixelSize
        public var frameRate: Rational
        /// x264's word for its speed.
        public var preset: String
        /// x264's quality, 0…51.
        public var crf: Double
        public var hasSound: Bool

        public init(
            size: PixelSize, frameRate: Rational, preset: String = "ultrafast", crf: Double = 20, hasSound: Bool
        ) {
            (self.size, self.frameRate) = (size, frameRate)
            (self.preset, self.crf, self.hasSound) = (preset, crf, hasSound)
        }
    }

    public let path: String
    /// Pictures written so far.
    public private(set) var frameCount = 0
    /// Pictures that are in the file so that they can be read.
    public private(set) var flushedFrameCount = 0
    private let settings: Settings
    /// nil as long as the camera's own pictures are kept, or it is not known whether they are.
    private var encoder: Encoder?
    private let soundEncoder: Encoder?
    private let samples: SampleConverter?
    private let muxer: FragmentMuxer
    private var sampleCount: Int64 = 0
    private var lastPicture: VideoFrame?
    private let framesPerFragment: Int

    /// The camera's picture that came last: how long it lasts is known with the next one.
    private var waiting: (picture: CodedPicture, ticks: Int64)?
    /// What the kept pictures belong to.
    private var kept: CodedVideo?
    /// Makes what is coded here look like what was kept; nil when nothing was.
    private var colors: StreamColors?
    /// When the next picture of a track with kept ones can come at the earliest.
    private var nextTicks: Int64 = 0

    /// Seconds between fragments: what a crash costs at most, less what is still on its way.
    private static let fragmentLength = 0.5

    /// - Parameter keepsCoded: whether the first picture may be one that the camera coded.
    /// - Throws: `EditorError`: `.cannotCreateOutput` that names the file, `.unavailable` without encoders.
    public init(path: String, settings: Settings, keepsCoded: Bool = false) throws {
        FFmpegLog.install()
        self.path = path
        self.settings = settings
        framesPerFragment = max(1, Int((settings.frameRate.doubleValue * Self.fragmentLength).rounded()))
        do {
            if settings.hasSound {
                soundEncoder = try settings.makeSoundEncoder()
                samples = try SampleConverter(format: AV_SAMPLE_FMT_FLTP, sampleRate: AudioFormat.sampleRate)
            } else {
                (soundEncoder, samples) = (nil, nil)
            }
            muxer = try FragmentMuxer(path: path)
            guard !keepsCoded else { return }
            do {
                try beginEncoding()
            } catch {
                unlink(path)
                throw error
            }
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "\(path) cannot be begun: \(error)")
        }
    }

    /// Whether a picture can be appended as the camera coded it: once pictures are coded here none can, and all come
    /// from one stream.
    public func keeps(_ picture: CodedPicture) -> Bool { encoder == nil && kept.map { $0 == picture.video } ?? true }

    // MARK: Pictures that are coded here

    private func beginEncoding() throws {
        if let kept {
            try writeWaiting(until: ticks(ofFrame: frameCount))
            encoder = try settings.makeEncoder(following: kept)
            colors = StreamColors(kept)
        } else {
            let encoder = try settings.makeEncoder(following: nil)
            try muxer.begin(.encoder(encoder), sound: soundEncoder)
            self.encoder = encoder
        }
    }

    /// Appends the next picture.
    /// - Throws: `EditorError` `.ioFailed` that names the file.
    public func append(_ frame: VideoFrame) throws {
        try telling {
            if encoder == nil { try beginEncoding() }
            let picture = try colors?.restored(frame) ?? MediaFrame(lending: frame)
            picture.pointer.pointee.pts = Int64(frameCount)
            try encoder?.send(picture)
            frameCount += 1
            lastPicture = frame
            try writePictures()
        }
        try flushWhenDue()
    }

    /// Holds the last picture `count` times, where the camera gave none.
    public func hold(_ count: Int) throws {
        // Without one to code again the last of the camera's own is shown for longer.
        guard let lastPicture else {
            frameCount += kept == nil ? 0 : count
            return
        }
        for _ in 0..<count { try append(lastPicture) }
    }

    private func writePictures() throws {
        for var packet in encoder?.takePackets() ?? [] {
            // After kept pictures the track counts in their ticks.
            if kept != nil {
                packet.pts = max(nextTicks, ticks(ofFrame: Int(packet.pts)))
                packet.dts = packet.pts
                packet.duration = ticks(ofFrame: 1)
                nextTicks = packet.pts + 1
            }
            try muxer.write(packet, .video)
        }
    }

    // MARK: Pictures that the camera coded

    private func ticks(ofFrame number: Int) -> Int64 {
        settings.frameRate.duration(ofTicks: Int64(number)).ticksRounded(per: CodedVideo.ticks)
    }

    /// Appends a picture as the camera coded it. Only one that it `keeps`.
    /// - Parameters:
    ///   - time: seconds from the first picture on.
    ///   - places: how many pictures' time has come since the one before, with its own.
    /// - Throws: `EditorError` `.ioFailed` that names the file.
    public func append(_ picture: CodedPicture, at time: Double, places: Int) throws {
        try telling {
            if kept == nil {
                kept = picture.video
                try muxer.begin(.coded(picture.video), sound: soundEncoder)
            }
            let ticks = max(nextTicks, Int64((time * CodedVideo.ticks.doubleValue).rounded()))
            try writeWaiting(until: ticks)
            try flushWhenDue()
            waiting = (picture, ticks)
            nextTicks = ticks + 1
        }
        frameCount += places
    }

    /// Writes the picture that came last, which lasts until `end`.
    private func writeWaiting(until end: Int64) throws {
        nextTicks = max(nextTicks, end)
        guard let (picture, ticks) = waiting else { return }
        waiting = nil
        let packet = EncodedPacket(
            data: picture.bytes, pts: ticks, dts: ticks, duration: nextTicks - ticks, isKey: picture.isKey)
        try muxer.write(packet, .video)
    }

    // MARK: Sound

    /// Appends sound, 48 kHz stereo.
    public func append(_ sound: AudioBuffer) throws {
        guard let samples else { return }
        try telling {
            try samples.send(sound)
            while samples.available >= frameSize { try encodeSound(frameSize) }
        }
    }

    private var frameSize: Int { max(1, Int(soundEncoder?.context.pointee.frame_size ?? 1024)) }

    private func encodeSound(_ count: Int) throws {
        guard let soundEncoder, let samples else { return }
        let frame = try MediaFrame()
        try samples.receive(count, into: frame)
        frame.pointer.pointee.pts = sampleCount
        sampleCount += Int64(count)
        try soundEncoder.send(frame)
        try writeSound()
    }

    private func writeSound() throws {
        for packet in soundEncoder?.takePackets() ?? [] { try muxer.write(packet, .sound) }
    }

    private func flushWhenDue() throws {
        if frameCount - flushedFrameCount >= framesPerFragment { try flush() }
    }

    /// Closes the running fragment and hands it to the system.
    public func flush() throws {
        try telling { try muxer.flush() }
        flushedFrameCount = frameCount
    }

    /// Writes what is left and closes the file, safe on the disk.
    public func finish() throws {
        try telling {
            try writeWaiting(until: ticks(ofFrame: frameCount))
            try encoder?.send(nil)
            try writePictures()
            if let samples, let soundEncoder {
                try samples.end()
                while samples.available > 0 { try encodeSound(min(frameSize, samples.available)) }
                try soundEncoder.send(nil)
                try writeSound()
            }
            try muxer.finish()
        }
        flushedFrameCount = frameCount
    }

    /// After a failed write: closes the file and cuts off what lies behind its last whole fragment.
    public func cut() { muxer.cut() }

    private func telling<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "writing \(path) failed: \(error.reason)")
        }
    }
}
