/// A picture as a value: copies share their memory until one of them is written to.
///
/// Frames come from a `FramePool` or a video source. Pixels are read and written plane by plane as rows × stride;
/// bytes between a row's width and its stride have no meaning.
public struct VideoFrame: Sendable {
    public let format: PixelFormat
    public let size: PixelSize
    package private(set) var storage: FrameStorage

    public var width: Int { size.width }
    public var height: Int { size.height }

    package init(format: PixelFormat, size: PixelSize, storage: FrameStorage) {
        self.format = format
        self.size = size
        self.storage = storage
    }

    /// Extent of a plane: bytes in a row, rows, and bytes from one row to the next.
    public struct PlaneLayout: Sendable, Hashable {
        public var width: Int
        public var height: Int
        public var stride: Int
    }

    public func layout(ofPlane index: Int) -> PlaneLayout {
        let extent = format.planeSize(index, of: size)
        return PlaneLayout(width: extent.width, height: extent.height, stride: storage.planes[index].stride)
    }

    /// Whether both frames are the same memory, hence the same picture.
    public func isSamePicture(as other: VideoFrame) -> Bool { storage === other.storage }

    /// Reads a plane. The span ends with the last row's last byte.
    public func withPlane<R>(_ index: Int, _ body: (Span<UInt8>, PlaneLayout) throws -> R) rethrows -> R {
        let layout = layout(ofPlane: index)
        let pixels = UnsafeBufferPointer(start: storage.planes[index].base, count: Self.byteCount(layout))
        return try body(pixels.span, layout)
    }

    /// Writes to a plane, after copying the picture when its memory is shared.
    public mutating func withMutablePlane<R>(
        _ index: Int, _ body: (inout MutableSpan<UInt8>, PlaneLayout) throws -> R
    ) rethrows -> R {
        makeWritable()
        let layout = layout(ofPlane: index)
        let pixels = UnsafeMutableBufferPointer(start: storage.planes[index].base, count: Self.byteCount(layout))
        var span = pixels.mutableSpan
        return try body(&span, layout)
    }

    /// Writes to luma and both chroma planes together, after copying the picture when its memory is shared.
    /// The chroma planes have equal layouts. Only for the YUV formats.
    public mutating func withMutablePlanes<R>(
        _ body: (
            _ y: inout MutableSpan<UInt8>, _ u: inout MutableSpan<UInt8>, _ v: inout MutableSpan<UInt8>,
            _ luma: PlaneLayout, _ chroma: PlaneLayout
        ) throws -> R
    ) rethrows -> R {
        precondition(format != .rgba, "a packed picture has one plane")
        makeWritable()
        let (luma, chroma) = (layout(ofPlane: 0), layout(ofPlane: 1))
        precondition(chroma == layout(ofPlane: 2))
        var y = UnsafeMutableBufferPointer(start: storage.planes[0].base, count: Self.byteCount(luma)).mutableSpan
        var u = UnsafeMutableBufferPointer(start: storage.planes[1].base, count: Self.byteCount(chroma)).mutableSpan
        var v = UnsafeMutableBufferPointer(start: storage.planes[2].base, count: Self.byteCount(chroma)).mutableSpan
        return try body(&y, &u, &v, luma, chroma)
    }

    private static func byteCount(_ layout: PlaneLayout) -> Int {
        layout.height == 0 ? 0 : layout.stride * (layout.height - 1) + layout.width
    }

    /// Copies the picture unless this frame alone refers to writable memory.
    package mutating func makeWritable(from pool: FramePool = .shared) {
        if storage.isWritable, isKnownUniquelyReferenced(&storage) { return }
        let copy = pool.frame(format, size)
        for plane in 0..<format.planeCount {
            let extent = format.planeSize(plane, of: size)
            let (source, target) = (storage.planes[plane], copy.storage.planes[plane])
            for row in 0..<extent.height {
                (target.base + row * target.stride).update(from: source.base + row * source.stride, count: extent.width)
            }
        }
        storage = copy.storage
    }

    /// The memory of the planes, for kernels of this package. Call `makeWritable` before writing; the pointers live
    /// as long as the frame.
    package var planes: [PlaneMemory] { storage.planes }
}

extension FramePool {
    /// The pool for copies made on write.
    package static let shared = FramePool()
}
