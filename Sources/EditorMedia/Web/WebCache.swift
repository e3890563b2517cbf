internal import EditorCore
internal import Glibc
internal import Synchronization

/// Files from the web, each fetched once and kept in a folder. Safe on any thread, and for several processes at once:
/// whoever comes second waits for the first.
///
/// An entry appears when it is complete and its content was looked at; until then there is a part file, from which an
/// interrupted download goes on.
public final class WebCache: Sendable {
    private let folder: String
    /// Addresses that were told of by this object, so that each is told of once.
    private let told = Mutex<Set<WebAddress>>([])
    /// Failures are remembered: an address that several effects name is asked once.
    private let failures = Mutex<[WebAddress: EditorError]>([:])

    /// - Parameter folder: made when something is fetched.
    public init(folder: String) { self.folder = folder }

    /// One kept file.
    public struct Entry: Sendable {
        public var name: String
        /// Bytes.
        public var size: Int
        /// Seconds since 1970 of its last use.
        public var lastUse: Double
    }

    private func path(_ address: WebAddress) -> String {
        "\(folder)/\(Fingerprint(address.text))\(address.ending)"
    }

    /// The path of an address' file if it is here already; nil for others, and for what is no web address.
    public func localPath(of address: String) -> String? {
        guard let address = WebAddress(address) else { return nil }
        let path = path(address)
        return access(path, R_OK) == 0 ? path : nil
    }

    /// The path of an address' file, fetched if it is not here yet.
    /// - Parameters:
    ///   - kind: what it is to be, for the events.
    ///   - check: looks at the file's content and throws an `EditorError` when it is not what it should be; called
    ///     before the entry appears.
    /// - Throws: `EditorError` that names the address: `.invalidData` for content that is something else, for files that
    ///   are too large and for addresses that are refused; `.missingInput` when it cannot be had; `.cancelled`.
    func file(
        for address: WebAddress, kind: AssetReference.Kind, listener: WebListener, check: (String) throws -> Void
    ) throws -> String {
        let path = path(address)
        func tell(_ state: RenderEvent.Download.State, _ received: Int = 0, _ total: Int? = nil) {
            listener.report(
                .download(
                    .init(
                        address: address.shown, kind: kind, state: state, receivedBytes: received, totalBytes: total)))
        }
        let isNew = told.withLock { $0.insert(address).inserted }
        if isNew { tell(.unknown) }
        if let size = use(path) {
            if isNew { tell(.local, size, size) }
            return path
        }
        if let known = failures.withLock({ $0[address] }) { throw known }
        tell(.web)
        guard !listener.access.isOffline else {
            throw EditorError(
                .missingInput, "\(address.shown) is not in the cache, and --offline forbids to fetch it")
        }
        do {
            try FileBytes.makeFolder(folder)
            let lock = try FileLock(path + ".lock", cancellation: listener.cancellation)
            defer { lock.release() }
            // Another process may have been quicker.
            if let size = use(path) {
                tell(.local, size, size)
                return path
            }
            tell(.downloading)
            try fetch(address, kind, to: path, listener, tell: { tell(.downloading, $0, $1) }, check: check)
            tell(.local, use(path) ?? 0, use(path))
            return path
        } catch let error as EditorError {
            if error.kind != .cancelled { failures.withLock { $0[address] = error } }
            tell(.web)
            throw error
        }
    }

