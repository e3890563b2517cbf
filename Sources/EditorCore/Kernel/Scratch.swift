/// Memory that an effect's instance keeps from frame to frame, so that a frame allocates nothing. Owned by one stage,
/// freed with it; starts as zeros.
package final class Scratch<Element: BitwiseCopyable> {
    package let base: UnsafeMutablePointer<Element>
    package let count: Int
    /// Elements in front of `base`, and behind the last, that may be read and written, too.
    @usableFromInline let margin: Int

    /// - Parameter margin: elements in front of `base`, and behind the last, that may be read and written, too.
    @inlinable
    package init(_ count: Int, zero: Element, margin: Int = 0) {
        self.count = count
        self.margin = margin
        let start = UnsafeMutablePointer<Element>.allocate(capacity: count + 2 * margin)
        start.initialize(repeating: zero, count: count + 2 * margin)
        base = start + margin
    }

    /// Memory whose elements have to be written before they are read; the system provides it as it is touched.
    @inlinable
    package init(uninitialized count: Int) {
        (self.count, margin) = (count, 0)
        base = .allocate(capacity: count)
    }

    deinit { (base - margin).deallocate() }

    @inlinable
    package subscript(index: Int) -> Element {
        get { base[index] }
        set { base[index] = newValue }
    }
}
