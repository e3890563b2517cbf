public import EditorCore
internal import Glibc
internal import Synchronization

/// Keeps spans for one run, in one file without a name: whatever ends the process, nothing is left behind. Safe on any
/// thread.
public final class ScratchSpanStore: SpanStore {
    private let file: Int32
    private let folder: String
    /// Where each span lies in the file, and where the next one goes.
    private let state = Mutex<(places: [Fingerprint: Range<Int>], end: Int)>(([:], 0))

    /// - Parameter folder: where the file's bytes lie.
    /// - Throws: `EditorError` `.ioFailed`.
    public init(in folder: String) throws {
        var name = Array((folder + "/editor-spans-XXXXXX").utf8CString)
        file = mkstemp(&name)
        self.folder = folder
        guard file >= 0 else {
            throw EditorError(
                .ioFailed, "no temporary file can be made in \(folder): \(String(cString: strerror(errno)))")
        }
        unlink(name)
        // Programs that are started meanwhile have no use for it.
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(file) }

    public func contains(_ name: Fingerprint) -> Bool { state.withLock { $0.places[name] != nil } }

    public func load(_ name: Fingerprint) -> [EncodedPacket]? {
        guard let place = state.withLock({ $0.places[name] }) else { return nil }
        var isWhole = true
        let bytes = [UInt8](unsafeUninitializedCapacity: place.count) { buffer, count in
            while count < place.count {
                let got = pread(file, buffer.baseAddress! + count, place.count - count, off_t(place.lowerBound + count))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else {
                    isWhole = false
                    return
                }
                count += got
            }
        }
        return isWhole ? SpanFile.decode(bytes) : nil
    }

    /// Its bytes stay in the file, which goes with the run.
    public func remove(_ name: Fingerprint) { state.withLock { $0.places[name] = nil } }

    public func save(_ packets: [EncodedPacket], as name: Fingerprint) throws {
        let bytes = SpanFile.encode(packets)
        let place = state.withLock { state in
            defer { state.end += bytes.count }
            return state.end..<state.end + bytes.count
        }
        guard FileBytes.write(bytes, to: file, at: place.lowerBound) else {
            throw EditorError(
                .ioFailed, "writing a temporary file in \(folder) failed: \(String(cString: strerror(errno)))")
        }
        state.withLock { $0.places[name] = place }
    }
}
