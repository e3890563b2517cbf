import EditorCore
import Testing

@Suite struct RecentCacheTests {
    @Test func theLongestUnusedGoesFirst() {
        var cache = RecentCache<String, Int>(capacity: 30)
        for (index, key) in ["a", "b", "c"].enumerated() { cache.insert(index, for: key, bytes: 10) }
        #expect(cache.value(for: "a") == 0)
        #expect(cache.insert(3, for: "d", bytes: 10) == 1)
        #expect(cache.value(for: "b") == nil)
        #expect(cache.count == 3 && cache.bytes == 30)
    }

    @Test func oneThatIsTooLargeStaysAlone() {
        var cache = RecentCache<Int, Int>(capacity: 10)
        cache.insert(1, for: 1, bytes: 5)
        cache.insert(2, for: 2, bytes: 50)
        #expect(cache.count == 1 && cache.value(for: 2) == 2)
        cache.insert(3, for: 2, bytes: 7)
        #expect(cache.bytes == 7)
    }
}
