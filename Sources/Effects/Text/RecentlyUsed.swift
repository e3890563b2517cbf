/// Keeps values by key up to a total cost; those that were not asked for the longest make room.
struct RecentlyUsed<Key: Hashable, Value> {
    private var entries: [Key: (value: Value, cost: Int, used: Int)] = [:]
    private var clock = 0
    private var total = 0
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    var count: Int { entries.count }

    mutating func value(for key: Key) -> Value? {
        guard let index = entries.index(forKey: key) else { return nil }
        clock += 1
        entries.values[index].used = clock
        return entries.values[index].value
    }

    /// The newest value stays even if it alone costs more than the limit.
    mutating func keep(_ value: Value, for key: Key, cost: Int) {
        clock += 1
        total += cost - (entries[key]?.cost ?? 0)
        entries[key] = (value, cost, clock)
        while total > limit, entries.count > 1, let oldest = entries.min(by: { $0.value.used < $1.value.used }) {
            total -= oldest.value.cost
            entries[oldest.key] = nil
        }
    }
}
