/// Values by key within a number of bytes; the one that was asked for longest ago goes first.
package struct RecentCache<Key: Hashable, Value> {
    private struct Entry {
        let value: Value
        let bytes: Int
        var lastUse: Int
    }

    private var entries: [Key: Entry] = [:]
    private var clock = 0
    private let capacity: Int
    package private(set) var bytes = 0

    package init(capacity: Int) { self.capacity = capacity }

    package var count: Int { entries.count }

    /// Counts as a use.
    package mutating func value(for key: Key) -> Value? {
        clock += 1
        guard let index = entries.index(forKey: key) else { return nil }
        entries.values[index].lastUse = clock
        return entries.values[index].value
    }

    /// Replaces what was there; then removes the oldest others until the bytes fit.
    /// - Returns: what was removed last, or nil.
    @discardableResult
    package mutating func insert(_ value: Value, for key: Key, bytes: Int) -> Value? {
        clock += 1
        if let old = entries.updateValue(Entry(value: value, bytes: bytes, lastUse: clock), forKey: key) {
            self.bytes -= old.bytes
        }
        self.bytes += bytes
        var removed: Value?
        while self.bytes > capacity, entries.count > 1 { removed = removeOldest() }
        return removed
    }

    private mutating func removeOldest() -> Value? {
        guard let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key,
            let entry = entries.removeValue(forKey: oldest)
        else { return nil }
        bytes -= entry.bytes
        return entry.value
    }
}
