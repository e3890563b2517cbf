internal import Synchronization

/// Recycles the memory of frames. A frame's block comes back when its last user lets go, so a steady stream of frames
/// allocates no pixels. Safe on any thread.
public final class FramePool: Sendable {
    /// Blocks that nobody uses, touched under the lock only.
    private let idle = Mutex<[Block]>([])
    /// Unused blocks beyond this many are freed.
    private static let mostIdle = 16

    /// `@unchecked Sendable`: a block has one owner at a time, this pool's list or one FrameStorage.
    private struct Block: @unchecked Sendable {
        let memory: UnsafeMutableRawBufferPointer
    }

    public init() {}

    deinit {
        idle.withLock { blocks in
            for block in blocks { block.memory.deallocate() }
        }
    }

    /// A frame with undefined pixels. Rows start at multiples of 64 bytes.
    public func frame(_ format: PixelFormat, _ size: PixelSize) -> VideoFrame {
        var offsets: [(offset: Int, stride: Int)] = []
        var bytes = 0
        for plane in 0..<format.planeCount {
            let extent = format.planeSize(plane, of: size)
            let stride = (extent.width + 63) & ~63
            offsets.append((bytes, stride))
            // Room for loops that read or write whole vectors past the last row.
            bytes += stride * extent.height + 64
        }
        let block = take(bytes)
        let base = block.memory.baseAddress!.assumingMemoryBound(to: UInt8.self)
        let storage = FrameStorage(
            planes: offsets.map { PlaneMemory(base: base + $0.offset, stride: $0.stride) }, isWritable: true
        ) { [self] in giveBack(block) }
        return VideoFrame(format: format, size: size, storage: storage)
    }

    private func take(_ bytes: Int) -> Block {
        let found = idle.withLock { blocks in
            blocks.lastIndex { $0.memory.count == bytes }.map { blocks.remove(at: $0) }
        }
        return found ?? Block(memory: .allocate(byteCount: bytes, alignment: 64))
    }

    private func giveBack(_ block: Block) {
        let surplus: Block? = idle.withLock { blocks in
            blocks.append(block)
            return blocks.count > Self.mostIdle ? blocks.removeFirst() : nil
        }
        surplus?.memory.deallocate()
    }
}
