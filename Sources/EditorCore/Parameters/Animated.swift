/// A value that stands between two others.
public protocol Interpolatable: Sendable, Hashable {
    /// The value at `fraction` (0 gives `self`, 1 gives `other`; easings may ask for a little beyond both).
    func interpolated(to other: Self, at fraction: Double) -> Self
}

extension Double: Interpolatable {
    public func interpolated(to other: Double, at fraction: Double) -> Double { self + (other - self) * fraction }
}

/// A constant, or a curve through keyframes.
public struct Animated<Value: Interpolatable>: Sendable, Hashable {
    public struct Keyframe: Sendable, Hashable {
        /// Seconds on the clock of the effect's surroundings: the finished movie, or the placed clip.
        public var time: Double
        public var value: Value
        /// How the value moves from this keyframe to the next.
        public var easing: Easing

        public init(time: Double, value: Value, easing: Easing = .linear) {
            self.time = time
            self.value = value
            self.easing = easing
        }
    }

    /// In rising order of time, at least one. Before the first and after the last the value stands still.
    public let keyframes: [Keyframe]

    public init(_ constant: Value) { keyframes = [Keyframe(time: 0, value: constant)] }

    /// Sorts the keyframes by time; an empty list is a programming error.
    public init(keyframes: [Keyframe]) {
        precondition(!keyframes.isEmpty, "a curve needs a keyframe")
        self.keyframes = keyframes.sorted { $0.time < $1.time }
    }

    public var isConstant: Bool { keyframes.allSatisfy { $0.value == keyframes[0].value } }

    public func value(at seconds: Double) -> Value {
        guard let next = keyframes.firstIndex(where: { $0.time > seconds }) else { return keyframes.last!.value }
        guard next > 0 else { return keyframes[0].value }
        let (a, b) = (keyframes[next - 1], keyframes[next])
        return a.value.interpolated(to: b.value, at: a.easing.value(at: (seconds - a.time) / (b.time - a.time)))
    }
}

public typealias AnimatedNumber = Animated<Double>

extension Animated: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral where Value == Double {
    public init(floatLiteral value: Double) { self.init(value) }
    public init(integerLiteral value: Int) { self.init(Double(value)) }
}
