internal import CFFmpeg
internal import EditorCore

/// Export settings in the words of one audio encoder.
struct SoundSettings: Sendable {
    let codecName: String
    let sampleRate: Int
    let sampleFormat: AVSampleFormat
    let bitRate: Int
    let needsGlobalHeader: Bool

    /// - Throws: `EditorError` when the encoder cannot take the sample rate.
    init(_ settings: ExportSettings, codec: UnsafePointer<AVCodec>, needsGlobalHeader: Bool) throws {
        codecName = String(cString: codec.pointee.name)
        self.needsGlobalHeader = needsGlobalHeader
        bitRate = settings.audioBitRate
        sampleRate = settings.sampleRate
        if var rates = codec.pointee.supported_samplerates {
            var known: [Int] = []
            while rates.pointee != 0 {
                known.append(Int(rates.pointee))
                rates += 1
            }
            guard known.contains(sampleRate) else {
                throw EditorError([
                    Finding(
                        .error, code: "export.sampleRate", at: JSONPointer(["export", "sampleRate"]),
                        "\(codecName) cannot encode \(sampleRate) Hz",
                        hint: "it takes " + known.sorted().map(String.init).joined(separator: ", "))
                ])!
            }
        }
        var format = AV_SAMPLE_FMT_FLTP
        if var formats = codec.pointee.sample_fmts {
            var known: [AVSampleFormat] = []
            while formats.pointee != AV_SAMPLE_FMT_NONE {
                known.append(formats.pointee)
                formats += 1
            }
            // The finest that there is.
            let order = [
                AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_S32P, AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S16P,
                AV_SAMPLE_FMT_S16,
            ]
            format = order.first(where: known.contains) ?? known[0]
        }
        sampleFormat = format
    }

    var identity: String {
        "\(codecName) \(sampleRate) \(sampleFormat.rawValue) \(bitRate) \(needsGlobalHeader) lavc \(CodecCatalog.codecVersion)"
    }

    func makeEncoder() throws -> Encoder {
        let codec = try checkAllocated(EncoderChoice.encoder(named: codecName), codecName)
        return try Encoder(codec, options: []) { context in
            context.pointee.sample_fmt = sampleFormat
            context.pointee.sample_rate = Int32(sampleRate)
            context.pointee.ch_layout = .working
            context.pointee.bit_rate = Int64(bitRate)
            context.pointee.time_base = AVRational(num: 1, den: Int32(sampleRate))
            if needsGlobalHeader { context.pointee.flags |= Int32(AV_CODEC_FLAG_GLOBAL_HEADER) }
        }
    }
}

/// Encodes the whole sound of a movie as one stream.
final class SoundTrackEncoder: SoundEncoder {
    private let encoder: Encoder
    private let converter: SampleConverter
    private let frameSize: Int
    private var position: Int64 = 0

    init(_ settings: SoundSettings) throws {
        encoder = try settings.makeEncoder()
        converter = try SampleConverter(format: settings.sampleFormat, sampleRate: settings.sampleRate)
        let size = Int(encoder.context.pointee.frame_size)
        frameSize = size > 0 ? size : 1024
    }

    func encode(_ buffer: AudioBuffer) throws {
        do {
            try converter.send(buffer)
            while converter.available >= frameSize { try encodeFrame(frameSize) }
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "the audio encoder failed: \(error)")
        }
    }

    /// What is encoded so far and was not taken yet.
    func takePackets() -> [EncodedPacket] { encoder.takePackets() }

    func finish() throws -> [EncodedPacket] {
        do {
            try converter.end()
            while converter.available > 0 { try encodeFrame(min(frameSize, converter.available)) }
            try encoder.send(nil)
            return encoder.takePackets()
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "the audio encoder failed: \(error)")
        }
    }

    private func encodeFrame(_ count: Int) throws {
        let frame = try MediaFrame()
        try converter.receive(count, into: frame)
        frame.pointer.pointee.pts = position
        position += Int64(count)
        try encoder.send(frame)
    }
}
