internal import CPangoCairo
internal import EditorCore

/// A text laid out in lines: shaped, wrapped and measured.
///
/// Made, used and let go on one thread, whose own font map it uses. Coordinates are pixels with the text's top at 0;
/// offsets count bytes of the UTF-8 `text`.
final class TextLayout {
    struct Line {
        /// What it shows, without the line break.
        var bytes: Range<Int>
        /// Left end of the baseline.
        var x: Double
        var baseline: Double
        /// The room it takes, as the font says.
        var box: LayoutBox
        /// What is painted.
        var ink: LayoutBox
        var isRightToLeft: Bool
    }

    /// The text without its markup.
    let text: String
    private(set) var lines: [Line] = []

    /// Owned references.
    private let layout: OpaquePointer
    private let attributes: OpaquePointer
    private let font: OpaquePointer
    private let style: TextStyle

    /// Throws when the markup is wrong.
    init(_ content: TextContent, style: TextStyle) throws {
        var parsed = content.string
        var list = pango_attr_list_new()
        if content.isMarkup {
            pango_attr_list_unref(list)
            (parsed, list) = try Self.parse(content.string)
        }
        text = parsed
        attributes = list!
        self.style = style
        let context = pango_font_map_create_context(FontFamilies.map(for: style.family))!
        TextSurface.withFontOptions { pango_cairo_context_set_font_options(context, $0) }
        pango_context_set_round_glyph_positions(context, 0)
        if let language = style.language { pango_context_set_language(context, pango_language_from_string(language)) }
        layout = pango_layout_new(context)
        g_object_unref(UnsafeMutableRawPointer(context))
        font = pango_font_description_new()
        pango_font_description_set_family(font, style.family.names)
        pango_font_description_set_weight(font, PangoWeight(UInt32(style.weight.value)))
        pango_font_description_set_style(font, style.italic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL)
        pango_layout_set_text(layout, parsed, Int32(clamping: parsed.utf8.count))
        pango_layout_set_width(layout, Self.units(max(1, style.maxWidth)))
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_line_spacing(layout, Float(style.lineSpacing))
        fontSize = style.fontSize
        setFontSize(style.fontSize)
        if let smallest = style.smallestFontSize { fit(from: smallest) }
        if style.isBalanced { balance() }
        lines = measuredLines()
    }

    deinit {
        pango_font_description_free(font)
        pango_attr_list_unref(attributes)
        g_object_unref(UnsafeMutableRawPointer(layout))
    }

    /// The em in pixels, after fitting.
    private(set) var fontSize: Double