    private func fetch(
        _ address: WebAddress, _ kind: AssetReference.Kind, to path: String, _ listener: WebListener,
        tell: @escaping (Int, Int?) -> Void, check: (String) throws -> Void
    ) throws {
        // The ending stays, for readers that look at it.
        let part = "\(folder)/\(Fingerprint(address.text)).part\(address.ending)"
        do {
            try Download(address, part: part, listener: listener, tell: tell).run()
        } catch {
            // Without a note of what it is a part of, it is of no use.
            if access(part + ".note", F_OK) != 0 { unlink(part) }
            throw error
        }
        do {
            try Self.refusePages(part, address, kind)
            do {
                try check(part)
            } catch let error as EditorError where error.kind != .cancelled {
                let reason = error.message.split(separator: part, omittingEmptySubsequences: false)
                    .joined(separator: "it")
                throw EditorError(.invalidData, "\(address.shown) holds no \(Self.noun(kind)): \(reason)")
            }
        } catch {
            unlink(part)
            throw error
        }
        guard rename(part, path) == 0 else {
            throw EditorError(.ioFailed, "\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
    }

    private static func noun(_ kind: AssetReference.Kind) -> String { kind == .audio ? "music" : "picture" }

    /// Error pages come with good manners, too; they are told by how they begin.
    private static func refusePages(_ file: String, _ address: WebAddress, _ kind: AssetReference.Kind) throws {
        let start = try FileBytes.read(file, prefix: 512, limit: .max)
        let text = String(decoding: start, as: UTF8.self).lowercased().drop { $0.isWhitespace || $0 == "\u{feff}" }
        guard ["<!doctype html", "<html", "<head", "<body"].contains(where: { text.hasPrefix($0) }) else { return }
        throw EditorError(
            .invalidData, "\(address.shown) gave a web page, not a \(kind == .audio ? "piece of music" : "picture")")
    }

    /// The bytes of a complete entry, which counts as used now; nil when there is none.
    private func use(_ path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        // The time of access tells the age: that of modification is part of the content's identity.
        var times = [timespec(tv_sec: 0, tv_nsec: Self.now), timespec(tv_sec: 0, tv_nsec: Self.omit)]
        utimensat(AT_FDCWD, path, &times, 0)
        return Int(status.st_size)
    }

    /// UTIME_NOW and UTIME_OMIT, macros that Swift does not import.
    private static let (now, omit) = ((1 << 30) - 1, (1 << 30) - 2)

    /// What is kept, most recently used first; parts and locks of unfinished downloads, too.
    public func entries() -> [Entry] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var entries: [Entry] = []
        while let item = readdir(directory) {
            let name = withUnsafePointer(to: &item.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            var status = stat()
            guard !name.hasPrefix("."), stat("\(folder)/\(name)", &status) == 0 else { continue }
            entries.append(Entry(name: name, size: Int(status.st_size), lastUse: Double(status.st_atim.tv_sec)))
        }
        return entries.sorted { $0.lastUse > $1.lastUse }
    }

    /// Removes everything. Returns how many bytes that frees.
    @discardableResult
    public func clear() -> Int { remove(entries()) }

    /// Removes the least recently used files until what is left fits `capacity`, and what was left unfinished a week ago.
    public func trim(to capacity: Int) {
        var total = 0
        let now = Double(time(nil))
        let superfluous = entries().filter { entry in
            total += entry.size
            let isUnfinished = entry.name.contains(".part") || entry.name.hasSuffix(".lock")
            return total > capacity || (isUnfinished && now - entry.lastUse > 7 * 86_400)
        }
        _ = remove(superfluous)
    }

    private func remove(_ entries: [Entry]) -> Int {
        entries.reduce(0) { $0 + (unlink("\(folder)/\($1.name)") == 0 ? $1.size : 0) }
    }
}

/// A lock between processes: a file that one of them holds. It goes when the process ends, too.
private final class FileLock {
    private let path: String
    private let descriptor: Int32

    /// Waits until the lock is free.
    init(_ path: String, cancellation: Cancellation) throws {
        self.path = path
        while true {
            let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
            guard file >= 0 else {
                throw EditorError(.ioFailed, "\(path) cannot be written: \(String(cString: strerror(errno)))")
            }
            while flock(file, LOCK_EX | LOCK_NB) != 0 {
                if cancellation.isCancelled {
                    close(file)
                    throw EditorError.cancelled
                }
                usleep(50_000)
            }
            // Whoever held it before may have removed the file that was locked just now.
            var (ours, there) = (stat(), stat())
            if fstat(file, &ours) == 0, stat(path, &there) == 0, ours.st_ino == there.st_ino {
                descriptor = file
                return
            }
            close(file)
        }
    }

    func release() {
        unlink(path)
        close(descriptor)
    }
}
