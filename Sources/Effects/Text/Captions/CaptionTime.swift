internal import EditorCore

/// Times as SubRip and WebVTT write them.
enum CaptionTime {
    /// `[hours:]minutes:seconds[,.]fraction`; nil for anything else. A leading minus is read, so that it can be told of.
    static func parse(_ text: Substring) -> MediaTime? {
        let isNegative = text.hasPrefix("-")
        let parts = (isNegative ? text.dropFirst() : text).split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else { return nil }
        let last = parts[parts.count - 1].split(omittingEmptySubsequences: false) { $0 == "," || $0 == "." }
        guard (1...2).contains(last.count) else { return nil }
        var seconds: Int64 = 0
        for (index, part) in (parts.dropLast() + [last[0]]).enumerated() {
            guard (1...6).contains(part.utf8.count), part.utf8.allSatisfy({ (48...57).contains($0) }),
                let number = Int64(part),
                index == 0 || number < 60
            else { return nil }
            seconds = seconds * 60 + number
        }
        var milliseconds: Int64 = 0
        if last.count == 2 {
            guard (1...9).contains(last[1].utf8.count), last[1].utf8.allSatisfy({ (48...57).contains($0) }) else {
                return nil
            }
            let digits = (last[1] + "00").prefix(3)
            milliseconds = Int64(digits) ?? 0
        }
        let total = seconds * 1000 + milliseconds
        return MediaTime(value: isNegative ? -total : total, timescale: 1000)
    }

    /// The line `start --> end`, with what may follow it left out; nil when it has no arrow.
    static func range(_ line: String) -> Result<TimeRange, TimeLineProblem>? {
        guard let arrow = line.firstRange(of: "-->") else { return nil }
        let before = line[..<arrow.lowerBound].trimmingBlanks
        let after = String(line[arrow.upperBound...].trimmingBlanks.prefix { !$0.isWhitespace })
        var times: [MediaTime] = []
        for text in [before, after] {
            guard let time = parse(text[...]) else {
                return .failure(TimeLineProblem(message: "\"\(text)\" is no time such as 00:01:02,345"))
            }
            guard time >= .zero else {
                return .failure(TimeLineProblem(message: "the time \(text) is before the movie's start"))
            }
            times.append(time)
        }
        return .success(TimeRange(start: times[0], end: times[1]))
    }

    struct TimeLineProblem: Error {
        var message: String
    }
}

/// The lines of a text file, whatever their ends are, numbered from 1.
struct NumberedLines {
    private let lines: [Substring]
    private var next = 0

    init(_ text: String) {
        lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    }

    /// Number of the line that `take` gives next.
    var number: Int { next + 1 }
    var isAtEnd: Bool { next >= lines.count }
    var peek: String? { isAtEnd ? nil : String(lines[next]) }
    var peekSecond: String? { next + 1 < lines.count ? String(lines[next + 1]) : nil }

    mutating func take() -> String {
        next += 1
        return String(lines[next - 1])
    }

    mutating func skipBlank() {
        while let line = peek, line.allSatisfy(\.isWhitespace) { next += 1 }
    }

    /// The lines up to the next blank one.
    mutating func takeBlock() -> [String] {
        var block: [String] = []
        while let line = peek, !line.allSatisfy(\.isWhitespace) {
            block.append(line)
            next += 1
        }
        return block
    }
}
