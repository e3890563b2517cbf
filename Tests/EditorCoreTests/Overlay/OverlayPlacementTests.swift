import EditorCore
import Foundation
import Testing

/// A 40×20 picture on a 200×400 canvas, on from 1 s to 5 s.
private let picture = OverlayPicture(width: 40, height: 20, pixels: [UInt8](repeating: 255, count: 3200))
private let canvas = PixelSize(width: 200, height: 400)
private let active = TimeRange(start: MediaTime(seconds: 1), end: MediaTime(seconds: 5))

private func time(_ seconds: Double, in range: TimeRange = active) -> EffectTime {
    EffectTime(time: MediaTime(decimal: seconds)!, index: 0, activeRange: range)
}

extension OverlayPlacement {
    fileprivate func at(_ seconds: Double, natural: Point = Point(1, 1)) -> Overlay? {
        overlay(of: picture, naturalScale: natural, at: time(seconds), canvas: canvas)
    }
}

private func isNear(_ a: Double, _ b: Double, within tolerance: Double = 1e-9) -> Bool { abs(a - b) <= tolerance }
private func isNear(_ a: Point, _ b: Point) -> Bool { isNear(a.x, b.x) && isNear(a.y, b.y) }

@Suite struct OverlayPlacementTests {
    @Test func restsInTheMiddleAsItIs() throws {
        let overlay = try #require(OverlayPlacement().at(2))
        #expect(overlay.center == Point(100, 200))
        #expect(overlay.scale == Point(1, 1))
        #expect(overlay.rotation == 0 && overlay.opacity == 1 && overlay.blendMode == .normal)
    }

    /// The corner that the anchor names has to lie at the centre, wherever the picture is turned. Placed with complex
    /// numbers' polar form, apart from the code's matrix.
    @Test(arguments: [0.0, 30, 90, 200, -45], [Point(0, 0), Point(1, 0.5), Point(0.25, 2)])
    func anchorStandsAtTheCenter(rotation: Double, anchor: Point) throws {
        var placement = OverlayPlacement()
        placement.center = Animated(Point(0.3, 0.7))
        placement.anchor = Animated(anchor)
        placement.scale = 1.5
        placement.rotation = AnimatedNumber(rotation)
        let overlay = try #require(placement.at(2, natural: Point(-2, 0.5)))
        #expect(overlay.scale == Point(-3, 0.75))
        // From the picture's middle to its anchor: the seen size is 120×15.
        let (dx, dy) = ((anchor.x - 0.5) * 120, (anchor.y - 0.5) * 15)
        let (length, angle) = (hypot(dx, dy), atan2(dy, dx) + rotation * .pi / 180)
        let held = Point(overlay.center.x + length * cos(angle), overlay.center.y + length * sin(angle))
        #expect(isNear(held, Point(60, 280)))
    }

    @Test func quarterTurnAboutTheTopLeftCorner() throws {
        var placement = OverlayPlacement()
        placement.anchor = Animated(Point(0, 0))
        placement.rotation = 90
        // Clockwise by a quarter the picture hangs to the lower left of its corner: 20 wide, 40 high.
        let overlay = try #require(placement.at(2))
        #expect(isNear(overlay.center, Point(100 - 10, 200 + 20)))
    }

    /// Keyframes of every number at once, each on its own curve.
    @Test func keyframesRunOnTheSurroundingClock() throws {
        var placement = OverlayPlacement()
        placement.center = Animated(keyframes: [
            .init(time: 2, value: Point(0, 0)), .init(time: 4, value: Point(1, 0.5), easing: .hold),
            .init(time: 5, value: Point(0, 0)),
        ])
        placement.scale = Animated(keyframes: [.init(time: 2, value: 1, easing: .easeIn), .init(time: 4, value: 5)])
        placement.rotation = Animated(keyframes: [.init(time: 0, value: 0), .init(time: 4, value: 720)])
        placement.opacity = Animated(keyframes: [.init(time: 2, value: 1), .init(time: 4, value: 0.2)])
        let overlay = try #require(placement.at(3))
        #expect(isNear(overlay.center, Point(100, 100)))
        #expect(isNear(overlay.scale.x, 1 + 4 * 0.25))
        #expect(isNear(overlay.rotation, 540))
        #expect(isNear(overlay.opacity, 0.6))
        #expect(try #require(placement.at(4.9)).center == Point(200, 200))
    }

