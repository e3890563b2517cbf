internal import CFFmpeg
internal import EditorCore

/// libswresample from the working sound to what an encoder takes, with a queue behind it. Belongs to one thread.
final class SampleConverter {
    private let resampler: ResamplingContext
    private let queue: OpaquePointer
    private let format: AVSampleFormat
    private let sampleRate: Int32

    init(format: AVSampleFormat, sampleRate: Int) throws {
        self.format = format
        self.sampleRate = Int32(sampleRate)
        resampler = try ResamplingContext(
            from: .init(layout: .working, sample: AV_SAMPLE_FMT_FLTP, rate: Int32(AudioFormat.sampleRate)),
            to: .init(layout: .working, sample: format, rate: Int32(sampleRate)))
        queue = try checkAllocated(
            av_audio_fifo_alloc(format, Int32(AudioFormat.channelCount), 8192), "av_audio_fifo_alloc")
    }

    deinit { av_audio_fifo_free(queue) }

    /// Samples that can be taken.
    var available: Int { Int(av_audio_fifo_size(queue)) }

    func send(_ buffer: AudioBuffer) throws {
        let count = Int32(buffer.sampleCount)
        try buffer.channels[0].withUnsafeBytes { left in
            try buffer.channels[1].withUnsafeBytes { right in
                var data: [UnsafePointer<UInt8>?] = [left, right].map {
                    $0.baseAddress?.assumingMemoryBound(to: UInt8.self)
                }
                try convert(&data, count)
            }
        }
    }

    /// Lets out what the resampler holds back.
    func end() throws { try convert(nil, 0) }

    private func convert(_ data: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int32) throws {
        let room = resampler.room(for: count)
        guard room > 0 else { return }
        let output = try MediaFrame()
        try output.allocateSamples(Int(room), format: format, rate: sampleRate)
        let made = try resampler.convert(data, count, into: output.pointer.pointee.extended_data, room: room)
        try output.withPlanes { planes in
            try check(av_audio_fifo_write(queue, planes, made), "av_audio_fifo_write")
        }
    }

    /// Takes `count` samples, at most `available`.
    func receive(_ count: Int, into frame: MediaFrame) throws {
        try frame.allocateSamples(count, format: format, rate: sampleRate)
        try frame.withPlanes { planes in
            try check(av_audio_fifo_read(queue, planes, Int32(count)), "av_audio_fifo_read")
        }
    }
}

extension MediaFrame {
    /// The planes of samples as the fifo calls want them.
    fileprivate func withPlanes(_ body: (UnsafeMutablePointer<UnsafeMutableRawPointer?>) throws -> Void) rethrows {
        try pointer.pointee.extended_data.withMemoryRebound(to: UnsafeMutableRawPointer?.self, capacity: 8) {
            try body($0)
        }
    }
}
