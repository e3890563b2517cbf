internal import Glibc

/// Where an overlay stands, how it is turned, sized and blended, and how it moves: the parameters that overlays share.
///
/// An effect holds one among its parameters and splices the specs in:
///
///     struct Parameters: ParameterSet {
///         var placement = OverlayPlacement()
///         static let specs = [/* its own */] + OverlayPlacement.specs(at: \.placement)
///     }
///
/// Keyframes run on the clock of the surroundings, animations on that of the effect's active range.
public struct OverlayPlacement: ParameterSet {
    /// Where the anchor lies, as fractions of the canvas.
    public var center = Animated(Point(0.5, 0.5))
    /// The point of the picture that lies at `center`, and about which the picture turns and grows, as fractions of
    /// the picture as it is seen: mirroring does not move it.
    public var anchor = Animated(Point(0.5, 0.5))
    /// Multiplies the natural size.
    public var scale: AnimatedNumber = 1
    /// Degrees clockwise.
    public var rotation: AnimatedNumber = 0
    /// 0…1.
    public var opacity: AnimatedNumber = 1
    public var blendMode = BlendMode.normal
    /// Goes before `center`.
    public var path: MotionPath?
    public var animation = OverlayAnimation()

    public init() {}

    public static let specs: [ParameterSpec<Self>] = specs(animations: OverlayAnimation.type())

    private static func specs(animations: ParameterType<OverlayAnimation>) -> [ParameterSpec<Self>] {
        [
            .init(
                "center", \.center, .animated(.point), unit: "fractions of the canvas",
                help: "Where the anchor stands; [0, 0] is the top left corner."),
            .init(
                "anchor", \.anchor, .animated(.point), unit: "fractions of the picture",
                help: "The point of the picture that stands at the center and about which it turns and grows."),
            .init("scale", \.scale, .animated(.number(in: 0...100)), help: "Multiplies the size."),
            .init("rotation", \.rotation, .animated(.number()), unit: "degrees", help: "Turns it clockwise."),
            .init("opacity", \.opacity, .animated(.number(in: 0...1)), help: "0 cannot be seen, 1 is as it is."),
            .init("blendMode", \.blendMode, .choice, help: "How its colours meet those below."),
            .init(
                "path", \.path, .optional(.object(MotionPath.self)),
                help: "A curve that the anchor goes along, in place of center."),
            .init(
                "animation", \.animation, animations,
                help: "How it comes on, goes off, and moves meanwhile; in and out take 0.4 seconds unless said."),
        ]
    }

    /// The parameters for a set that holds a placement at `keyPath`; the defaults are the ones it has there.
    ///
    /// - Parameter animations: `OverlayAnimation.type` with further names, for an effect that has animations of its own.
    public static func specs<Root: ParameterSet>(
        at keyPath: any WritableKeyPath<Root, OverlayPlacement> & Sendable,
        animations: ParameterType<OverlayAnimation> = OverlayAnimation.type()
    ) -> [ParameterSpec<Root>] {
        specs(animations: animations).map { ParameterSpec<Root>($0, at: keyPath) }
    }

    /// The picture in its place at a time, or nil when nothing of it can be seen.
    ///
    /// Positions and sizes are not rounded, so that a slow move has an even step.
    /// - Parameters:
    ///   - naturalScale: canvas pixels per picture pixel at `scale` 1; negative values mirror.
    ///   - canvas: size of the canvas in pixels.
    public func overlay(
        of picture: OverlayPicture, naturalScale: Point = Point(1, 1), at time: EffectTime, canvas: PixelSize
    ) -> Overlay? {
        let seconds = time.seconds
        let factor = max(0, scale.value(at: seconds))
        let (width, height) = (
            Double(picture.width) * abs(naturalScale.x) * factor, Double(picture.height) * abs(naturalScale.y) * factor
        )
        let way = path?.place(at: time, canvas: canvas)
        let stand = center.value(at: seconds)
        let hold = anchor.value(at: seconds)
        let pivot = way?.point ?? Point(stand.x * Double(canvas.width), stand.y * Double(canvas.height))
        // Easings may overshoot the range of the keyframes.
        let shown = min(1, max(0, opacity.value(at: seconds)))

        let loop = animation.loopPose(at: time, width: width, height: height)
        let heading = path?.turns == true ? way?.heading ?? 0 : 0
        let rest = loop.rotation + rotation.value(at: seconds) + heading
        let box = OverlayBox(
            center: Self.middle(
                pivot: pivot, anchor: hold, width: width * loop.scale, height: height * loop.scale, rotation: rest),
            width: width * loop.scale, height: height * loop.scale, rotation: rest)
        let pose = animation.transitionPose(at: time, box: box, canvas: canvas)

        let grown = loop.scale * max(0, pose.scale)
        let visibility = shown * loop.opacity * min(1, max(0, pose.opacity))
        // A quarter of a byte's step, and a thousandth of a pixel, cannot be seen.
        guard visibility >= 0.001, min(width, height) * grown >= 0.001 else { return nil }
        let turned = rest + pose.rotation
        let middle = Self.middle(
            pivot: pivot, anchor: hold, width: width * grown, height: height * grown, rotation: turned)
        return Overlay(
            picture,
            center: Point(middle.x + loop.offset.x + pose.offset.x, middle.y + loop.offset.y + pose.offset.y),
            scale: Point(naturalScale.x * factor * grown, naturalScale.y * factor * grown),
            rotation: turned, opacity: visibility, blendMode: blendMode)
    }

    /// The middle of a rectangle whose `anchor` lies at `pivot`, turned about it.
    private static func middle(
        pivot: Point, anchor: Point, width: Double, height: Double, rotation: Double
    ) -> Point {
        let (dx, dy) = ((0.5 - anchor.x) * width, (0.5 - anchor.y) * height)
        guard dx != 0 || dy != 0 else { return pivot }
        let (c, s) = (cos(rotation * .pi / 180), sin(rotation * .pi / 180))
        // Clockwise, as y points down.
        return Point(pivot.x + dx * c - dy * s, pivot.y + dx * s + dy * c)
    }
}
