internal import CFFmpeg

/// How the process deals with its memory.
public enum ProcessMemory {
    /// Encoders and decoders come and go with large blocks of equal sizes. Kept by the process, they need not be given
    /// back to the system and be zeroed by it again each time. For a program that renders and ends; call it first.
    public static func keepFreedBlocks() { editor_keep_memory() }
}