    /// Through two points the way is straight, through a square's corners it comes back, and the pace is even in pixels
    /// although the canvas is twice as high as wide.
    @Test func goesAlongAPath() throws {
        var placement = OverlayPlacement()
        var path = MotionPath()
        path.points = [Point(0.1, 0.5), Point(0.9, 0.5)]
        placement.path = path
        for (seconds, x) in [(1.0, 20.0), (2, 60), (3, 100), (4.75, 170)] {
            #expect(isNear(try #require(placement.at(seconds)).center.x, x, within: 0.05), "\(seconds)")
        }
        path.start = 1
        path.duration = 2
        path.repeats = true
        path.turns = true
        path.points = [Point(0.5, 0.25), Point(0.5, 0.75)]
        placement.path = path
        // Down, so turned by a quarter; before it sets out it waits.
        #expect(isNear(try #require(placement.at(1.5)).center, Point(100, 100)))
        #expect(isNear(try #require(placement.at(3)).center.y, 200, within: 0.05))
        #expect(isNear(try #require(placement.at(3)).rotation, 90, within: 1e-6))
        #expect(isNear(try #require(placement.at(4.5)).center.y, 150, within: 0.05))

        path = MotionPath()
        path.points = [Point(0.2, 0.4), Point(0.8, 0.4), Point(0.8, 0.7), Point(0.2, 0.7)]
        path.isClosed = true
        placement.path = path
        let places = try stride(from: 0, through: 400, by: 4).map {
            try #require(placement.at(1 + Double($0) / 100)).center
        }
        #expect(hypot(places[0].x - places[100].x, places[0].y - places[100].y) < 0.5)
        let steps = zip(places, places.dropFirst()).map { hypot($1.x - $0.x, $1.y - $0.y) }
        #expect(steps.max()! / steps.min()! < 1.02)
        for corner in path.points {
            #expect(places.contains { hypot($0.x - corner.x * 200, $0.y - corner.y * 400) < steps[0] })
        }
    }

    @Test func nothingToSeeIsNothing() {
        var placement = OverlayPlacement()
        placement.opacity = 0
        #expect(placement.at(2) == nil)
        placement = OverlayPlacement()
        placement.scale = 0
        #expect(placement.at(2) == nil)
        #expect(OverlayPlacement().at(2, natural: Point(0, 1)) == nil)
    }

    /// easeInBack dips below nothing and easeOutBack above one; neither may leave the allowed range.
    @Test func overshootStaysInRange() throws {
        var placement = OverlayPlacement()
        placement.opacity = Animated(keyframes: [
            .init(time: 2, value: 0, easing: .easeOutBack), .init(time: 3, value: 1),
        ])
        placement.scale = Animated(keyframes: [.init(time: 3, value: 0, easing: .easeInBack), .init(time: 4, value: 1)])
        #expect(try #require(OverlayPlacement.with(opacity: placement.opacity).at(2.7)).opacity == 1)
        #expect(placement.at(3.3) == nil)
    }

    /// A drift of 7 pixels a minute: each of 1800 steps is the same, far below a pixel.
    @Test func slowMoveHasAnEvenStep() {
        var placement = OverlayPlacement()
        placement.center = Animated(keyframes: [
            .init(time: 0, value: Point(0.5, 0.5)), .init(time: 60, value: Point(0.5 + 7.0 / 200, 0.5 - 3.0 / 400)),
        ])
        let range = TimeRange(start: .zero, duration: MediaTime(seconds: 60))
        let places = (0...1799).map { frame in
            placement.overlay(
                of: picture,
                at: EffectTime(time: Rational(30).duration(ofTicks: Int64(frame)), index: frame, activeRange: range),
                canvas: canvas)!.center
        }
        for (a, b) in zip(places, places.dropFirst()) {
            #expect(isNear(b.x - a.x, 7.0 / 1800, within: 1e-10))
            #expect(isNear(b.y - a.y, -3.0 / 1800, within: 1e-10))
        }
    }
}

extension OverlayPlacement {
    fileprivate static func with(opacity: AnimatedNumber) -> OverlayPlacement {
        var placement = OverlayPlacement()
        placement.opacity = opacity
        return placement
    }

