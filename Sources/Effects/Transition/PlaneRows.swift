internal import EditorCore

/// A plane's rows in memory, while a frame lends them.
struct PlaneRows {
    let base: UnsafeMutablePointer<UInt8>
    let width: Int
    let height: Int
    let stride: Int

    func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { base + y &* stride }
}

/// The three planes of a `yuv420` picture: luma, C′B, C′R.
struct PictureRows {
    let luma: PlaneRows
    let cb: PlaneRows
    let cr: PlaneRows

    var planes: [PlaneRows] { [luma, cb, cr] }
}

extension VideoFrame {
    /// Lends the rows of this picture for writing, and those of another of the same size for reading.
    mutating func withRows(and other: VideoFrame, _ body: (_ out: PictureRows, _ incoming: PictureRows) -> Void) {
        guard width > 0, height > 0 else { return }
        let (size, format) = (other.size, other.format)
        precondition(
            size == self.size && format == .yuv420 && self.format == .yuv420, "a transition joins like pictures")
        other.withRows { incoming in
            withMutablePlanes { y, u, v, luma, chroma in
                y.withUnsafeMutableBufferPointer { y in
                    u.withUnsafeMutableBufferPointer { u in
                        v.withUnsafeMutableBufferPointer { v in
                            let out = PictureRows(
                                luma: PlaneRows(y.baseAddress!, luma), cb: PlaneRows(u.baseAddress!, chroma),
                                cr: PlaneRows(v.baseAddress!, chroma))
                            body(out, incoming)
                        }
                    }
                }
            }
        }
    }

    /// Lends the rows for reading; nothing may be written to them.
    func withRows(_ body: (PictureRows) -> Void) {
        withPlane(0) { y, luma in
            withPlane(1) { u, chroma in
                withPlane(2) { v, _ in
                    y.withUnsafeBufferPointer { y in
                        u.withUnsafeBufferPointer { u in
                            v.withUnsafeBufferPointer { v in
                                body(
                                    PictureRows(
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
}

extension PlaneRows {
    fileprivate init(_ base: UnsafeMutablePointer<UInt8>, _ layout: VideoFrame.PlaneLayout) {
        self.init(base: base, width: layout.width, height: layout.height, stride: layout.stride)
    }

    fileprivate init(reading base: UnsafePointer<UInt8>, _ layout: VideoFrame.PlaneLayout) {
        self.init(UnsafeMutablePointer(mutating: base), layout)
    }
}
