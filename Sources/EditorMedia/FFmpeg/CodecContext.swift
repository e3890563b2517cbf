internal import CFFmpeg

/// What a decoder or an encoder works with; owns its AVCodecContext. Belongs to one thread.
final class CodecContext {
    let pointer: UnsafeMutablePointer<AVCodecContext>
    private let codec: UnsafePointer<AVCodec>

    init(_ codec: UnsafePointer<AVCodec>) throws {
        self.codec = codec
        pointer = try checkAllocated(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVCodecContext>? = pointer
        avcodec_free_context(&pointer)
    }

    /// - Parameter options: those that the codec knows are taken out of it.
    func open(_ options: OptionDictionary = OptionDictionary()) throws {
        FFmpegLog.forget()
        try check(avcodec_open2(pointer, codec, &options.pointer), "avcodec_open2")
    }
}