    fileprivate static func with(
        in entrance: OverlayAnimation.Step? = nil, out exit: OverlayAnimation.Step? = nil,
        loop: OverlayAnimation.Step? = nil
    ) -> OverlayPlacement {
        var placement = OverlayPlacement()
        placement.animation = OverlayAnimation(entrance: entrance, exit: exit, loop: loop)
        return placement
    }
}

@Suite struct OverlayAnimationTests {
    /// What an animation does to a resting overlay at (100, 200).
    struct Look: Sendable, CustomTestStringConvertible {
        var name: String
        var fraction: Double
        var move = Point(0, 0)
        var scale = 1.0
        var rotation = 0.0
        var opacity = 1.0
        var testDescription: String { "\(name) at \(fraction)" }
    }

    // The picture is 40×20 in the middle of 200×400: 120 pixels to either side edge and 210 up or down take it out.
    // easeOutCubic at a half is 7/8; easeOutBack at a half is 1 − (1/4)(2.70158/2 − 1.70158) = 1.0876975;
    // easeOutBounce at a half is 7.5625 (1/2 − 1.5/2.75)² + 3/4 = 0.765625.
    static let looks: [Look] = [
        Look(name: "fade", fraction: 0.5, opacity: 0.5), Look(name: "fade", fraction: 0.25, opacity: 0.25),
        Look(name: "pop", fraction: 0.5, scale: 1.0876975),
        Look(name: "slideLeft", fraction: 0, move: Point(120, 0)),
        Look(name: "slideLeft", fraction: 0.5, move: Point(15, 0)),
        Look(name: "slideRight", fraction: 0, move: Point(-120, 0)),
        Look(name: "slideRight", fraction: 0.5, move: Point(-15, 0)),
        Look(name: "slideUp", fraction: 0, move: Point(0, 210)),
        Look(name: "slideUp", fraction: 0.5, move: Point(0, 26.25)),
        Look(name: "slideDown", fraction: 0, move: Point(0, -210)),
        Look(name: "slideDown", fraction: 0.5, move: Point(0, -26.25)),
        Look(name: "zoom", fraction: 0.5, scale: 0.9375, opacity: 0.875),
        Look(name: "spin", fraction: 0.5, scale: 0.875, rotation: -45, opacity: 0.875),
        Look(name: "bounce", fraction: 0, move: Point(0, -210)),
        Look(name: "bounce", fraction: 0.5, move: Point(0, -210 * 0.234375)),
    ]

    private func check(_ overlay: Overlay?, _ look: Look) throws {
        let overlay = try #require(overlay)
        #expect(isNear(overlay.center, Point(100 + look.move.x, 200 + look.move.y)))
        #expect(isNear(overlay.scale.x, look.scale) && isNear(overlay.scale.y, look.scale))
        #expect(isNear(overlay.rotation, look.rotation))
        #expect(isNear(overlay.opacity, look.opacity))
    }

    @Test(arguments: looks) func comesOn(look: Look) throws {
        let placement = OverlayPlacement.with(in: .init(look.name, duration: 0.8))
        try check(placement.at(1 + 0.8 * look.fraction), look)
    }

    /// Going off is coming on backwards, but a slide goes on the way it is called.
    @Test(arguments: looks) func goesOff(look: Look) throws {
        var look = look
        if look.name.hasPrefix("slide") { look.move = Point(-look.move.x, -look.move.y) }
        let placement = OverlayPlacement.with(out: .init(look.name, duration: 0.8))
        try check(placement.at(5 - 0.8 * look.fraction), look)
    }

    @Test(arguments: OverlayTransition.allCases) func restsBetween(transition: OverlayTransition) throws {
        let placement = OverlayPlacement.with(in: .init(transition.rawValue), out: .init(transition.rawValue))
        for seconds in [1.4, 1.41, 3, 4.59, 4.6] { try check(placement.at(seconds), Look(name: "", fraction: 1)) }
    }

    /// Gone at both ends: transparent, of no size, or off the canvas.
    @Test(arguments: OverlayTransition.allCases) func isGoneAtTheEnds(transition: OverlayTransition) {
        let placement = OverlayPlacement.with(in: .init(transition.rawValue), out: .init(transition.rawValue))
        for seconds in [1.0, 5.0] {
            guard let overlay = placement.at(seconds) else { continue }
            let (x, y) = (overlay.center.x, overlay.center.y)
            #expect(x <= -20 || x >= 220 || y <= -10 || y >= 410)
        }
    }

