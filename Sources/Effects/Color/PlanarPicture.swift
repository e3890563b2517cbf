internal import EditorCore

/// A plane's rows in memory, while a frame lends them.
struct PlaneRows {
    let base: UnsafeMutablePointer<UInt8>
    let width: Int
    let height: Int
    let stride: Int

    func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { base + y &* stride }
}

/// Luma and both chroma planes of a picture that may be written to.
struct PlanarPicture {
    let luma: PlaneRows
    let cb: PlaneRows
    let cr: PlaneRows

    subscript(plane: Int) -> PlaneRows { plane == 0 ? luma : plane == 1 ? cb : cr }
}

extension VideoFrame {
    /// Lends the planes for writing, after copying the picture when its memory is shared. Not for empty pictures.
    mutating func withPlanarPicture(_ body: (PlanarPicture) -> Void) {
        guard width > 0, height > 0 else { return }
        withMutablePlanes { y, u, v, luma, chroma in
            y.withUnsafeMutableBufferPointer { y in
                u.withUnsafeMutableBufferPointer { u in
                    v.withUnsafeMutableBufferPointer { v in
                        func rows(_ base: UnsafeMutablePointer<UInt8>, _ layout: PlaneLayout) -> PlaneRows {
                            PlaneRows(base: base, width: layout.width, height: layout.height, stride: layout.stride)
                        }
                        body(
                            PlanarPicture(
                                luma: rows(y.baseAddress!, luma), cb: rows(u.baseAddress!, chroma),
                                cr: rows(v.baseAddress!, chroma)))
                    }
                }
            }
        }
    }
}
