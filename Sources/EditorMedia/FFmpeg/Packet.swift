internal import CFFmpeg

/// One compressed packet; owns its AVPacket. Belongs to one thread.
final class Packet {
    let pointer: UnsafeMutablePointer<AVPacket>

    init() throws { pointer = try checkAllocated(av_packet_alloc(), "av_packet_alloc") }

    deinit {
        var pointer: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&pointer)
    }

    func unreference() { av_packet_unref(pointer) }

    /// Gives the packet a copy of `data`.
    func setData(_ data: [UInt8]) throws {
        unreference()
        try check(av_new_packet(pointer, Int32(data.count)), "av_new_packet")
        data.withUnsafeBufferPointer { pointer.pointee.data.update(from: $0.baseAddress!, count: data.count) }
    }

    /// Gives the packet a copy of `bytes`.
    func setData(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        unreference()
        try check(av_new_packet(pointer, Int32(bytes.count)), "av_new_packet")
        if let base = bytes.baseAddress { pointer.pointee.data.update(from: base, count: bytes.count) }
    }

    var data: [UInt8] {
        Array(UnsafeBufferPointer(start: pointer.pointee.data, count: Int(pointer.pointee.size)))
    }

    /// Valid until the packet is used again.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: pointer.pointee.data, count: Int(pointer.pointee.size))
    }

    /// What an encoder tells of the stream only with its first packet.
    var newHeader: [UInt8]? {
        var size = 0
        guard let data = av_packet_get_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA, &size), size > 0 else {
            return nil
        }
        return Array(UnsafeBufferPointer(start: data, count: size))
    }

    /// nil when the container gives none.
    var pts: Int64? { pointer.pointee.pts == editor_AV_NOPTS_VALUE ? nil : pointer.pointee.pts }
    var dts: Int64? { pointer.pointee.dts == editor_AV_NOPTS_VALUE ? nil : pointer.pointee.dts }
    var duration: Int64 { pointer.pointee.duration }
    var streamIndex: Int { Int(pointer.pointee.stream_index) }
    var isKey: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
    /// Outside the file's edit list: decoded, never shown.
    var isDiscarded: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
}
