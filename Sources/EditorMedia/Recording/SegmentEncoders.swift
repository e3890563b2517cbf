internal import CFFmpeg
internal import EditorCore

extension SegmentWriter.Settings {
    /// The encoder of a segment's pictures.
    /// - Parameter kept: what the camera coded before, in the same track; nil when the segment begins with this.
    func makeEncoder(following kept: CodedVideo?) throws -> Encoder {
        let codec = try EncoderChoice.find("h264", kind: AVMEDIA_TYPE_VIDEO, key: "videoCodec")
        let isX264 = String(cString: codec.pointee.name) == "libx264"
        var options = isX264 ? [("preset", preset), ("crf", "\(crf)"), ("tune", "zerolatency")] : []
        // Decoders know both kinds of pictures of such a track by the numbers of their parameter sets; cameras use 0.
        if isX264, kept != nil { options.append(("x264-params", "sps-id=31")) }
        // One core is enough for 1280×720; larger pictures are sliced over two.
        let threads = size.width * size.height > 1280 * 720 ? 2 : 1
        return try Encoder(codec, options: options, threads: threads) { context in
            context.pointee.width = Int32(size.width)
            context.pointee.height = Int32(size.height)
            context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
            context.pointee.time_base = AVRational(num: Int32(frameRate.denominator), den: Int32(frameRate.numerator))
            context.pointee.framerate = AVRational(num: Int32(frameRate.numerator), den: Int32(frameRate.denominator))
            context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
            context.pointee.gop_size = Int32(max(1, frameRate.doubleValue.rounded()))
            context.pointee.max_b_frames = 0
            let isFull = kept?.isFullRange ?? false
            context.pointee.color_range = isFull ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
            context.pointee.colorspace = kept?.isBT709 ?? true ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M
            context.pointee.color_primaries = AVCOL_PRI_BT709
            context.pointee.color_trc = AVCOL_TRC_BT709
            context.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
            if !isX264 { context.pointee.bit_rate = 8_000_000 }
            // The track's header is the camera's then, so the pictures carry theirs with them.
            if kept == nil { context.pointee.flags |= Int32(AV_CODEC_FLAG_GLOBAL_HEADER) }
        }
    }

    func makeSoundEncoder() throws -> Encoder {
        let codec = try EncoderChoice.find("aac", kind: AVMEDIA_TYPE_AUDIO, key: "audioCodec")
        return try Encoder(codec, options: []) { context in
            context.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
            context.pointee.sample_rate = Int32(AudioFormat.sampleRate)
            context.pointee.ch_layout = .working
            context.pointee.bit_rate = 192_000
            context.pointee.time_base = AVRational(num: 1, den: Int32(AudioFormat.sampleRate))
            context.pointee.flags |= Int32(AV_CODEC_FLAG_GLOBAL_HEADER)
        }
    }
}
