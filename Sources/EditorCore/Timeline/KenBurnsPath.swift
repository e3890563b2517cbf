/// Where a picture lies on a canvas, in pixels and fractions of them.
struct PictureRect: Sendable, Hashable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    func interpolated(to other: PictureRect, at t: Double) -> PictureRect {
        PictureRect(
            x: x.interpolated(to: other.x, at: t), y: y.interpolated(to: other.y, at: t),
            width: width.interpolated(to: other.width, at: t), height: height.interpolated(to: other.height, at: t))
    }
}

/// The slow move of a fitted picture over the canvas.
///
/// The picture's edges move from their first to their last place at constant speed, and with them every point of the
/// picture: steps are even, whether it is a pan or a zoom.
struct KenBurnsPath: Sendable {
    private let first: PictureRect
    private let last: PictureRect
    /// How many times larger than fitted the picture is wanted, so that it stays sharp without more pixels than there
    /// are.
    let enlargement: Double

    /// Pixels that a picture is asked for with at most; a frame of 4:2:0 takes half as many bytes again.
    private static let mostPixels = 16.0 * 1024 * 1024

    /// - Parameters:
    ///   - displayed: the source's size in square pixels, upright.
    ///   - canvas: what it is fitted to.
    init(_ kenBurns: KenBurns, displayed: PixelSize, canvas: PixelSize, gravity: VideoGravity) {
        let fitted = PictureFit(displayed: displayed, canvas: canvas, gravity: gravity, isCropped: false).size
        first = Self.rect(kenBurns.from, fitted, canvas)
        last = Self.rect(kenBurns.to, fitted, canvas)
        let (w, h) = (Double(fitted.width), Double(fitted.height))
        let native = max(Double(displayed.width) / w, Double(displayed.height) / h)
        let affordable = (Self.mostPixels / (w * h)).squareRoot()
        enlargement = max(1, min(max(kenBurns.from.zoom, kenBurns.to.zoom), native, affordable))
    }

    /// Where the picture lies at a fraction of the clip's length.
    func rect(at fraction: Double) -> PictureRect { first.interpolated(to: last, at: min(max(fraction, 0), 1)) }

    /// A picture that is larger than the canvas covers it, and one that is smaller lies on it, whatever centre was asked
    /// for. Between two such places every other is one too.
    private static func rect(_ framing: KenBurns.Framing, _ fitted: PixelSize, _ canvas: PixelSize) -> PictureRect {
        func place(_ center: Double, _ fitted: Int, _ canvas: Int) -> (Double, Double) {
            let (length, free) = (Double(fitted) * framing.zoom, Double(canvas) - Double(fitted) * framing.zoom)
            let start = Double(canvas) / 2 - center * length
            return (min(max(start, min(0, free)), max(0, free)), length)
        }
        let (x, width) = place(framing.center.x, fitted.width, canvas.width)
        let (y, height) = place(framing.center.y, fitted.height, canvas.height)
        return PictureRect(x: x, y: y, width: width, height: height)
    }
}
