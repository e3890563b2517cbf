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
    /// Why the file could not be put on the disk once; 0 as long as it could. The system tells it a single time.
    private let failure: FailureCode

    private final class FailureCode: Sendable { let value = Atomic<Int32>(0) }

    /// - Throws: `EditorError`.
    init(_ path: String) throws {
        self.path = path
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw EditorError(.cannotCreateOutput, "\(path) cannot be created: \(String(cString: strerror(errno)))")
        }
        self.file = file
        let (requests, failure) = (requests, FailureCode())
        self.failure = failure
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        do {
            thread = try WorkerThread {
                FileBytes.flushFolder(folder)
                while requests.pop() != nil {
                    if fdatasync(file) != 0, errno != EINVAL { failure.value.store(errno, ordering: .relaxed) }
                }
            }
        } catch {
            close(file)
            throw error
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

    /// Returns at once, as long as the disk is not behind by more requests than the queue holds.
    /// - Throws: `EditorError` `.ioFailed` when an earlier one failed.
    func flush() throws {
        try requireNoFailure()
        _ = requests.push(true)
    }

    private func requireNoFailure() throws { try require(failure.value.load(ordering: .relaxed)) }

    private func require(_ code: Int32) throws {
        guard code == 0 else {
            throw EditorError(.ioFailed, "writing \(path) failed: \(String(cString: strerror(code)))")
        }
    }

    /// Waits until all of the file is on the disk.
    func finish() throws {
        join()
        try requireNoFailure()
        try require(fsync(file) == 0 || errno == EINVAL ? 0 : errno)
    }
}
