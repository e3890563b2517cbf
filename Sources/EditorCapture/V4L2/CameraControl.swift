/// A control of a camera's driver, such as its brightness.
public struct CameraControl: Sendable, Hashable {
    public enum Kind: String, Sendable { case integer, boolean, menu, button, other }

    /// V4L2's number of it.
    public var id: UInt32
    public var name: String
    public var kind: Kind
    public var minimum: Int
    public var maximum: Int
    public var step: Int
    public var defaultValue: Int
    /// The choices of a menu by their values.
    public var choices: [Int: String]
    public var isReadOnly: Bool

    /// The allowed value that is nearest to `value`.
    public func nearest(to value: Int) -> Int {
        let clamped = min(maximum, max(minimum, value))
        return step > 1 ? min(maximum, minimum + (clamped - minimum + step / 2) / step * step) : clamped
    }
}
