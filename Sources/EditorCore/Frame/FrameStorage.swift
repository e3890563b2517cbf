/// One plane of a picture in memory.
package struct PlaneMemory {
    package var base: UnsafeMutablePointer<UInt8>
    /// Bytes from one row to the next.
    package var stride: Int

    package init(base: UnsafeMutablePointer<UInt8>, stride: Int) { (self.base, self.stride) = (base, stride) }
}

/// The counted memory behind `VideoFrame` values.
///
/// `@unchecked Sendable`: the bytes change only through `VideoFrame.makeWritable`, which hands them out for writing
/// only while exactly one frame refers to a writable storage; shared storage is read-only. The other members never
/// change after `init`.
package final class FrameStorage: @unchecked Sendable {
    package let planes: [PlaneMemory]
    /// False for memory that somebody else may still read, such as a decoder's reference pictures.
    package let isWritable: Bool
    private let release: @Sendable () -> Void

    /// - Parameter release: called once when the last frame is gone; gives the memory back to its owner.
    package init(planes: [PlaneMemory], isWritable: Bool, release: @escaping @Sendable () -> Void) {
        self.planes = planes
        self.isWritable = isWritable
        self.release = release
    }

    deinit { release() }
}
