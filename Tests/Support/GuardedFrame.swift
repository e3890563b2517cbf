internal import EditorCore

/// A frame whose memory has known bytes around it, so that a write outside shows.
struct GuardedFrame {
    // Vector loops may touch as much past the last row as the frame pool leaves free.
    private static let slack = 64
    private static let guardBytes = 256
    private static let mark: UInt8 = 0xA5

    /// Owns the memory; freed with the last frame that uses it, or with this guard, whichever lives longer.
    private final class Memory: @unchecked Sendable {
        // Written by the one effect that holds the frame; read by `isIntact` when it is done, on the same thread.
        let bytes: UnsafeMutableBufferPointer<UInt8>
        init(count: Int) {
            bytes = .allocate(capacity: count)
            bytes.initialize(repeating: GuardedFrame.mark)
        }
        deinit { bytes.deallocate() }
    }

    private let memory: Memory
    private let guards: [Range<Int>]
    /// The frame; its planes have wider rows than the pool's.
    var frame: VideoFrame

    /// Copies the pixels of `source`.
    init(_ source: VideoFrame) {
        var (offset, starts, strides, guards) = (0, [Int](), [Int](), [Range<Int>]())
        for plane in 0..<source.format.planeCount {
            let layout = source.layout(ofPlane: plane)
            let stride = (layout.width + 63) & ~63 + 64
            guards.append(offset..<offset + Self.guardBytes)
            offset += Self.guardBytes
            starts.append(offset)
            strides.append(stride)
            offset += stride * layout.height + Self.slack
        }
        guards.append(offset..<offset + Self.guardBytes)
        let memory = Memory(count: offset + Self.guardBytes)
        for plane in starts.indices {
            source.withPlane(plane) { pixels, layout in
                for y in 0..<layout.height {
                    for x in 0..<layout.width {
                        memory.bytes[starts[plane] + y * strides[plane] + x] = pixels[y * layout.stride + x]
                    }
                }
            }
        }
        let planes = starts.indices.map {
            PlaneMemory(base: memory.bytes.baseAddress! + starts[$0], stride: strides[$0])
        }
        // The closure keeps the memory alive as long as the frame.
        let storage = FrameStorage(planes: planes, isWritable: true) { _ = memory }
        (self.memory, self.guards) = (memory, guards)
        frame = VideoFrame(format: source.format, size: source.size, storage: storage)
    }

    /// Whether nothing was written before, between and after the planes.
    var isIntact: Bool { guards.allSatisfy { $0.allSatisfy { memory.bytes[$0] == Self.mark } } }
}
