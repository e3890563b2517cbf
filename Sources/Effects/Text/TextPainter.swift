internal import EditorCore
internal import Glibc

/// What is seen of a text at a moment.
struct TextState: Hashable {
    /// Which of the texts.
    var content = 0
    /// How many bytes of it show; nil is all.
    var revealed: Int?
    /// The bytes that stand out.
    var spoken: Range<Int>?
}

/// A drawn text, and where its block (the lines, or the box around them) lies in the picture, in picture pixels.
struct DrawnText {
    var picture: OverlayPicture
    var block: LayoutBox
}

/// Draws a laid out text with its box, shadow and outline. All states of one text have pictures of one size.
struct TextPainter {
    let layout: TextLayout
    let style: TextStyle
    /// The block in the layout's coordinates, on whole pixels.
    let block: LayoutBox
    /// What the picture shows, in the layout's coordinates, on whole pixels.
    let extent: LayoutBox
    private let boxes: [LayoutBox]

    /// Throws when the picture would have more than `mostPixels` pixels.
    init(_ layout: TextLayout, style: TextStyle, mostPixels: Int) throws {
        self.layout = layout
        self.style = style
        let padding = Self.padding(of: style, fontSize: layout.fontSize)
        block = layout.block.grown(by: padding.x, padding.y).wholePixels
        switch (style.background, style.backgroundShape) {
        case (nil, _): boxes = []
        case (_, .block): boxes = [block]
        case (_, .lines):
            boxes = layout.lines.filter { !$0.ink.isEmpty }.map { $0.box.grown(by: padding.x, padding.y).wholePixels }
        }
        var extent = layout.ink
        if let outline = style.outline { extent = extent.grown(by: outline.width + 1, outline.width + 1) }
        if let shadow = style.shadow {
            // Three boxes of 1.88 deviations reach 2.82 deviations far.
            let reach = shadow.deviation * 3 + 1
            extent = extent.union(extent.grown(by: reach, reach).moved(by: shadow.dx, shadow.dy))
        }
        // A pixel of air for what antialiasing spills.
        extent = extent.grown(by: 1, 1).union(block).wholePixels
        self.extent = extent
        let limit = Double(mostPixels)
        guard extent.width * extent.height <= limit, max(extent.width, extent.height) <= 16384 else {
            throw EditorError(
                .invalidData,
                "the text would be drawn \(Int(extent.width))×\(Int(extent.height)) pixels large, far larger than the canvas; "
                    + "a smaller fontSize, a larger maxWidth or less text helps")
        }
    }

    private static func padding(of style: TextStyle, fontSize: Double) -> Point {
        if let padding = style.padding { return Point(padding, padding) }
        return style.background == nil ? Point(0, 0) : Point(fontSize * 0.3, fontSize * 0.1)
    }

    /// What is the same in all states of a text that differ in their spoken words alone.
    struct Shape {
        /// The glyphs' coverage.
        var mask: CoverageMask
        var shadow: PixelLayer?
        /// The outline with what is within it.
        var outline: PixelLayer?

        /// Bytes of memory.
        var cost: Int { mask.pixels.count + (shadow?.pixels.count ?? 0) + (outline?.pixels.count ?? 0) }
    }

    /// Draws a state. Colours that `spoken` brings stay in the layout, so a painter draws one state.
    /// - Parameter known: the shape of another state with the same glyphs; nil draws it.
    /// - Returns: the text, and its shape where it has an outline or a shadow.
    func draw(_ state: TextState, shape known: Shape? = nil) throws -> (text: DrawnText, shape: Shape?) {
        var picture = PixelLayer(width: Int(extent.width), height: Int(extent.height))
        if let background = try drawnBackground(state) { picture = background }
        let region = region(state)
        let (x, y) = (Int(region.x - extent.x), Int(region.y - extent.y))

        if let spoken = state.spoken, let color = style.highlight.color { layout.color([spoken], color) }
        let surface = try drawnText(state, region, color: style.color)
        let fill = PixelLayer(width: surface.width, height: surface.height, pixels: surface.pixels())
        var shape: Shape?
        if style.outline != nil || style.shadow != nil {
            let drawn = try known ?? self.shape(state, region)
            if let shadow = drawn.shadow { picture.cover(with: shadow, x: x, y: y) }
            if var outlined = drawn.outline {
                outlined.replace(within: drawn.mask, by: fill)
                picture.cover(with: outlined, x: x, y: y)
            } else {
                picture.cover(with: fill, x: x, y: y)
            }
            shape = drawn
        } else {
            picture.cover(with: fill, x: x, y: y)
        }
        let text = DrawnText(
            picture: OverlayPicture(width: picture.width, height: picture.height, pixels: picture.pixels),
            block: block.moved(by: -extent.x, -extent.y))
        return (text, shape)
    }

