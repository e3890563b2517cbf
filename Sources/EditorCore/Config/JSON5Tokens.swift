// The tokens of JSON5: space, words, strings, numbers.
extension JSON5Parser {
    /// Skips white space and comments.
    mutating func skipSpace() throws(Problem) {
        while let byte = next {
            switch byte {
            case 0x09...0x0d, 0x20: position += 1
            case UInt8(ascii: "/"): try skipComment()
            default:
                let length = spaceLength(at: position)
                guard length > 0 else { return }
                position += length
            }
        }
    }

    /// Bytes of the white space beyond ASCII at a place: U+00A0, U+FEFF, U+2028, U+2029 and the Zs category.
    private func spaceLength(at place: Int) -> Int {
        let byte = bytes[place]
        guard byte >= 0x80 else { return 0 }
        if byte == 0xc2 { return place + 1 < bytes.count && bytes[place + 1] == 0xa0 ? 2 : 0 }
        guard place + 2 < bytes.count else { return 0 }
        switch (byte, bytes[place + 1], bytes[place + 2]) {
        case (0xef, 0xbb, 0xbf), (0xe1, 0x9a, 0x80), (0xe3, 0x80, 0x80), (0xe2, 0x81, 0x9f): return 3
        case (0xe2, 0x80, 0x80...0x8a), (0xe2, 0x80, 0xa8...0xa9), (0xe2, 0x80, 0xaf): return 3
        default: return 0
        }
    }

    private mutating func skipComment() throws(Problem) {
        let start = position
        switch position + 1 < bytes.count ? bytes[position + 1] : 0 {
        case UInt8(ascii: "/"):
            while let byte = next, byte != 0x0a, byte != 0x0d { position += 1 }
        case UInt8(ascii: "*"):
            position += 2
            while true {
                guard position + 1 < bytes.count else {
                    throw Problem(offset: start, message: "this comment is never closed", hint: "it ends with */")
                }
                if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") { break }
                position += 1
            }
            position += 2
        default: throw Problem(offset: start, message: "a lone / stands here", hint: "comments begin with // or /*")
        }
    }

