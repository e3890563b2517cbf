internal import CFFmpeg
internal import EditorCore

/// libswresample from one decoded format to the working sound: 48 kHz, stereo, planar float. Belongs to one thread.
final class Resampler {
    struct Key: Equatable {
        var format: Int32
        var sampleRate: Int32
        var channelCount: Int32
        var layoutMask: UInt64
    }

    let key: Key
    private let context: ResamplingContext

    init(like frame: MediaFrame) throws {
        let picture = frame.pointer.pointee
        key = Self.key(of: frame)
        var input = AVChannelLayout()
        if picture.ch_layout.order == AV_CHANNEL_ORDER_NATIVE {
            try check(av_channel_layout_copy(&input, &frame.pointer.pointee.ch_layout), "av_channel_layout_copy")
        } else {
            input = .usual(picture.ch_layout.nb_channels)
        }
        context = try ResamplingContext(
            from: .init(layout: input, sample: AVSampleFormat(picture.format), rate: picture.sample_rate),
            to: .init(layout: .working, sample: AV_SAMPLE_FMT_FLTP, rate: Int32(AudioFormat.sampleRate)),
            matrix: Self.matrix(for: input))
    }

    static func key(of frame: MediaFrame) -> Key {
        let picture = frame.pointer.pointee
        return Key(
            format: picture.format, sampleRate: picture.sample_rate, channelCount: picture.ch_layout.nb_channels,
            layoutMask: picture.ch_layout.order == AV_CHANNEL_ORDER_NATIVE ? picture.ch_layout.u.mask : 0)
    }

    /// Mono sounds on both sides at its own level; layouts without meaning give their first two channels. For the rest
    /// nil: libswresample's matrix, which keeps the centre (ITU-R BS.775).
    private static func matrix(for layout: AVChannelLayout) -> [Double]? {
        let count = Int(layout.nb_channels)
        if count == 1 { return [1, 1] }
        guard layout.order != AV_CHANNEL_ORDER_NATIVE else { return nil }
        return (0..<AudioFormat.channelCount).flatMap { row in (0..<count).map { $0 == row ? 1.0 : 0 } }
    }

    /// Samples that are inside and not given out yet.
    var delay: Int { context.delay(at: AudioFormat.sampleRate) }

    /// Converts a frame, or what is left inside when it is nil, and appends it to both channels of `output`.
    /// - Parameter skipped: samples at the frame's start that are left out.
    /// - Returns: how many samples came out.
    @discardableResult
    func convert(_ frame: MediaFrame?, skipping skipped: Int = 0, appendingTo output: inout AudioBuffer) throws -> Int {
        let inputCount = max(0, (frame?.pointer.pointee.nb_samples ?? 0) - Int32(skipped))
        if frame != nil, inputCount == 0 { return 0 }
        let room = Int(context.room(for: inputCount))
        guard room > 0 else { return 0 }
        let start = output.sampleCount
        // Both channels are written at once, so they are taken out of the buffer meanwhile; nothing is copied.
        var channels: [[Float]] = []
        swap(&channels, &output.channels)
        defer { swap(&channels, &output.channels) }
        var (left, right) = (channels[0], channels[1])
        channels = []
        left.append(contentsOf: repeatElement(0, count: room))
        right.append(contentsOf: repeatElement(0, count: room))
        let made = try left.withUnsafeMutableBytes { left in
            try right.withUnsafeMutableBytes { right in
                let offset = start * MemoryLayout<Float>.stride
                var data: [UnsafeMutablePointer<UInt8>?] = [left, right].map {
                    ($0.baseAddress! + offset).assumingMemoryBound(to: UInt8.self)
                }
                var source = frame.map { Self.planes($0, from: skipped) }
                guard source != nil else { return Int(try context.convert(nil, 0, into: &data, room: Int32(room))) }
                return Int(try context.convert(&source!, inputCount, into: &data, room: Int32(room)))
            }
        }
        left.removeLast(room - made)
        right.removeLast(room - made)
        channels = [left, right]
        return made
    }

    /// The frame's planes, one a channel or one for all, from sample `start` on.
    private static func planes(_ frame: MediaFrame, from start: Int) -> [UnsafePointer<UInt8>?] {
        let format = AVSampleFormat(frame.pointer.pointee.format)
        let channels = Int(frame.pointer.pointee.ch_layout.nb_channels)
        let isPlanar = av_sample_fmt_is_planar(format) != 0
        let offset = start * Int(av_get_bytes_per_sample(format)) * (isPlanar ? 1 : channels)
        return (0..<(isPlanar ? channels : 1)).map { UnsafePointer(frame.pointer.pointee.extended_data[$0]! + offset) }
    }
}
