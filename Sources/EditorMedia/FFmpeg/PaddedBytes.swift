internal import CFFmpeg

/// A copy of `bytes` in libav's memory with clear bytes behind it, as its structures want their headers; they free it.
func paddedCopy(of bytes: [UInt8]) throws -> UnsafeMutablePointer<UInt8> {
    let memory = try checkAllocated(av_mallocz(bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)), "av_mallocz")
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    return memory.assumingMemoryBound(to: UInt8.self)
}
