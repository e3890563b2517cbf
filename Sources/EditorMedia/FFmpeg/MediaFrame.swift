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

    /// Takes over the data of `other`, which is empty afterwards.
    func moveReference(from other: MediaFrame) {
        unreference()
        av_frame_move_ref(pointer, other.pointer)
    }

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
    var width: Int { Int(pointer.pointee.width) }
    var height: Int { Int(pointer.pointee.height) }
}
