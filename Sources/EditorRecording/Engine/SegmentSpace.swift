internal import EditorCore
internal import Glibc

/// The disk that segments are written to.
enum SegmentSpace {
    /// Bytes below which a segment is not begun.
    private static let least = 16 << 20

    /// - Throws: `EditorError` that names the folder when there is too little room for a segment.
    static func check(_ folder: String) throws {
        var space = statvfs()
        guard statvfs(folder, &space) == 0 else { return }
        let free = Int(space.f_bavail) * Int(space.f_frsize)
        guard free >= least else {
            throw EditorError(
                .ioFailed,
                "there are only \(free >> 20) MiB left in \(folder); make room, or choose another videoFilePathType")
        }
    }
}
