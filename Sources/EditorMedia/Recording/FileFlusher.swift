internal import EditorCore
internal import Glibc
internal import Synchronization

/// Has a file that grows put on the disk without making its writer wait. Safe on any thread.
final class FileFlusher: Sendable {
    private let file: Int32
    private let path: String
    private let requests = BoundedQueue<Bool>(capacity: 64)
    private let thread: WorkerThread
    private let isJoined = Atomic<Bool>(false)

    /// - Throws: `EditorError`.
    init(_ path: String) throws {
        self.path = path
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw EditorError(.cannotCreateOutput, "\(path) cannot be created: \(String(cString: strerror(errno)))")
        }
        self.file = file
        let requests = requests
        thread = try WorkerThread {
            while requests.pop() != nil { _ = fdatasync(file) }
        }
    }

    deinit {
        join()
        close(file)
    }

    private func join() {
        guard !isJoined.exchange(true, ordering: .acquiringAndReleasing) else { return }
        requests.close()
        thread.join()
    }

    /// Returns at once.
    func flush() { _ = requests.push(true) }

    /// Waits until all of the file is on the disk.
    func finish() throws {
        join()
        guard fsync(file) == 0 || errno == EINVAL else {
            throw EditorError(.ioFailed, "writing \(path) failed: \(String(cString: strerror(errno)))")
        }
    }
}
