internal import Glibc

/// Notices that a file was changed or replaced, by looking at it now and then.
struct FileWatch {
    private let path: String
    private var known: [Int]
    private var looked = ContinuousClock.now

    private static let interval = Duration.milliseconds(200)

    init(_ path: String) {
        self.path = path
        known = Self.state(of: path) ?? []
    }

    /// Whether the file is another than when it was last looked at. Editors replace files, so one that is missing is
    /// about to come back.
    mutating func hasChanged() -> Bool {
        guard ContinuousClock.now - looked > Self.interval else { return false }
        looked = .now
        guard let state = Self.state(of: path), state != known else { return false }
        known = state
        return true
    }

    private static func state(of path: String) -> [Int]? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return [Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
}
