/// The known word that a misspelt one most likely means.
public enum Suggestion {
    /// The nearest of `known` by edit distance, case ignored, or nil when none is near enough to be meant.
    public static func nearest(to word: String, in known: some Sequence<String>) -> String? {
        let wanted = Array(word.lowercased().unicodeScalars.prefix(64))
        var best: (word: String, distance: Int)?
        for candidate in known {
            let distance = editDistance(wanted, Array(candidate.lowercased().unicodeScalars))
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        guard let best, best.distance <= max(2, wanted.count / 3) else { return nil }
        return best.word
    }

    /// A hint for an unknown word: the nearest known one, or the list of all.
    public static func hint(for word: String, in known: [String]) -> String {
        if let near = nearest(to: word, in: known) { return "did you mean \"\(near)\"?" }
        return "known are " + known.joined(separator: ", ")
    }

    /// Levenshtein distance with neighbouring transpositions counted as one edit (optimal string alignment).
    private static func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        var beforePrevious = [Int]()
        var previous = Array(0...b.count)
        for i in 1...a.count {
            var row = [i] + Array(repeating: 0, count: b.count)
            for j in 1...b.count {
                row[j] = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    row[j] = min(row[j], beforePrevious[j - 2] + 1)
                }
            }
            (beforePrevious, previous) = (previous, row)
        }
        return previous[b.count]
    }
}
