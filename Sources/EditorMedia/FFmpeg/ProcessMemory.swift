internal import CFFmpeg
internal import Synchronization

/// How the process deals with its memory. Safe on any thread.
public enum ProcessMemory {
    private static let isZeroed = Atomic<Bool>(false)

    /// New blocks of memory are zero, but for those below a kilobyte, so that no library's work depends on what was there
    /// before. Encoders and decoders come and go with large blocks of equal sizes: these stay with the process, and need
    /// not be given back to the system and be mapped again each time. For a program that renders and ends; call it first.
    public static func shape() { isZeroed.store(editor_shape_memory(), ordering: .relaxed) }

    /// Whether new blocks are zero, whatever the process did before: not under another allocator than glibc's.
    static var givesZeroedBlocks: Bool { isZeroed.load(ordering: .relaxed) }
}
