/// A part of a picture, in fractions of its width and height.
public struct UnitRect: Sendable, Hashable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    public static let whole = UnitRect(x: 0, y: 0, width: 1, height: 1)
}

/// Which part of a displayed picture goes where on the canvas.
public struct PictureFit: Sendable, Hashable {
    public var crop: UnitRect
    /// Where the part's top left corner stands on the canvas, and its size there. All four numbers are even, so that
    /// chroma samples stay where they are.
    public var x: Int
    public var y: Int
    public var size: PixelSize

    /// - Parameters:
    ///   - displayed: the picture's size in square pixels, upright.
    ///   - canvas: even.
    ///   - isCropped: false keeps what sticks out of the canvas, so the picture may reach beyond it.
    public init(displayed: PixelSize, canvas: PixelSize, gravity: VideoGravity, isCropped: Bool = true) {
        let (w, h) = (Double(displayed.width), Double(displayed.height))
        let (canvasW, canvasH) = (Double(canvas.width), Double(canvas.height))
        var (scaleX, scaleY) = (canvasW / w, canvasH / h)
        switch gravity {
        case .fitWidth: scaleY = scaleX
        case .resizeAspect, .resizeAspectBlur: (scaleX, scaleY) = (min(scaleX, scaleY), min(scaleX, scaleY))
        case .resizeAspectFill: (scaleX, scaleY) = (max(scaleX, scaleY), max(scaleX, scaleY))
        case .resize: break
        }
        func even(_ value: Double) -> Int { max(2, Int((value / 2).rounded()) * 2) }
        let size = PixelSize(width: even(w * scaleX), height: even(h * scaleY))
        func centred(_ outer: Int, _ inner: Int) -> Int {
            let free = outer - inner
            return free / 4 * 2
        }
        self.size = size
        x = centred(canvas.width, size.width)
        y = centred(canvas.height, size.height)
        crop = .whole
        guard isCropped else { return }
        // What sticks out by two pixels in all sticks out on the far side alone, as places are even.
        if size.width > canvas.width {
            crop.x = Double(-x) / Double(size.width)
            crop.width = canvasW / Double(size.width)
            (x, self.size.width) = (0, canvas.width)
        }
        if size.height > canvas.height {
            crop.y = Double(-y) / Double(size.height)
            crop.height = canvasH / Double(size.height)
            (y, self.size.height) = (0, canvas.height)
        }
    }
}
