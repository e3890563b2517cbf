internal import CFFmpeg
public import EditorCore

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
    private let encoder: Encoder
    private let soundEncoder: Encoder?
    private let samples: SampleConverter?
    private let muxer: FragmentMuxer
    private var sampleCount: Int64 = 0
    private var lastPicture: VideoFrame?
    private var framesPerFragment: Int

    /// Seconds between fragments: what a crash costs at most, less what is still on its way.
    private static let fragmentLength = 0.5

    /// - Throws: `EditorError`: `.cannotCreateOutput` that names the file, `.unavailable` without encoders.
    public init(path: String, settings: Settings) throws {
        FFmpegLog.install()
        self.path = path
        self.settings = settings
        let rate = settings.frameRate.doubleValue
        framesPerFragment = max(1, Int((rate * Self.fragmentLength).rounded()))
        let codec = try EncoderChoice.find("h264", kind: AVMEDIA_TYPE_VIDEO, key: "videoCodec")
        let isX264 = String(cString: codec.pointee.name) == "libx264"
        let options: [(String, String)] =
            isX264
            ? [
                ("preset", settings.preset), ("crf", "\(settings.crf)"), ("tune", "zerolatency"),
            ]
            : []
        // One core is enough for 1280×720; larger pictures are sliced over two.
        let threads = settings.size.width * settings.size.height > 1280 * 720 ? 2 : 1
        encoder = try Encoder(codec, options: options, threads: threads) { context in
            context.pointee.width = Int32(settings.size.width)
            context.pointee.height = Int32(settings.size.height)
            context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
            context.pointee.time_base = AVRational(
                num: Int32(settings.frameRate.denominator), den: Int32(settings.frameRate.numerator))
            context.pointee.framerate = AVRational(
                num: Int32(settings.frameRate.numerator), den: Int32(settings.frameRate.denominator))
            context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
            context.pointee.gop_size = Int32(max(1, rate.rounded()))
            context.pointee.max_b_frames = 0
            context.pointee.color_range = AVCOL_RANGE_MPEG
            context.pointee.colorspace = AVCOL_SPC_BT709
            context.pointee.color_primaries = AVCOL_PRI_BT709
            context.pointee.color_trc = AVCOL_TRC_BT709
            context.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
            if !isX264 { context.pointee.bit_rate = 8_000_000 }
            context.pointee.flags |= Int32(AV_CODEC_FLAG_GLOBAL_HEADER)
        }
        do {
            if settings.hasSound {
                let codec = try EncoderChoice.find("aac", kind: AVMEDIA_TYPE_AUDIO, key: "audioCodec")
                soundEncoder = try Encoder(codec, options: []) { context in
                    context.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
                    context.pointee.sample_rate = Int32(AudioFormat.sampleRate)
                    context.pointee.ch_layout = .working
                    context.pointee.bit_rate = 192_000
                    context.pointee.time_base = AVRational(num: 1, den: Int32(AudioFormat.sampleRate))
                    context.pointee.flags |= Int32(AV_CODEC_FLAG_GLOBAL_HEADER)
                }
                samples = try SampleConverter(format: AV_SAMPLE_FMT_FLTP, sampleRate: AudioFormat.sampleRate)
            } else {
                (soundEncoder, samples) = (nil, nil)
            }
            muxer = try FragmentMuxer(path: path, video: encoder, sound: soundEncoder)
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "\(path) cannot be begun: \(error)")
        }
    }

    /// Appends the next picture.
    /// - Throws: `EditorError` `.ioFailed` that names the file.
    public func append(_ frame: VideoFrame) throws {
        try telling {
            let picture = try MediaFrame(lending: frame)
            picture.pointer.pointee.pts = Int64(frameCount)
            try encoder.send(picture)
            frameCount += 1
            lastPicture = frame
            try writePictures()
        }
        if frameCount % framesPerFragment == 0 { try flush() }
    }

    /// Holds the last picture `count` times, where the camera gave none.
    public func hold(_ count: Int) throws {
        guard let lastPicture else { return }
        for _ in 0..<count { try append(lastPicture) }
    }

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

    private func writePictures() throws {
        for packet in encoder.takePackets() { try muxer.write(packet, .video) }
    }

    private func writeSound() throws {
        for packet in soundEncoder?.takePackets() ?? [] { try muxer.write(packet, .sound) }
    }

    /// Closes the running fragment and hands it to the system.
    public func flush() throws {
        try telling { try muxer.flush() }
        flushedFrameCount = frameCount
    }

    /// Writes what is left and closes the file, safe on the disk.
    public func finish() throws {
        try telling {
            try encoder.send(nil)
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