    /// A run of letters, digits, `$` and `_` that begins with no digit; empty when there is none.
    mutating func identifier() -> String {
        let start = position
        while let byte = next, isWordByte(byte), position > start || !(0x30...0x39).contains(byte) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Beyond ASCII only letters belong into words, and so do not: white space, and punctuation such as curly quotes,
    /// or the full-width colon and comma, which input methods put in and which should be told of by name.
    private func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
            return true
        case 0x80...0xbf: return true
        case 0xc0...:
            guard let scalar = scalar(at: position)?.value else { return false }
            return scalar.isIdentifierPart
        default: return false
        }
    }

    private func scalar(at place: Int) -> Unicode.Scalar? {
        String(decoding: bytes[place..<min(place + 4, bytes.count)], as: UTF8.self).unicodeScalars.first
    }

    /// A string in either kind of quotation marks, with its escapes undone.
    mutating func quotedString() throws(Problem) -> String {
        let start = position
        let quote = bytes[position]
        position += 1
        var text: [UInt8] = []
        var runStart = position
        while true {
            guard let byte = next, byte != 0x0a, byte != 0x0d else {
                throw Problem(
                    offset: start, message: "this string is never closed",
                    hint: "it ends with \(quote == UInt8(ascii: "'") ? "'" : "\"") on the line it begins on")
            }
            if byte == quote { break }
            position += 1
            if byte == UInt8(ascii: "\\") {
                text += bytes[runStart..<position - 1]
                try escape(into: &text)
                runStart = position
            }
        }
        text += bytes[runStart..<position]
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func escape(into text: inout [UInt8]) throws(Problem) {
        let start = position - 1
        guard let byte = next else { throw Problem(offset: start, message: "the file ends within a string") }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "v"): text.append(0x0b)
        case UInt8(ascii: "0") where !(next.map { (0x30...0x39).contains($0) } ?? false): text.append(0)
        case 0x0a: break
        case 0x0d: if next == 0x0a { position += 1 }
        case UInt8(ascii: "x"):
            text += Array(String(Character(Unicode.Scalar(UInt8(try hexadecimal(2, from: start))))).utf8)
        case UInt8(ascii: "u"): text += Array(String(Character(try unicodeEscape(from: start))).utf8)
        case UInt8(ascii: "1")...UInt8(ascii: "9"), UInt8(ascii: "0"):
            throw Problem(offset: start, message: "there is no escape with a digit", hint: "write \\\\ for a backslash")
        default:
            // Any other character stands for itself; the rest of a longer one follows as ordinary text. An escaped
            // U+2028 or U+2029 goes on with the line like an escaped newline.
            if byte == 0xe2, spaceLength(at: position - 1) == 3, bytes[position + 1] & 0xfe == 0xa8 {
                position += 2
            } else {
                text.append(byte)
            }
        }
    }

    private mutating func unicodeEscape(from start: Int) throws(Problem) -> Unicode.Scalar {
        let first = try hexadecimal(4, from: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        if first < 0xdc00, next == UInt8(ascii: "\\"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "u")
        {
            position += 2
            let second = try hexadecimal(4, from: start)
            if (0xdc00...0xdfff).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
            {
                return scalar
            }
        }
        throw Problem(offset: start, message: "this escape is half a character", hint: "the other half must follow")
    }

    private mutating func hexadecimal(_ count: Int, from start: Int) throws(Problem) -> UInt32 {
        let digits = bytes[position..<min(position + count, bytes.count)]
        guard digits.count == count, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw Problem(offset: start, message: "this escape needs \(count) hexadecimal digits") }
        position += count
        return value
    }

    /// A number. One that is none, or too large, is reported and reads as 0.
    mutating func number() throws(Problem) -> Double {
        let start = position
        if let whole = shortWhole() { return whole }
        while let byte = next, isWordByte(byte) || byte == UInt8(ascii: ".") || isSign(byte, from: start) {
            position += 1
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let value = Self.number(text) else {
            throw Problem(offset: start, message: "\(text.prefix(40)) is no number")
        }
        if value.isFinite { return value }
        let isTooLarge = !text.hasSuffix("NaN") && !text.hasSuffix("Infinity")
        report(
            "config.number", at: start,
            isTooLarge
                ? "\(pointer.name) \(text.prefix(40)) is too large"
                : "\(pointer.name) is \(text), and must be a finite number")
        return 0
    }

    /// Most numbers are a few digits and need no text of their own; nil, and nothing read, for all others.
    private mutating func shortWhole() -> Double? {
        var (value, end) = (0, position)
        while end < bytes.count, (0x30...0x39).contains(bytes[end]), end - position < 15 {
            value = value * 10 + Int(bytes[end] - 0x30)
            end += 1
        }
        guard end > position, bytes[position] != 0x30 || end == position + 1, end < bytes.count else { return nil }
        switch bytes[end] {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), 0x20, 0x0a, 0x0d: break
        default: return nil
        }
        position = end
        return Double(value)
    }

    /// A sign at the beginning, or after the letter of an exponent.
    private func isSign(_ byte: UInt8, from start: Int) -> Bool {
        guard byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") else { return false }
        return position == start || bytes[position - 1] | 0x20 == UInt8(ascii: "e")
    }

    private static func number(_ text: String) -> Double? {
        var digits = Substring(text)
        let isNegative = digits.first == "-"
        if isNegative || digits.first == "+" { digits.removeFirst() }
        let magnitude: Double
        if digits == "NaN" || digits == "Infinity" {
            magnitude = digits == "NaN" ? .nan : .infinity
        } else if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
            digits.removeFirst(2)
            guard !digits.isEmpty, digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
                return nil
            }
            magnitude = digits.reduce(0) { $0 * 16 + Double($1.hexDigitValue ?? 0) }
        } else {
            guard let value = decimal(digits) else { return nil }
            magnitude = value
        }
        return isNegative ? -magnitude : magnitude
    }

    /// Digits with at most one point, at its ends too, no needless zero before them, and an exponent.
    private static func decimal(_ text: Substring) -> Double? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let areDigits = { (part: Substring) in part.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        guard parts.count <= 2, mantissa.count <= 2, mantissa.allSatisfy(areDigits),
            mantissa.contains(where: { !$0.isEmpty }),
            mantissa[0].count < 2 || mantissa[0].first != "0"
        else { return nil }
        if parts.count == 2 {
            let exponent = parts[1].first == "+" || parts[1].first == "-" ? parts[1].dropFirst() : parts[1]
            guard !exponent.isEmpty, areDigits(exponent) else { return nil }
        }
        let fraction = mantissa.count == 2 && !mantissa[1].isEmpty ? "." + mantissa[1] : ""
        return Double("0" + mantissa[0] + fraction + (parts.count == 2 ? "e" + parts[1] : ""))
    }
}

extension UInt32 {
    /// Whether the scalar may stand in an unquoted key: letters, marks and digits of every script.
    fileprivate var isIdentifierPart: Bool {
        guard let properties = Unicode.Scalar(self)?.properties else { return false }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber,
            .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation:
            return true
        default: return false
        }
    }
}
