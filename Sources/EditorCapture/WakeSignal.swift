internal import CCapture
internal import Glibc

/// Wakes a thread that waits in `poll(2)`. Safe on any thread.
final class WakeSignal: Sendable {
    /// Readable once the signal was given.
    let file: Int32

    init() { file = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }

    deinit { close(file) }

    func give() {
        var one: UInt64 = 1
        _ = write(file, &one, 8)
    }
}