    /// The way out is measured with the turned box: 40×20 at 90° is 20 wide.
    @Test func slideMindsTheRotation() throws {
        var placement = OverlayPlacement.with(in: .init("slideLeft"))
        placement.rotation = 90
        #expect(isNear(try #require(placement.at(1)).center.x, 210))
    }

    /// The picture moves with its keyframes while it slides.
    @Test func keyframesAndAnimationsAddUp() throws {
        var placement = OverlayPlacement.with(in: .init("slideUp", duration: 1, easing: .linear))
        placement.opacity = 0.5
        placement.center = Animated(keyframes: [
            .init(time: 1, value: Point(0, 0.5)), .init(time: 3, value: Point(1, 0.5)),
        ])
        let overlay = try #require(placement.at(1.5))
        #expect(isNear(overlay.center, Point(50, 200 + 105)))
        #expect(overlay.opacity == 0.5)
    }

    @Test func easingThatIsAskedForRunsForwardsBothWays() throws {
        let placement = OverlayPlacement.with(
            in: .init("fade", duration: 1, easing: .easeIn), out: .init("fade", duration: 1, easing: .easeIn))
        #expect(isNear(try #require(placement.at(1.5)).opacity, 0.25))
        #expect(isNear(try #require(placement.at(4.5)).opacity, 0.75))
    }

    @Test func shortRangesShrinkBothAlike() {
        let animation = OverlayAnimation(entrance: .init("fade", duration: 3), exit: .init("fade", duration: 1))
        let short = TimeRange(start: MediaTime(seconds: 1), duration: MediaTime(seconds: 2))
        #expect(animation.durations(within: short) == (1.5, 0.5))
        #expect(animation.durations(within: active) == (3, 1))
        let only = OverlayAnimation(entrance: .init("fade", duration: 3))
        #expect(only.durations(within: short) == (2, 0))
        #expect(OverlayAnimation(exit: .init("pop")).durations(within: active) == (0, 0.4))
        #expect(animation.entranceFraction(at: time(1.75, in: short)) == 0.5)
        #expect(animation.exitFraction(at: time(2.75, in: short)) == 0.5)
    }

    @Test func noDurationIsNoAnimation() throws {
        let placement = OverlayPlacement.with(in: .init("fade", duration: 0), out: .init("fade", duration: 0))
        #expect(try #require(placement.at(1)).opacity == 1)
        #expect(try #require(placement.at(4.999)).opacity == 1)
    }

    /// Rest, a quarter, a half and three quarters of a round, from the sentences that describe the loops.
    @Test func loopsGoRound() throws {
        let none = Point(0, 0)
        let rounds: [(String, [Look])] = [
            ("pulse", [1, 1.05, 1.1, 1.05].map { Look(name: "", fraction: 0, scale: $0) }),
            ("shake", [0, 1.6, 0, -1.6].map { Look(name: "", fraction: 0, move: Point($0, 0)) }),
            ("spin", [0, 90, 180, 270].map { Look(name: "", fraction: 0, rotation: $0) }),
            (
                "bounce",
                [0, -3 * 0.5.squareRoot(), -3, -3 * 0.5.squareRoot()].map {
                    Look(name: "", fraction: 0, move: Point(0, $0))
                }
            ),
            ("swing", [0, 8, 0, -8].map { Look(name: "", fraction: 0, move: none, rotation: $0) }),
            ("blink", [1, 0.5, 0, 0.5].map { Look(name: "", fraction: 0, opacity: $0) }),
        ]
        #expect(Set(rounds.map(\.0)) == Set(OverlayLoop.allCases.map(\.rawValue)))
        for (name, looks) in rounds {
            let placement = OverlayPlacement.with(loop: .init(name, duration: 2))
            for (quarter, look) in looks.enumerated() {
                for round in 0...1 {
                    let overlay = placement.at(1 + Double(quarter) / 2 + 2 * Double(round))
                    if look.opacity == 0 { #expect(overlay?.opacity ?? 0 < 1e-9) } else { try check(overlay, look) }
                }
            }
        }
    }

    /// Names of an effect's own are left to the effect.
    @Test func foreignNamesLeaveTheOverlayAlone() throws {
        let placement = OverlayPlacement.with(in: .init("typewriter", duration: 1))
        try check(placement.at(1.5), Look(name: "", fraction: 0))
        #expect(placement.animation.entranceFraction(at: time(1.25)) == 0.25)
    }
}

/// Reading the shared parameters as a part of some effect's own.
@Suite struct OverlayPlacementReadingTests {
    struct Captioned: ParameterSet {
        var words = "hello"
        var placement: OverlayPlacement = {
            var placement = OverlayPlacement()
            placement.center = Animated(Point(0.5, 0.85))
            return placement
        }()
        static let specs: [ParameterSpec<Self>] =
            [.init("words", \.words, .string, help: "What it says.")]
            + OverlayPlacement.specs(at: \.placement, animations: OverlayAnimation.type(moreIn: ["typewriter"]))
    }

