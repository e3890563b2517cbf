internal import CPangoCairo
internal import EditorCore

/// A picture to draw on. Belongs to the thread that made it.
final class TextSurface {
    let width: Int
    let height: Int
    /// Owned; lives as long as this object.
    private let surface: OpaquePointer
    /// For Pango's drawing calls; lives as long as this object.
    let context: OpaquePointer

    /// A clear picture. Throws when there is no memory for it.
    init(width: Int, height: Int) throws {
        self.width = width
        self.height = height
        surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
        context = cairo_create(surface)
        let status = cairo_status(context)
        guard status == CAIRO_STATUS_SUCCESS else {
            // Swift does not run deinit for an init that throws.
            cairo_destroy(context)
            cairo_surface_destroy(surface)
            throw EditorError(
                .ioFailed,
                "a text of \(width)×\(height) pixels cannot be drawn: \(String(cString: cairo_status_to_string(status)))"
            )
        }
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    /// The colour of what is drawn next.
    func setColor(_ color: Color) {
        cairo_set_source_rgba(
            context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255,
            Double(color.alpha) / 255)
    }

    /// Where the next line of text begins: the left end of its baseline.
    func move(toX x: Double, y: Double) { cairo_move_to(context, x, y) }

    /// Fills boxes as one shape, so that a translucent colour does not add up where they overlap.
    func fill(_ boxes: [LayoutBox], cornerRadius: Double) {
        cairo_new_path(context)
        for box in boxes where !box.isEmpty {
            let radius = min(cornerRadius, box.width / 2, box.height / 2)
            guard radius > 0 else {
                cairo_rectangle(context, box.x, box.y, box.width, box.height)
                continue
            }
            cairo_new_sub_path(context)
            cairo_arc(context, box.maxX - radius, box.y + radius, radius, -.pi / 2, 0)
            cairo_arc(context, box.maxX - radius, box.maxY - radius, radius, 0, .pi / 2)
            cairo_arc(context, box.x + radius, box.maxY - radius, radius, .pi / 2, .pi)
            cairo_arc(context, box.x + radius, box.y + radius, radius, .pi, .pi * 3 / 2)
            cairo_close_path(context)
        }
        cairo_fill(context)
    }

    /// Draws only within the boxes.
    func clipped(to boxes: [LayoutBox], _ draw: () -> Void) {
        cairo_save(context)
        cairo_new_path(context)
        for box in boxes { cairo_rectangle(context, box.x, box.y, box.width, box.height) }
        cairo_clip(context)
        draw()
        cairo_restore(context)
    }

    /// The premultiplied R, G, B, A bytes, without padding.
    func pixels() -> [UInt8] {
        var result = [UInt8](repeating: 0, count: width * height * 4)
        withRows { row, words in
            result.withUnsafeMutableBytes { bytes in
                let target = bytes.baseAddress! + row * width * 4
                // ARGB32 is one number in the machine's order: blue is its lowest byte.
                for x in 0..<width {
                    let word = words[x]
                    let swapped = (word & 0xff00_ff00) | (word >> 16 & 0xff) | (word & 0xff) << 16
                    target.storeBytes(of: swapped.littleEndian, toByteOffset: x * 4, as: UInt32.self)
                }
            }
        }
        return result
    }

    /// The alpha of each pixel, without padding.
    func coverage() -> [UInt8] {
        var result = [UInt8](repeating: 0, count: width * height)
        withRows { row, words in
            for x in 0..<width { result[row * width + x] = UInt8(words[x] >> 24) }
        }
        return result
    }

    private func withRows(_ body: (_ row: Int, _ words: UnsafePointer<UInt32>) -> Void) {
        cairo_surface_flush(surface)
        guard let data = cairo_image_surface_get_data(surface) else { return }
        let stride = Int(cairo_image_surface_get_stride(surface))
        for row in 0..<height {
            UnsafeRawPointer(data + row * stride).withMemoryRebound(to: UInt32.self, capacity: width) { body(row, $0) }
        }
    }

    /// Grey antialiasing and no hinting: glyphs keep their shape at every size, so twice the size is twice as wide.
    static func withFontOptions(_ body: (OpaquePointer) -> Void) {
        guard let options = cairo_font_options_create() else { return }
        defer { cairo_font_options_destroy(options) }
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        body(options)
    }
}
