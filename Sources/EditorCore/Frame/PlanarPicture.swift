/// A plane's rows in memory, while a frame lends them.
package struct PlaneRows {
    package let base: UnsafeMutablePointer<UInt8>
    package let width: Int
    package let height: Int
    package let stride: Int

    @inlinable
    package init(base: UnsafeMutablePointer<UInt8>, width: Int, height: Int, stride: Int) {
        (self.base, self.width, self.height, self.stride) = (base, width, height, stride)
    }

    @inlinable
    package func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { base + y &* stride }
}

/// The rows of a picture's luma, C′B and C′R.
package struct PlanarPicture {
    package let luma: PlaneRows
    package let cb: PlaneRows
    package let cr: PlaneRows

    package static let planes = 0..<3

    package subscript(plane: Int) -> PlaneRows { plane == 0 ? luma : plane == 1 ? cb : cr }
}

extension VideoFrame {
    /// Lends the planes for writing, after copying the picture when its memory is shared. Not for empty pictures.
    package mutating func withPlanarPicture(_ body: (PlanarPicture) -> Void) {
        guard width > 0, height > 0 else { return }
        withMutablePlanes { y, u, v, luma, chroma in
            y.withUnsafeMutableBufferPointer { y in
                u.withUnsafeMutableBufferPointer { u in
                    v.withUnsafeMutableBufferPointer { v in
                        body(
                            PlanarPicture(
                                luma: PlaneRows(y.baseAddress!, luma), cb: PlaneRows(u.baseAddress!, chroma),
                                cr: PlaneRows(v.baseAddress!, chroma)))
                    }
                }
            }
        }
    }

    /// Lends the planes for reading; nothing may be written to them. Not for empty pictures.
    package func readingPlanarPicture(_ body: (PlanarPicture) -> Void) {
        guard width > 0, height > 0 else { return }
        withPlane(0) { y, luma in
            withPlane(1) { u, chroma in
                withPlane(2) { v, _ in
                    y.withUnsafeBufferPointer { y in
                        u.withUnsafeBufferPointer { u in
                            v.withUnsafeBufferPointer { v in
                                body(
                                    PlanarPicture(
                                        luma: PlaneRows(reading: y.baseAddress!, luma),
                                        cb: PlaneRows(reading: u.baseAddress!, chroma),
                                        cr: PlaneRows(reading: v.baseAddress!, chroma)))
                            }
                        }
                    }
                }
            }
        }
    }

    /// Lends the planes of this picture for writing, and those of another of the same size for reading.
    package mutating func withPlanarPicture(
        and other: VideoFrame, _ body: (_ out: PlanarPicture, _ incoming: PlanarPicture) -> Void
    ) {
        precondition(
            other.size == size && other.format == .yuv420 && format == .yuv420, "a transition joins like pictures")
        other.readingPlanarPicture { incoming in
            withPlanarPicture { out in body(out, incoming) }
        }
    }
}

extension PlaneRows {
    fileprivate init(_ base: UnsafeMutablePointer<UInt8>, _ layout: VideoFrame.PlaneLayout) {
        self.init(base: base, width: layout.width, height: layout.height, stride: layout.stride)
    }

    fileprivate init(reading base: UnsafePointer<UInt8>, _ layout: VideoFrame.PlaneLayout) {
        self.init(UnsafeMutablePointer(mutating: base), layout)
    }
}
