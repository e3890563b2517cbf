internal import CFFmpeg
internal import EditorCore

/// One decoded picture or block of samples; owns its AVFrame.
final class MediaFrame {
    let pointer: UnsafeMutablePointer<AVFrame>

    init() throws { pointer = try checkAllocated(av_frame_alloc(), "av_frame_alloc") }

    deinit {
        var pointer: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&pointer)
    }

    func unreference() { av_frame_unref(pointer) }

    /// Another handle on the same data.
    func reference() throws -> MediaFrame {
        let other = try MediaFrame()
        try check(av_frame_ref(other.pointer, pointer), "av_frame_ref")
        return other
    }

    /// The presentation time in the stream's ticks, from the timestamps that libav trusts most.
    var pts: Int64? {
        let best = pointer.pointee.best_effort_timestamp
        return best == editor_AV_NOPTS_VALUE ? nil : best
    }

    var pixelFormat: AVPixelFormat { AVPixelFormat(pointer.pointee.format) }
    /// Whether a picture was decoded without others.
    var isIntra: Bool { pointer.pointee.key_frame != 0 || pointer.pointee.pict_type == AV_PICTURE_TYPE_I }
    var width: Int { Int(pointer.pointee.width) }
    var height: Int { Int(pointer.pointee.height) }

    /// New memory for a picture.
    func allocatePicture(_ size: PixelSize, format: AVPixelFormat) throws {
        unreference()
        pointer.pointee.width = Int32(size.width)
        pointer.pointee.height = Int32(size.height)
        pointer.pointee.format = format.rawValue
        try check(av_frame_get_buffer(pointer, 0), "av_frame_get_buffer")
    }

    /// New memory for `count` stereo samples.
    func allocateSamples(_ count: Int, format: AVSampleFormat, rate: Int32) throws {
        unreference()
        pointer.pointee.nb_samples = Int32(count)
        pointer.pointee.format = format.rawValue
        pointer.pointee.sample_rate = rate
        pointer.pointee.ch_layout = .working
        try check(av_frame_get_buffer(pointer, 0), "av_frame_get_buffer")
    }

    /// Makes this frame a copy of a block of the working sound.
    func copySamples(of block: AudioBuffer) throws {
        try allocateSamples(block.sampleCount, format: AV_SAMPLE_FMT_FLTP, rate: Int32(AudioFormat.sampleRate))
        for (channel, samples) in block.channels.enumerated() {
            guard let plane = pointer.pointee.extended_data[channel] else { continue }
            samples.withUnsafeBytes {
                UnsafeMutableRawPointer(plane).copyMemory(from: $0.baseAddress!, byteCount: $0.count)
            }
        }
    }

    /// Appends this frame, which holds working sound, to `block`.
    func appendSamples(to block: inout AudioBuffer) {
        let count = Int(pointer.pointee.nb_samples)
        for channel in block.channels.indices {
            guard let plane = pointer.pointee.extended_data[channel] else { continue }
            plane.withMemoryRebound(to: Float.self, capacity: count) {
                block.channels[channel].append(contentsOf: UnsafeBufferPointer(start: $0, count: count))
            }
        }
    }
}
