internal import EditorCore
internal import Glibc

/// What decoding one image file may cost. Small files can claim enormous pictures; such a file is refused before its
/// memory is taken.
struct ImageBudget {
    static let mostPixels = 64_000_000
    static let mostBytes = 512 << 20
    /// Of this thread's computing time, so that a busy machine refuses nothing that an idle one accepts.
    static let mostSeconds = 20

    let path: String
    private var keptBytes = 0
    private let start = Self.threadSeconds

    init(path: String) { self.path = path }

    /// Refuses a picture that is too large.
    func admit(_ size: PixelSize) throws {
        guard size.width > 0, size.height > 0 else {
            throw EditorError(.invalidData, "\(path) is damaged: its picture is \(size.width)x\(size.height)")
        }
        guard size.height <= Self.mostPixels / size.width else {
            throw EditorError(
                .invalidData,
                "\(path) is too large: its picture is \(size.width)x\(size.height), and at most "
                    + "\(Self.mostPixels / 1_000_000) megapixels are decoded; make it smaller")
        }
    }

    /// Counts a picture that is kept.
    mutating func keep(_ picture: OverlayPicture) throws {
        keptBytes += picture.pixels.count
        try checkBytes(keptBytes, size: PixelSize(width: picture.width, height: picture.height))
        guard Self.threadSeconds - start < Self.mostSeconds else {
            throw EditorError(
                .invalidData,
                "\(path) takes more than \(Self.mostSeconds) s to decode (\(picture.width)x\(picture.height)); "
                    + "make it smaller or shorter")
        }
    }

    private static var threadSeconds: Int {
        var now = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        return now.tv_sec
    }

    /// Refuses an animation whose length is known before it is decoded.
    func admit(frames: Int, of size: PixelSize) throws {
        try admit(size)
        let (bytes, overflow) = (size.width * size.height * 4).multipliedReportingOverflow(by: frames)
        try checkBytes(overflow ? .max : bytes, size: size)
    }

    private func checkBytes(_ bytes: Int, size: PixelSize) throws {
        guard bytes <= Self.mostBytes else {
            throw EditorError(
                .invalidData,
                "\(path) is too large: its pictures of \(size.width)x\(size.height) take more than "
                    + "\(Self.mostBytes >> 20) MB; make it smaller or shorter")
        }
    }
}
