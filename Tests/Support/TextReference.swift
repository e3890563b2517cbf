public import Foundation

/// Text that was right once, kept in a file that people can read and compare.
public struct TextReference {
    private let file: URL

    /// - Parameters:
    ///   - name: of a file in `References` beside the test's source.
    ///   - source: the test's own file.
    public init(_ name: String, source: String = #filePath) {
        file = URL(fileURLWithPath: source).deletingLastPathComponent().appendingPathComponent("References/\(name)")
    }

    /// The first difference in words, or nil when the texts are equal. With `RECORD_REFERENCES=1` in the environment the
    /// file is written anew, which is a difference too: a run that records does not pass.
    public func difference(to text: String) throws -> String? {
        if ProcessInfo.processInfo.environment["RECORD_REFERENCES"] == "1" {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            return "\(file.lastPathComponent) was recorded; look at the change, then run without RECORD_REFERENCES"
        }
        guard let data = try? Data(contentsOf: file) else {
            return "\(file.lastPathComponent) is missing; RECORD_REFERENCES=1 writes it"
        }
        let known = String(decoding: data, as: UTF8.self)
        if known == text { return nil }
        let (old, new) = (
            known.split(separator: "\n", omittingEmptySubsequences: false),
            text.split(separator: "\n", omittingEmptySubsequences: false)
        )
        let line = zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset ?? min(old.count, new.count)
        func words(_ lines: [Substring]) -> String { lines.indices.contains(line) ? "\"\(lines[line])\"" : "nothing" }
        return "\(file.lastPathComponent), line \(line + 1): \(words(old)) became \(words(new))"
    }
}