    private func setFontSize(_ size: Double) {
        fontSize = size
        pango_font_description_set_absolute_size(font, size * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
        let list = pango_attr_list_copy(attributes)!
        if style.letterSpacing != 0 {
            let spacing = pango_attr_letter_spacing_new(Self.units(style.letterSpacing * size))!
            // Behind the markup's own, which goes first.
            pango_attr_list_insert_before(list, spacing)
        }
        pango_layout_set_attributes(layout, list)
        pango_attr_list_unref(list)
    }

    // MARK: - Fitting

    /// Finds the largest font size from `smallest` up to the present one at which no word is broken and the block
    /// stays within the width and height; the smallest when there is none.
    private func fit(from smallest: Double) {
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD)
        defer { pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR) }
        if fits() { return }
        var (low, high) = (smallest, fontSize)
        // Until the rest is a fifth of a pixel or two in a hundred.
        while high - low > max(0.2, high * 0.02) {
            let middle = (low + high) / 2
            setFontSize(middle)
            if fits() { low = middle } else { high = middle }
        }
        setFontSize(low)
    }

    private func fits() -> Bool {
        var (width, height): (Int32, Int32) = (0, 0)
        pango_layout_get_size(layout, &width, &height)
        return Self.pixels(width) <= style.maxWidth + 0.01 && Self.pixels(height) <= style.maxHeight + 0.01
    }

    /// Wraps at the smallest width that makes no more lines, so that the last one is about as long as the others.
    private func balance() {
        let count = pango_layout_get_line_count(layout)
        let paragraphs = text.utf8.reduce(1) { $0 + ($1 == 10 ? 1 : 0) }
        guard count > paragraphs, count <= 8 else { return }
        // Whole words only: what breaks one is no balance.
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD)
        defer { pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR) }
        var (low, high) = (style.maxWidth / Double(count + 1), style.maxWidth)
        // Until the rest is a hundredth of the width.
        while high - low > max(1, style.maxWidth / 100) {
            let middle = (low + high) / 2
            pango_layout_set_width(layout, Self.units(middle))
            var width: Int32 = 0
            pango_layout_get_size(layout, &width, nil)
            if pango_layout_get_line_count(layout) <= count, Self.pixels(width) <= middle + 0.01 {
                high = middle
            } else {
                low = middle
            }
        }
        pango_layout_set_width(layout, Self.units(high))
    }

    // MARK: - Measuring

    /// Lines are set side by side here and not by Pango, whose left means right in a right-to-left paragraph.
    private func measuredLines() -> [Line] {
        var result: [Line] = []
        guard let iterator = pango_layout_get_iter(layout) else { return [] }
        defer { pango_layout_iter_free(iterator) }
        repeat {
            guard let line = pango_layout_iter_get_line_readonly(iterator) else { continue }
            var (ink, logical) = (PangoRectangle(), PangoRectangle())
            pango_layout_line_get_extents(line, &ink, &logical)
            let baseline = Self.pixels(pango_layout_iter_get_baseline(iterator)).rounded()
            let start = Int(line.pointee.start_index)
            result.append(
                Line(
                    bytes: start..<start + Int(line.pointee.length), x: -Self.pixels(logical.x), baseline: baseline,
                    box: Self.box(logical).moved(by: -Self.pixels(logical.x), baseline),
                    ink: Self.box(ink).moved(by: -Self.pixels(logical.x), baseline),
                    isRightToLeft: pango_layout_line_get_resolved_direction(line) == PANGO_DIRECTION_RTL))
        } while pango_layout_iter_next_line(iterator) != 0
        let widest = result.map(\.box.width).max() ?? 0
        for index in result.indices {
            let room = widest - result[index].box.width
            let shift =
                switch style.alignment {
                case .left: 0.0
                case .center: room / 2
                case .right: room
                }
            result[index].x += shift
            result[index].box.x += shift
            result[index].ink.x += shift
        }
        return result
    }

    /// The room that all lines take.
    var block: LayoutBox { lines.dropFirst().reduce(lines[0].box) { $0.union($1.box) } }

    /// What is painted, which may reach beyond the block.
    var ink: LayoutBox {
        lines.lazy.map(\.ink).filter { !$0.isEmpty }.reduce(nil) { $0?.union($1) ?? $1 } ?? lines[0].box
    }

    /// Where a stretch of the text stands: a box for each run of it that lies together on a line, as high as the line.
    func boxes(of bytes: Range<Int>) -> [LayoutBox] {
        var boxes: [LayoutBox] = []
        for (index, line) in lines.enumerated() {
            let part = bytes.clamped(to: line.bytes)
            guard !part.isEmpty, let handle = pango_layout_get_line_readonly(layout, Int32(index)) else { continue }
            var ranges: UnsafeMutablePointer<Int32>?
            var count: Int32 = 0
            pango_layout_line_get_x_ranges(handle, Int32(part.lowerBound), Int32(part.upperBound), &ranges, &count)
            defer { g_free(ranges) }
            // Pango tells them from the layout's left edge, where it has put the line itself.
            let shift = line.x - layoutOffset(ofLine: index)
            for range in 0..<Int(count) {
                guard let ranges else { break }
                let (from, to) = (Self.pixels(ranges[range * 2]), Self.pixels(ranges[range * 2 + 1]))
                boxes.append(LayoutBox(x: from + shift, y: line.box.y, width: to - from, height: line.box.height))
            }
        }
        return boxes
    }

    /// Where Pango begins a line in its own arrangement.
    private func layoutOffset(ofLine wanted: Int) -> Double {
        guard let iterator = pango_layout_get_iter(layout) else { return 0 }
        defer { pango_layout_iter_free(iterator) }
        for _ in 0..<wanted where pango_layout_iter_next_line(iterator) == 0 { return 0 }
        var logical = PangoRectangle()
        pango_layout_iter_get_line_extents(iterator, nil, &logical)
        return Self.pixels(logical.x)
    }

    /// The characters that no font has a glyph for, in order, each once.
    func missingCharacters() -> [Unicode.Scalar] {
        guard pango_layout_get_unknown_glyphs_count(layout) > 0, let iterator = pango_layout_get_iter(layout) else {
            return []
        }
        defer { pango_layout_iter_free(iterator) }
        var missing: [Unicode.Scalar] = []
        repeat {
            guard let run = pango_layout_iter_get_run_readonly(iterator), let glyphs = run.pointee.glyphs else {
                continue
            }
            for index in 0..<Int(glyphs.pointee.num_glyphs) {
                let glyph = glyphs.pointee.glyphs[index].glyph
                // PANGO_GLYPH_UNKNOWN_FLAG, a macro that Swift does not see, marks a character's number.
                guard glyph & 0x1000_0000 != 0, let scalar = Unicode.Scalar(glyph & 0x0fff_ffff) else { continue }
                if !missing.contains(scalar) { missing.append(scalar) }
            }
        } while pango_layout_iter_next_run(iterator) != 0
        return missing
    }

    /// The faces that the text is drawn with, one a line: their names, and what tells one file from another that has
    /// the same name.
    func faces() -> String {
        guard let iterator = pango_layout_get_iter(layout) else { return "" }
        defer { pango_layout_iter_free(iterator) }
        var faces = Set<String>()
        var seen = Set<UnsafeMutableRawPointer>()
        repeat {
            guard let run = pango_layout_iter_get_run_readonly(iterator),
                let font = run.pointee.item?.pointee.analysis.font, seen.insert(UnsafeMutableRawPointer(font)).inserted
            else { continue }
            faces.insert(Self.face(of: font))
        } while pango_layout_iter_next_run(iterator) != 0
        return faces.sorted().joined(separator: "\n")
    }

    /// The families that the text is drawn with, those of the first letters first.
    var families: [String] {
        guard let iterator = pango_layout_get_iter(layout) else { return [] }
        defer { pango_layout_iter_free(iterator) }
        var families: [String] = []
        repeat {
            guard let run = pango_layout_iter_get_run_readonly(iterator),
                let font = run.pointee.item?.pointee.analysis.font, let description = pango_font_describe(font)
            else { continue }
            defer { pango_font_description_free(description) }
            guard let name = pango_font_description_get_family(description).map({ String(cString: $0) }),
                !families.contains(name)
            else { continue }
            families.append(name)
        } while pango_layout_iter_next_run(iterator) != 0
        return families
    }

    /// The `head` table of a font file holds its revision, its date and a sum over all of the file.
    private static func face(of font: UnsafeMutablePointer<PangoFont>) -> String {
        let description = pango_font_describe(font)
        defer { pango_font_description_free(description) }
        var name = "?"
        if let text = pango_font_description_to_string(description) {
            name = String(cString: text)
            g_free(text)
        }
        guard let shaper = pango_font_get_hb_font(font), let face = hb_font_get_face(shaper) else { return name }
        // "head", as OpenType writes a tag.
        let table = hb_face_reference_table(face, 0x6865_6164)
        defer { hb_blob_destroy(table) }
        var length: UInt32 = 0
        guard let bytes = hb_blob_get_data(table, &length) else { return name }
        let head = UnsafeRawBufferPointer(start: bytes, count: Int(length)).map { String($0, radix: 16) }
        return "\(name) \(hb_face_get_glyph_count(face)) \(head.joined(separator: "."))"
    }

    // MARK: - Drawing

    /// Gives stretches of the text another colour; shaping stays as it is.
    func color(_ stretches: [Range<Int>], _ color: Color) {
        guard !stretches.isEmpty, let list = pango_attr_list_copy(pango_layout_get_attributes(layout)) else { return }
        for stretch in stretches {
            for attribute in [
                pango_attr_foreground_new(UInt16(color.red) * 257, UInt16(color.green) * 257, UInt16(color.blue) * 257),
                // 0 would mean that no alpha is set.
                pango_attr_foreground_alpha_new(max(1, UInt16(color.alpha) * 257)),
            ] {
                guard let attribute else { continue }
                attribute.pointee.start_index = UInt32(clamping: stretch.lowerBound)
                attribute.pointee.end_index = UInt32(clamping: stretch.upperBound)
                pango_attr_list_change(list, attribute)
            }
        }
        pango_layout_set_attributes(layout, list)
        pango_attr_list_unref(list)
    }

    /// Paints the text with its origin at a point of the surface, in the surface's colour where it has none of its own.
    func draw(on surface: TextSurface, x: Double, y: Double) {
        for (index, line) in lines.enumerated() {
            guard let handle = pango_layout_get_line_readonly(layout, Int32(index)) else { continue }
            surface.move(toX: x + line.x, y: y + line.baseline)
            pango_cairo_show_layout_line(surface.context, handle)
        }
    }

    /// Takes away what is translucent or behind the glyphs, so that what is drawn next is the glyphs' bare coverage.
    func keepCoverageOnly() {
        guard let list = pango_attr_list_copy(pango_layout_get_attributes(layout)) else { return }
        let dropped = pango_attr_list_filter(
            list,
            { attribute, _ in
                let kind = attribute?.pointee.klass.pointee.type
                return kind == PANGO_ATTR_FOREGROUND_ALPHA || kind == PANGO_ATTR_BACKGROUND
                    || kind == PANGO_ATTR_BACKGROUND_ALPHA
                    ? 1 : 0
            }, nil)
        if let dropped { pango_attr_list_unref(dropped) }
        pango_layout_set_attributes(layout, list)
        pango_attr_list_unref(list)
    }

    // MARK: - Pango's terms

    private static func units(_ pixels: Double) -> Int32 {
        Int32(clamping: Int((pixels * Double(PANGO_SCALE)).rounded()))
    }
    private static func pixels(_ units: Int32) -> Double { Double(units) / Double(PANGO_SCALE) }
    private static func box(_ r: PangoRectangle) -> LayoutBox {
        LayoutBox(x: pixels(r.x), y: pixels(r.y), width: pixels(r.width), height: pixels(r.height))
    }

    /// What is wrong with a markup text, in Pango's words; nil when nothing is.
    static func markupProblem(_ markup: String) -> String? {
        do {
            let (_, attributes) = try parse(TextContent.markup(markup).string)
            pango_attr_list_unref(attributes)
            return nil
        } catch { return (error as? EditorError)?.message }
    }

    private static func parse(_ markup: String) throws -> (String, OpaquePointer?) {
        var attributes: OpaquePointer?
        var plain: UnsafeMutablePointer<CChar>?
        var failure: UnsafeMutablePointer<GError>?
        guard pango_parse_markup(markup, -1, 0, &attributes, &plain, nil, &failure) != 0, let plain else {
            let message = failure.map { String(cString: $0.pointee.message) } ?? "it cannot be parsed"
            if let failure { g_error_free(failure) }
            throw EditorError(.invalidData, message)
        }
        defer { g_free(plain) }
        return (String(cString: plain), attributes)
    }
}
