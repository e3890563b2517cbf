internal import CRsvg
internal import EditorCore

/// An SVG document, drawn by librsvg. Belongs to one thread.
///
/// It has no address, so librsvg follows no reference out of it, neither to files nor to the network.
final class VectorDrawing {
    private let handle: UnsafeMutablePointer<RsvgHandle>
    private let path: String
    /// In pixels.
    let size: (width: Double, height: Double)

    /// What CSS gives a drawing that says nothing of its size.
    private static let standardSize = (width: 300.0, height: 150.0)

    /// - Throws: `EditorError` `.invalidData` when the document is damaged.
    init(_ data: [UInt8], path: String) throws {
        self.path = path
        var error: UnsafeMutablePointer<GError>?
        let created = data.withUnsafeBufferPointer {
            rsvg_handle_new_from_data($0.baseAddress, gsize($0.count), &error)
        }
        guard let created else {
            throw EditorError(.invalidData, "\(path) is an SVG drawing that cannot be read: \(Self.take(&error))")
        }
        handle = created
        rsvg_handle_set_dpi(created, 96)
        size = Self.naturalSize(created)
    }

    deinit { g_object_unref(handle) }

    /// Width and height as given; else the view box gives what is missing.
    private static func naturalSize(_ handle: UnsafeMutablePointer<RsvgHandle>) -> (width: Double, height: Double) {
        var (width, height) = (0.0, 0.0)
        if rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height) != 0, width > 0, height > 0 {
            return (width, height)
        }
        var (hasWidth, hasHeight, hasBox): (gboolean, gboolean, gboolean) = (0, 0, 0)
        var (givenWidth, givenHeight, box) = (RsvgLength(), RsvgLength(), RsvgRectangle())
        rsvg_handle_get_intrinsic_dimensions(handle, &hasWidth, &givenWidth, &hasHeight, &givenHeight, &hasBox, &box)
        return hasBox != 0 && box.width > 0 && box.height > 0 ? (box.width, box.height) : standardSize
    }

    /// The drawing `width` pixels wide, or in its natural size.
    func draw(width: Int?, budget: ImageBudget) throws -> OverlayPicture {
        let columns = max(1, width.map(Double.init) ?? size.width.rounded(.up))
        let rows = max(1, (size.height * columns / size.width).rounded())
        guard columns < 1e6, rows < 1e6 else {
            throw EditorError(.invalidData, "\(path) is too large to be drawn: it would be \(columns)x\(rows) pixels")
        }
        let drawn = PixelSize(width: Int(columns), height: Int(rows))
        try budget.admit(drawn)
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(drawn.width), Int32(drawn.height))
        else {
            throw EditorError(.internalBug, "cairo gave no surface for \(path)")
        }
        defer { cairo_surface_destroy(surface) }
        let canvas = cairo_create(surface)
        defer { cairo_destroy(canvas) }
        var viewport = RsvgRectangle(x: 0, y: 0, width: columns, height: rows)
        var error: UnsafeMutablePointer<GError>?
        guard rsvg_handle_render_document(handle, canvas, &viewport, &error) != 0 else {
            throw EditorError(.invalidData, "\(path) is an SVG drawing that cannot be drawn: \(Self.take(&error))")
        }
        cairo_surface_flush(surface)
        guard let data = cairo_image_surface_get_data(surface) else {
            throw EditorError(.internalBug, "cairo gave no pixels for \(path)")
        }
        return Self.picture(data, stride: Int(cairo_image_surface_get_stride(surface)), size: drawn)
    }

    /// Cairo's premultiplied 32-bit words, alpha in the highest byte, to R, G, B, A bytes.
    private static func picture(_ data: UnsafeMutablePointer<UInt8>, stride: Int, size: PixelSize) -> OverlayPicture {
        let pixels = [UInt8](unsafeUninitializedCapacity: size.width * size.height * 4) { target, count in
            var place = target.baseAddress!
            for y in 0..<size.height {
                let row = UnsafeRawPointer(data + y * stride).assumingMemoryBound(to: UInt32.self)
                for x in 0..<size.width {
                    let word = row[x]
                    place[0] = UInt8(truncatingIfNeeded: word >> 16)
                    place[1] = UInt8(truncatingIfNeeded: word >> 8)
                    place[2] = UInt8(truncatingIfNeeded: word)
                    place[3] = UInt8(truncatingIfNeeded: word >> 24)
                    place += 4
                }
            }
            count = size.width * size.height * 4
        }
        return OverlayPicture(width: size.width, height: size.height, pixels: pixels)
    }

    private static func take(_ error: inout UnsafeMutablePointer<GError>?) -> String {
        defer { g_clear_error(&error) }
        return error.flatMap { $0.pointee.message.map { String(cString: $0) } } ?? "unknown reason"
    }
}
