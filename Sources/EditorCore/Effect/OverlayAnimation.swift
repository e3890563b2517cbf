/// The named animations of an overlay: how it comes on (`in`), how it goes off (`out`), and what it does meanwhile
/// (`loop`), on the clock of its active range.
///
/// The names are `OverlayTransition`s and `OverlayLoop`s. An effect may know further names: it declares them with
/// `type(moreIn:moreOut:moreLoop:)`, asks for `entranceFraction(at:)` and its like, and draws them itself; the
/// placement leaves such a name alone.
public struct OverlayAnimation: ParameterSet, Hashable {
    /// One named animation.
    public struct Step: ParameterSet, Hashable {
        public var name: String
        /// Seconds it takes, of a loop: one round. nil is the name's own.
        public var duration: Double?
        /// nil is the name's own.
        public var easing: Easing?

        public init(_ name: String, duration: Double? = nil, easing: Easing? = nil) {
            (self.name, self.duration, self.easing) = (name, duration, easing)
        }
        public init() { self.init("") }

        public static var specs: [ParameterSpec<Self>] { specs(names: [], durations: 0...600) }

        static func specs(names: [String], durations: ClosedRange<Double>) -> [ParameterSpec<Self>] {
            [
                .init("name", \.name, .word(names), required: true, help: "Which animation."),
                .init(
                    "duration", \.duration, .optional(.number(in: durations)), unit: "seconds",
                    help: "How long it takes, of a loop one round; null is the animation's own."),
                .init(
                    "easing", \.easing, .optional(.choice), help: "How it moves; null is the animation's own curve."),
            ]
        }

        /// A name, or an object with it.
        static func type(names: [String], durations: ClosedRange<Double>) -> ParameterType<Step> {
            let word = ParameterType<String>.word(names)
            let object = ParameterType<Step>.object(Step.self, specs: specs(names: names, durations: durations))
            return ParameterType(
                name: word.name + ", or {name, duration, easing}", schema: ["anyOf": [word.schema, object.schema]],
                read: { value, pointer, reading in
                    switch value {
                    case .string: return word.read(value, pointer, &reading).map { Step($0) }
                    case .object:
                        // A step without a good name is no step.
                        guard let step = object.read(value, pointer, &reading), !step.name.isEmpty else { return nil }
                        return step
                    default:
                        reading.wrongType(
                            value, at: pointer, wanted: "the name of an animation or an object {name, duration, easing}"
                        )
                        return nil
                    }
                },
                write: {
                    $0.duration == nil && $0.easing == nil ? .string($0.name) : object.write($0)
                })
        }
    }

    public var entrance: Step?
    public var exit: Step?
    public var loop: Step?

    public init(entrance: Step? = nil, exit: Step? = nil, loop: Step? = nil) {
        (self.entrance, self.exit, self.loop) = (entrance, exit, loop)
    }
    public init() { self.init(entrance: nil) }

    /// Seconds that coming on and going off take where none are asked for.
    public static let standardDuration = 0.4

    public static var specs: [ParameterSpec<Self>] { specs(moreIn: [], moreOut: [], moreLoop: []) }

    private static func specs(
        moreIn: [String], moreOut: [String], moreLoop: [String]
    ) -> [ParameterSpec<Self>] {
        let transitions = OverlayTransition.allCases.map(\.rawValue)
        let loops = OverlayLoop.allCases.map(\.rawValue)
        return [
            .init(
                "in", \.entrance, .optional(Step.type(names: transitions + moreIn, durations: 0...600)),
                help: "How it comes on."),
            .init(
                "out", \.exit, .optional(Step.type(names: transitions + moreOut, durations: 0...600)),
                help: "How it goes off."),
            .init(
                "loop", \.loop, .optional(Step.type(names: loops + moreLoop, durations: 0.02...600)),
                help: "What it does again and again."),
        ]
    }

    /// `{"in": …, "out": …, "loop": …}`, each a name or `{name, duration, easing}`, or null for no animation.
    ///
    /// The further names are the effect's own.
    public static func type(
        moreIn: [String] = [], moreOut: [String] = [], moreLoop: [String] = []
    ) -> ParameterType<OverlayAnimation> {
        var type = ParameterType<OverlayAnimation?>.optional(
            .object(Self.self, specs: specs(moreIn: moreIn, moreOut: moreOut, moreLoop: moreLoop))
        ).map({ animation, _, _ in animation ?? OverlayAnimation() }, back: { $0 == OverlayAnimation() ? nil : $0 })
        type.name = "animation {in, out, loop}"
        return type
    }

    /// Seconds that coming on and going off take. Where the active range is too short for both, both shrink alike.
    public func durations(within activeRange: TimeRange) -> (entrance: Double, exit: Double) {
        let wanted = (
            entrance: entrance.map { $0.duration ?? Self.standardDuration } ?? 0,
            exit: exit.map { $0.duration ?? Self.standardDuration } ?? 0
        )
        let (sum, room) = (wanted.entrance + wanted.exit, max(0, activeRange.duration.seconds))
        return sum <= room ? wanted : (wanted.entrance * room / sum, wanted.exit * room / sum)
    }

    /// 0…1, even in time: how far coming on has got; nil when there is none.
    public func entranceFraction(at time: EffectTime) -> Double? {
        guard entrance != nil else { return nil }
        return Self.fraction(time.sinceStart, of: durations(within: time.activeRange).entrance)
    }

    /// 0…1, even in time: how far going off has got; nil when there is none.
    public func exitFraction(at time: EffectTime) -> Double? {
        guard exit != nil else { return nil }
        return 1 - Self.fraction(time.untilEnd, of: durations(within: time.activeRange).exit)
    }

    /// 0…<1, even in time: how far the present round of the loop has got; nil when there is none.
    /// - Parameter standard: seconds of a round where none are asked for.
    public func loopPhase(at time: EffectTime, standard: Double = 1) -> Double? {
        guard let loop else { return nil }
        let rounds = max(0, time.sinceStart) / (loop.duration ?? standard)
        return rounds - rounds.rounded(.down)
    }

    private static func fraction(_ seconds: Double, of duration: Double) -> Double {
        duration > 0 ? min(1, max(0, seconds / duration)) : 1
    }

    func loopPose(at time: EffectTime, width: Double, height: Double) -> OverlayPose {
        guard let step = loop, let loop = OverlayLoop(rawValue: step.name),
            let phase = loopPhase(at: time, standard: loop.duration)
        else { return OverlayPose() }
        return loop.pose(phase: step.easing?.value(at: phase) ?? phase, width: width, height: height)
    }

    /// Coming on and going off never overlap, so at most one of them holds the overlay off its rest.
    func transitionPose(at time: EffectTime, box: OverlayBox, canvas: PixelSize) -> OverlayPose {
        if let step = entrance, let fraction = entranceFraction(at: time), fraction < 1,
            let transition = OverlayTransition(rawValue: step.name)
        {
            let presence = (step.easing ?? transition.easing).value(at: fraction)
            return transition.pose(presence: presence, isExit: false, box: box, canvas: canvas)
        }
        if let step = exit, let fraction = exitFraction(at: time), fraction > 0,
            let transition = OverlayTransition(rawValue: step.name)
        {
            // The animation's own curve runs backwards; a curve that was asked for runs forwards.
            let presence = step.easing.map { 1 - $0.value(at: fraction) } ?? transition.easing.value(at: 1 - fraction)
            return transition.pose(presence: presence, isExit: true, box: box, canvas: canvas)
        }
        return OverlayPose()
    }
}
