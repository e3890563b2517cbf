/// Reads the plain decimal numbers that tables are full of.
enum DecimalReader {
    /// Three numbers and nothing else in a line; nil when any is written in another way, which `Float` may still read.
    static func triple(_ line: ArraySlice<UInt8>) -> SIMD4<Float>? {
        var place = line.startIndex
        guard let x = number(line, &place), let y = number(line, &place), let z = number(line, &place) else {
            return nil
        }
        skipBlanks(line, &place)
        return place == line.endIndex ? SIMD4(x, y, z, 0) : nil
    }

    private static func skipBlanks(_ line: ArraySlice<UInt8>, _ place: inout Int) {
        while place < line.endIndex, line[place] == 32 || line[place] == 9 { place += 1 }
    }

    /// A sign, digits, and digits behind a point; few enough that their whole number is exact in a double.
    private static func number(_ line: ArraySlice<UInt8>, _ place: inout Int) -> Float? {
        skipBlanks(line, &place)
        var isNegative = false
        if place < line.endIndex, line[place] == UInt8(ascii: "-") {
            isNegative = true
            place += 1
        }
        var (digits, behindPoint, value) = (0, 0, 0)
        var isBehindPoint = false
        while place < line.endIndex {
            let byte = line[place]
            if byte >= 48, byte <= 57 {
                value = value * 10 + Int(byte - 48)
                digits += 1
                if isBehindPoint { behindPoint += 1 }
                // 10¹⁵ < 2⁵³, and powers of ten up to 10²² are exact: the quotient is rounded once.
                if digits > 15 { return nil }
            } else if byte == UInt8(ascii: "."), !isBehindPoint {
                isBehindPoint = true
            } else {
                break
            }
            place += 1
        }
        let isEnded = place == line.endIndex || line[place] == 32 || line[place] == 9
        let magnitude = Double(value) / Double(powers[behindPoint])
        guard digits > 0, isEnded, magnitude <= 1e6 else { return nil }
        return Float(isNegative ? -magnitude : magnitude)
    }

    private static let powers: [Int] = (0...15).reduce(into: []) { $0.append($1 == 0 ? 1 : $0[$1 - 1] * 10) }
}
