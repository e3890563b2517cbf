internal import CZlib
internal import EditorCore

/// Unpacks gzip (RFC 1952), as .tgs stickers are packed.
enum Gzip {
    /// - Parameter limit: bytes that may come out at most; a small file can unpack to any size.
    /// - Throws: `EditorError` `.invalidData` that names the file when it is damaged or unpacks to more.
    static func unpacked(_ packed: [UInt8], limit: Int, path: String) throws -> [UInt8] {
        var stream = z_stream()
        // 15 is the largest window; 16 more tells zlib that there is a gzip header.
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw EditorError(.internalBug, "zlib cannot unpack \(path)")
        }
        defer { inflateEnd(&stream) }
        var result: [UInt8] = []
        var status = Z_OK
        try packed.withUnsafeBufferPointer { input in
            // zlib reads only; its pointer is not const for old compilers.
            stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.avail_in = UInt32(clamping: input.count)
            repeat {
                try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 16) { output in
                    stream.next_out = output.baseAddress
                    stream.avail_out = UInt32(output.count)
                    status = inflate(&stream, Z_NO_FLUSH)
                    result += output[..<(output.count - Int(stream.avail_out))]
                    guard result.count <= limit else {
                        throw EditorError(
                            .invalidData,
                            "\(path) unpacks to more than \(limit >> 20) MB, which no sticker needs; make it smaller")
                    }
                }
            } while status == Z_OK
        }
        guard status == Z_STREAM_END else {
            throw EditorError(.invalidData, "\(path) is damaged: its compressed data (gzip) cannot be unpacked")
        }
        return result
    }
}