    private func shape(_ state: TextState, _ region: LayoutBox) throws -> Shape {
        layout.keepCoverageOnly()
        let surface = try drawnText(state, region, color: .white)
        let mask = CoverageMask(width: surface.width, height: surface.height, pixels: surface.coverage())
        let grown = style.outline.map { mask.grown(by: $0.width) }
        let shadow = style.shadow.map { shadow in
            let fallen = (grown ?? mask).moved(by: Int(shadow.dx.rounded()), Int(shadow.dy.rounded()))
            return PixelLayer(fallen.blurred(deviation: shadow.deviation), color: shadow.color)
        }
        return Shape(
            mask: mask, shadow: shadow,
            outline: style.outline.flatMap { outline in grown.map { PixelLayer($0, color: outline.color) } })
    }

    /// The part of the picture in which something of the text, its outline or its shadow can be, on whole pixels.
    private func region(_ state: TextState) -> LayoutBox {
        guard let revealed = state.revealed else { return extent }
        let boxes = shownBoxes(revealed).filter { !$0.isEmpty }
        guard let first = boxes.first else { return extent }
        var region = boxes.dropFirst().reduce(first) { $0.union($1) }
        if let outline = style.outline { region = region.grown(by: outline.width + 1, outline.width + 1) }
        if let shadow = style.shadow {
            let reach = shadow.deviation * 3 + 1
            region = region.union(region.grown(by: reach, reach).moved(by: shadow.dx, shadow.dy))
        }
        return region.grown(by: 1, 1).intersection(extent).wholePixels
    }

    private func drawnBackground(_ state: TextState) throws -> PixelLayer? {
        let pill = state.spoken.flatMap { spoken in style.highlight.backgroundColor.map { (spoken, $0) } }
        guard style.background != nil || pill != nil else { return nil }
        let surface = try TextSurface(width: Int(extent.width), height: Int(extent.height))
        if let background = style.background {
            surface.setColor(background)
            surface.fill(boxes.map { $0.moved(by: -extent.x, -extent.y) }, cornerRadius: style.cornerRadius)
        }
        if let (spoken, color) = pill {
            let air = layout.fontSize * 0.12
            surface.setColor(color)
            surface.fill(
                layout.boxes(of: spoken).map { $0.grown(by: air, 0).moved(by: -extent.x, -extent.y) },
                cornerRadius: min(style.cornerRadius, air * 2))
        }
        return PixelLayer(width: surface.width, height: surface.height, pixels: surface.pixels())
    }

    private func drawnText(_ state: TextState, _ region: LayoutBox, color: Color) throws -> TextSurface {
        let surface = try TextSurface(width: Int(region.width), height: Int(region.height))
        surface.setColor(color)
        func draw() { layout.draw(on: surface, x: -region.x, y: -region.y) }
        if let revealed = state.revealed {
            surface.clipped(to: shownBoxes(revealed).map { $0.moved(by: -region.x, -region.y) }, draw)
        } else {
            draw()
        }
        return surface
    }

    /// The part of the picture where the first `revealed` bytes stand. Lines that show whole are not cut at all, since
    /// glyphs reach beyond their boxes.
    private func shownBoxes(_ revealed: Int) -> [LayoutBox] {
        var boxes: [LayoutBox] = []
        // A blank shows nothing, and the next letter may reach into its room.
        let shown = layout.text.utf8.prefix(revealed).reversed().drop { $0 == 0x20 }.count
        for (index, line) in layout.lines.enumerated() where line.bytes.lowerBound < revealed {
            let isFirst = index == 0
            let isLast = index == layout.lines.count - 1
            let top = isFirst ? extent.y : line.box.y
            let bottom = isLast ? extent.maxY : line.box.maxY
            if revealed >= line.bytes.upperBound {
                boxes.append(LayoutBox(x: extent.x, y: top, width: extent.width, height: bottom - top))
                continue
            }
            for box in layout.boxes(of: line.bytes.lowerBound..<max(line.bytes.lowerBound, shown)) {
                var (left, right) = (box.x, box.maxX)
                // The text's beginning may hang over the line's edge.
                if left <= line.box.x + 0.01 { left = extent.x }
                if right >= line.box.maxX - 0.01 { right = extent.maxX }
                boxes.append(LayoutBox(x: left, y: top, width: right - left, height: bottom - top))
            }
        }
        return boxes
    }
}
