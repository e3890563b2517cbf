/// Reads look-up tables in the .cube format: Adobe's (Cube LUT Specification 1.0) and Resolve's, which may hold a 1D
/// table in front of a 3D one and gives domains as `LUT_1D_INPUT_RANGE` and `LUT_3D_INPUT_RANGE`.
struct CubeFile {
    /// What is wrong, and in which line, counted from 1.
    struct Problem: Error, Equatable {
        var line: Int
        var message: String
    }

    /// The values of the first and the last entry of a table.
    struct Domain {
        var low = SIMD4<Float>(0, 0, 0, 0)
        var high = SIMD4<Float>(1, 1, 1, 1)
        /// The line that told of it last.
        var line = 0

        var isRising: Bool { low.x < high.x && low.y < high.y && low.z < high.z }
    }

    /// Lines that were passed over.
    private(set) var warnings: [Problem] = []
    /// Entries of the 1D table, 0 if there is none.
    private(set) var rampSize = 0
    /// Entries along a side of the 3D table, 0 if there is none.
    private(set) var side = 0
    /// The 1D table, then the 3D one, in which red runs fastest.
    private var colors: [SIMD4<Float>] = []
    private var domain = Domain()
    private var rampDomain: Domain?
    private var cubeDomain: Domain?

    /// The sizes that are taken. The specification allows 256 for a side, which would be a file of 300 MB.
    static let rampSizes = 2...65_536
    static let cubeSides = 2...128

    private var wanted: Int { rampSize + side * side * side }

    /// - Throws: a `Problem`.
    init(_ text: String) throws(Problem) {
        let bytes = Array(text.utf8)
        var (lines, start) = (0, 0)
        while start < bytes.count {
            // Files from old Macs end their lines with a carriage return alone.
            var end = start
            while end < bytes.count, bytes[end] != 10, bytes[end] != 13 { end += 1 }
            lines += 1
            // Nearly all lines are colours.
            if !colors.isEmpty, colors.count < wanted, let color = DecimalReader.triple(bytes[start..<end]) {
                colors.append(color)
            } else {
                try read(Self.words(bytes[start..<end]), line: lines)
            }
            start = end + (end + 1 < bytes.count && bytes[end] == 13 && bytes[end + 1] == 10 ? 2 : 1)
        }
        guard wanted > 0 else {
            throw Problem(line: max(1, lines), message: "the file ends without LUT_1D_SIZE or LUT_3D_SIZE")
        }
        guard colors.count == wanted else {
            throw Problem(
                line: max(1, lines), message: "the file ends after \(colors.count) of \(wanted) colours")
        }
    }

    /// The tables, ready to be read from.
    var map: TableMap {
        let (ramp, cube) = (Array(colors.prefix(rampSize)), Array(colors.dropFirst(rampSize)))
        // A table behind another reads what that one gives; the file's own domain is that of the first.
        let (first, second) = (rampDomain ?? domain, cubeDomain ?? (ramp.isEmpty ? domain : Domain()))
        return TableMap(
            ramp: ramp.isEmpty
                ? nil : ColorRamp(entries: ramp, low: first.low, high: first.high, isClamped: side == 0),
            lattice: side == 0
                ? nil : ColorLattice(side: side, entries: cube, low: second.low, high: second.high))
    }

    private static func words(_ line: ArraySlice<UInt8>) -> [Substring] {
        String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\t" }
    }

    private mutating func read(_ words: [Substring], line: Int) throws(Problem) {
        guard let first = words.first, let start = first.utf8.first, start != UInt8(ascii: "#") else { return }
        let isNumber = (48...57).contains(start) || "+-.".utf8.contains(start)
        if isNumber { try readColor(words, line) } else { try readWord(words, line) }
    }

    private mutating func readColor(_ words: [Substring], _ line: Int) throws(Problem) {
        if colors.isEmpty {
            guard wanted > 0 else {
                throw Problem(line: line, message: "colours begin before LUT_1D_SIZE or LUT_3D_SIZE is given")
            }
            for domain in [domain, rampDomain, cubeDomain] {
                if let domain, !domain.isRising {
                    throw Problem(line: domain.line, message: "the domain's end is not above its start")
                }
            }
        }
        guard colors.count < wanted else {
            throw Problem(line: line, message: "there are more than the \(wanted) colours that the sizes announce")
        }
        colors.append(try Self.triple(words[...], line, of: "a colour"))
    }

    private mutating func readWord(_ words: [Substring], _ line: Int) throws(Problem) {
        let name = words[0]
        let values = words.dropFirst()
        guard colors.isEmpty else {
            throw Problem(line: line, message: "\"\(name.prefix(40))\" stands among the colours")
        }
        switch name {
        case "TITLE": break
        case "LUT_1D_SIZE": rampSize = try Self.size(values, line, name, Self.rampSizes, old: rampSize)
        case "LUT_3D_SIZE": side = try Self.size(values, line, name, Self.cubeSides, old: side)
        case "DOMAIN_MIN": (domain.low, domain.line) = (try Self.triple(values, line, of: name), line)
        case "DOMAIN_MAX": (domain.high, domain.line) = (try Self.triple(values, line, of: name), line)
        case "LUT_1D_INPUT_RANGE": rampDomain = try Self.range(values, line, name)
        case "LUT_3D_INPUT_RANGE": cubeDomain = try Self.range(values, line, name)
        default:
            warnings.append(Problem(line: line, message: "\"\(name.prefix(40))\" is unknown and left aside"))
            if warnings.count > 8 { throw Problem(line: line, message: "this is no .cube file") }
        }
    }

    private static func number(_ word: Substring, _ line: Int) throws(Problem) -> Float {
        guard let value = Float(word) else {
            throw Problem(line: line, message: "\"\(word.prefix(40))\" is no number")
        }
        // Far beyond any light, and sums of such stay finite.
        guard value.isFinite, abs(value) <= 1e6 else {
            throw Problem(line: line, message: "\"\(word.prefix(40))\" is no number of use")
        }
        return value
    }

    private static func triple(
        _ words: ArraySlice<Substring>, _ line: Int, of name: Substring
    ) throws(Problem) -> SIMD4<Float> {
        guard words.count == 3 else {
            throw Problem(line: line, message: "\(name) has three numbers, not \(words.count)")
        }
        let start = words.startIndex
        return SIMD4(
            try number(words[start], line), try number(words[start + 1], line), try number(words[start + 2], line), 0)
    }

    private static func range(
        _ words: ArraySlice<Substring>, _ line: Int, _ name: Substring
    ) throws(Problem) -> Domain {
        guard words.count == 2, let first = words.first, let last = words.last else {
            throw Problem(line: line, message: "\(name) has two numbers, not \(words.count)")
        }
        let (low, high) = (try number(first, line), try number(last, line))
        return Domain(low: SIMD4(low, low, low, 0), high: SIMD4(high, high, high, 1), line: line)
    }

    private static func size(
        _ words: ArraySlice<Substring>, _ line: Int, _ name: Substring, _ allowed: ClosedRange<Int>, old: Int
    ) throws(Problem) -> Int {
        guard words.count == 1, let word = words.first, let size = Int(word) else {
            throw Problem(line: line, message: "\(name) has one whole number")
        }
        guard allowed.contains(size) else {
            throw Problem(
                line: line, message: "\(name) \(size) is outside \(allowed.lowerBound) to \(allowed.upperBound)")
        }
        guard old == 0 else { throw Problem(line: line, message: "\(name) stands there twice") }
        return size
    }
}
