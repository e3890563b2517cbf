internal import CFFmpeg
internal import Synchronization

/// How the process deals with its memory. Safe on any thread.
public enum ProcessMemory {
    /// Bytes from which on a block is large.
    static let largeBlock = 1 << 20
    private static let isShaped = Atomic<Bool>(false)

    /// Large blocks, such as encoders' pictures, come from the system, zeroed, and go back to it; smaller ones stay with
    /// the process. Encoders and decoders come and go with each span and clip: left to itself the heap keeps their blocks
    /// and tears holes between them, a fifth of the peak of a render. For a program that renders and ends; call it first.
    public static func takeLargeBlocksFromSystem() {
        editor_large_blocks_from_system(Int32(largeBlock))
        isShaped.store(true, ordering: .relaxed)
    }

    /// Whether new large blocks are zero, whatever the process did before. Not under another allocator, and not where
    /// the environment makes glibc fill them.
    static let givesZeroedLargeBlocks = isShaped.load(ordering: .relaxed) && editor_new_blocks_are_zero(largeBlock) != 0
}
