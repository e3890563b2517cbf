/// How a clip's picture is fitted to the canvas.
public enum VideoGravity: String, Sendable, CaseIterable {
    /// The width fits, centred; a taller picture is cropped: SDVideoCamera's rule.
    case fitWidth
    /// All of it is visible.
    case resizeAspect
    /// It covers the canvas; what sticks out is cut.
    case resizeAspectFill
    /// It is stretched to the canvas.
    case resize
    /// All of it is visible, over its own blurred copy that covers the canvas.
    case resizeAspectBlur
}

/// A rectangle of whole pixels.
public struct PixelRect: Sendable, Hashable {
    public var x: Int
    public var y: Int
    public var size: PixelSize

    public init(x: Int, y: Int, size: PixelSize) { (self.x, self.y, self.size) = (x, y, size) }
}

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
    /// On the canvas; all numbers even, so that chroma samples stay where they are.
    public var target: PixelRect

    /// - Parameters:
    ///   - displayed: the picture's size in square pixels, upright.
    ///   - canvas: even.
    ///   - isCropped: false keeps what sticks out of the canvas, so `target` may reach beyond it.
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
        target = PixelRect(x: centred(canvas.width, size.width), y: centred(canvas.height, size.height), size: size)
        crop = .whole
        guard isCropped else { return }
        if target.x < 0 {
            crop.x = Double(-target.x) / Double(size.width)
            crop.width = canvasW / Double(size.width)
            (target.x, target.size.width) = (0, canvas.width)
        }
        if target.y < 0 {
            crop.y = Double(-target.y) / Double(size.height)
            crop.height = canvasH / Double(size.height)
            (target.y, target.size.height) = (0, canvas.height)
        }
    }
}