    private func read(_ value: JSONValue) -> (Captioned?, [Finding]) {
        var reading = ParameterReading()
        let result = Captioned.read(value, at: JSONPointer(["effects", "0"]), into: &reading)
        return (result, reading.findings)
    }

    @Test func readsBesideTheOwnParameters() throws {
        let (result, findings) = read([
            "words": "x", "rotation": [["time": 0, "value": 0, "easing": "easeOut"], ["time": 1, "value": 90]],
            "blendMode": "softLight", "anchor": [0, 1],
            "animation": ["in": "typewriter", "out": ["name": "pop", "duration": 0.2, "easing": "linear"]],
        ])
        #expect(findings == [])
        let placement = try #require(result).placement
        #expect(placement.center == Animated(Point(0.5, 0.85)))
        #expect(placement.anchor == Animated(Point(0, 1)))
        #expect(placement.rotation.value(at: 0.5) == 67.5)
        #expect(placement.blendMode == .softLight)
        #expect(placement.animation.entrance == .init("typewriter"))
        #expect(placement.animation.exit == .init("pop", duration: 0.2, easing: .linear))
        #expect(placement.animation.loop == nil)
    }

    @Test func defaultsAreTheOnesOfTheEffect() throws {
        let center = try #require(Captioned.specs.first { $0.name == "center" })
        #expect(center.summary.defaultValue == [0.5, 0.85])
        #expect(center.summary.isAnimatable)
    }

    @Test(
        arguments: [
            (["opacity": 2], "/effects/0/opacity", "outside 0 to 1"),
            (
                ["opacity": [["time": 0, "value": 0], ["time": 1, "value": 3]]], "/effects/0/opacity/1/value",
                "outside 0 to 1"
            ),
            (["scale": -1], "/effects/0/scale", "outside 0 to 100"),
            (["center": "middle"], "/effects/0/center", "must be a list"),
            (["rotation": "90"], "/effects/0/rotation", "must be a number"),
            (["blendMode": "softlite"], "/effects/0/blendMode", "softLight"),
            (["animation": "pop"], "/effects/0/animation", "must be an object"),
            (["animation": ["in": "popp"]], "/effects/0/animation/in", "did you mean \"pop\"?"),
            (["animation": ["out": "typewriter"]], "/effects/0/animation/out", "none of"),
            (["animation": ["loop": ["name": "pulze"]]], "/effects/0/animation/loop/name", "did you mean \"pulse\"?"),
            (
                ["animation": ["in": ["name": "pop", "duration": -1]]], "/effects/0/animation/in/duration",
                "outside 0 to 600"
            ),
            (["animation": ["in": ["duration": 1]]], "/effects/0/animation/in", "name is missing"),
            (["animation": ["in": 3]], "/effects/0/animation/in", "must be the name of an animation"),
            (["animation": ["inn": "pop"]], "/effects/0/animation/inn", "did you mean \"in\"?"),
        ] as [(JSONValue, String, String)])
    func mistakesAreNamed(entry: JSONValue, pointer: String, words: String) throws {
        let (_, findings) = read(entry)
        let finding = try #require(findings.first)
        #expect(findings.count == 1)
        #expect(finding.pointer.description == pointer)
        #expect(finding.sentence.contains(words))
        #expect(finding.severity == .error)
    }
}
