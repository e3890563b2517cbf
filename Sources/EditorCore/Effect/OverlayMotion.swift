internal import Glibc

/// How an overlay comes on and goes off. Going off is coming on played backwards, except that slides keep their way.
public enum OverlayTransition: String, Sendable, Hashable, CaseIterable {
    /// Opacity.
    case fade
    /// Grows from nothing, a little too far, and settles.
    case pop
    /// Moves that way: in from beyond the opposite edge of the canvas, out beyond the edge it moves to.
    case slideLeft, slideRight, slideUp, slideDown
    /// Grows from half its size while it fades.
    case zoom
    /// Turns once clockwise while it grows from nothing and fades.
    case spin
    /// Falls in from above the canvas and bounces; leaves the same way.
    case bounce

    /// The curve of coming on where none is asked for.
    public var easing: Easing {
        switch self {
        case .fade: .linear
        case .pop: .easeOutBack
        case .slideLeft, .slideRight, .slideUp, .slideDown, .zoom, .spin: .easeOutCubic
        case .bounce: .easeOutBounce
        }
    }

    /// - Parameters:
    ///   - presence: 0 gone, 1 all there; easings may go a little beyond both.
    ///   - box: where the overlay rests.
    func pose(presence: Double, isExit: Bool, box: OverlayBox, canvas: PixelSize) -> OverlayPose {
        var pose = OverlayPose()
        let absence = 1 - presence
        switch self {
        case .fade: pose.opacity = presence
        case .pop: pose.scale = presence
        case .slideLeft: pose.offset.x = absence * (isExit ? -box.wayOutLeft : box.wayOutRight(of: canvas))
        case .slideRight: pose.offset.x = absence * (isExit ? box.wayOutRight(of: canvas) : -box.wayOutLeft)
        case .slideUp: pose.offset.y = absence * (isExit ? -box.wayOutTop : box.wayOutBottom(of: canvas))
        case .slideDown: pose.offset.y = absence * (isExit ? box.wayOutBottom(of: canvas) : -box.wayOutTop)
        case .zoom:
            pose.scale = 0.5 + 0.5 * presence
            pose.opacity = presence
        case .spin:
            pose.rotation = -360 * absence
            pose.scale = presence
            pose.opacity = presence
        case .bounce: pose.offset.y = -absence * box.wayOutTop
        }
        return pose
    }
}

/// What an overlay does again and again while it is on. Each starts and ends a round at rest.
public enum OverlayLoop: String, Sendable, Hashable, CaseIterable {
    /// Swells by a tenth.
    case pulse
    /// Sways left and right by 4 % of its width.
    case shake
    /// Turns once clockwise.
    case spin
    /// Hops by 15 % of its height.
    case bounce
    /// Tilts 8 degrees to either side.
    case swing
    /// Fades out and back.
    case blink

    /// Seconds of a round where none are asked for.
    public var duration: Double {
        switch self {
        case .pulse, .blink: 1
        case .shake: 0.25
        case .spin: 2
        case .bounce: 0.8
        case .swing: 1.5
        }
    }

    /// - Parameters:
    ///   - phase: 0…1 of a round.
    ///   - width, height: the overlay's size at rest, in canvas pixels.
    func pose(phase: Double, width: Double, height: Double) -> OverlayPose {
        var pose = OverlayPose()
        switch self {
        case .pulse: pose.scale = 1 + 0.05 * (1 - cos(2 * .pi * phase))
        case .shake: pose.offset.x = 0.04 * width * sin(2 * .pi * phase)
        case .spin: pose.rotation = 360 * phase
        case .bounce: pose.offset.y = -0.15 * height * sin(.pi * phase)
        case .swing: pose.rotation = 8 * sin(2 * .pi * phase)
        case .blink: pose.opacity = 0.5 + 0.5 * cos(2 * .pi * phase)
        }
        return pose
    }
}

/// How far an animation holds an overlay off its rest.
struct OverlayPose: Equatable {
    /// Canvas pixels.
    var offset = Point(0, 0)
    var scale = 1.0
    /// Degrees clockwise.
    var rotation = 0.0
    var opacity = 1.0
}

/// The upright rectangle around an overlay, in canvas pixels.
struct OverlayBox {
    var center: Point
    var halfWidth: Double
    var halfHeight: Double

    /// - Parameter rotation: degrees.
    init(center: Point, width: Double, height: Double, rotation: Double) {
        let (c, s) = (abs(cos(rotation * .pi / 180)), abs(sin(rotation * .pi / 180)))
        self.center = center
        halfWidth = (width * c + height * s) / 2
        halfHeight = (width * s + height * c) / 2
    }

    // How far the box has to move until none of it is on the canvas.
    var wayOutLeft: Double { max(0, center.x + halfWidth) }
    var wayOutTop: Double { max(0, center.y + halfHeight) }
    func wayOutRight(of canvas: PixelSize) -> Double { max(0, Double(canvas.width) - center.x + halfWidth) }
    func wayOutBottom(of canvas: PixelSize) -> Double { max(0, Double(canvas.height) - center.y + halfHeight) }
}
