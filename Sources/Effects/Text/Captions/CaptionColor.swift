internal import EditorCore

/// Colours as files of captions name them.
enum CaptionColor {
    /// WebVTT's eight, and the others of HTML's sixteen.
    static let named: [String: Color] = [
        "white": .init(0xffffff), "lime": .init(0x00ff00), "cyan": .init(0x00ffff), "red": .init(0xff0000),
        "yellow": .init(0xffff00), "magenta": .init(0xff00ff), "blue": .init(0x0000ff), "black": .init(0x000000),
        "silver": .init(0xc0c0c0), "gray": .init(0x808080), "maroon": .init(0x800000), "purple": .init(0x800080),
        "fuchsia": .init(0xff00ff), "green": .init(0x008000), "olive": .init(0x808000), "navy": .init(0x000080),
        "teal": .init(0x008080), "aqua": .init(0x00ffff), "orange": .init(0xffa500),
    ]

    /// WebVTT's classes of colours, in the order of the standard's rules.
    static let standardClasses = ["white", "lime", "cyan", "red", "yellow", "magenta", "blue", "black"]

    /// A colour of CSS: a name, `#rgb`, `#rrggbb`, `#rgba`, `#rrggbbaa`, `rgb(…)` or `rgba(…)`.
    static func css(_ text: some StringProtocol) -> Color? {
        let text = text.lowercased()
        if text == "transparent" { return Color(red: 0, green: 0, blue: 0, alpha: 0) }
        if text.hasPrefix("#") {
            let digits = text.dropFirst()
            return Color(hex: digits.count <= 4 ? String(digits.flatMap { [$0, $0] }) : String(digits))
        }
        guard let open = text.firstIndex(of: "("), text.hasSuffix(")"), ["rgb", "rgba"].contains(text[..<open]) else {
            return named[text]
        }
        let parts = text[text.index(after: open)...].dropLast().split { ", /".contains($0) }
        guard (3...4).contains(parts.count) else { return nil }
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            // Alpha counts to 1, the others to 255, and percents to a hundred.
            let most = part.hasSuffix("%") ? 100.0 : index == 3 ? 1 : 255
            guard let number = Double(part.hasSuffix("%") ? part.dropLast() : part), number.isFinite else { return nil }
            bytes.append(UInt8((min(max(number / most, 0), 1) * 255).rounded()))
        }
        return Color(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: bytes.count > 3 ? bytes[3] : 255)
    }

    /// SubStation's `&HAABBGGRR`, `&HBBGGRR&` or the same as a decimal number; the opacity is left out.
    static func subStation(_ text: Substring) -> Color? {
        var digits = text.drop { $0 == "&" || $0.isWhitespace }
        let isHexadecimal = digits.first == "H" || digits.first == "h"
        if isHexadecimal { digits = digits.dropFirst() }
        digits = digits.prefix { isHexadecimal ? $0.isHexDigit : $0.isNumber || $0 == "-" }
        guard let value = Int64(digits, radix: isHexadecimal ? 16 : 10) else { return nil }
        return Color(
            red: UInt8(truncatingIfNeeded: value), green: UInt8(truncatingIfNeeded: value >> 8),
            blue: UInt8(truncatingIfNeeded: value >> 16))
    }
}

extension Color {
    fileprivate init(_ rgb: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
            blue: UInt8(truncatingIfNeeded: rgb))
    }

    /// `#rrggbb` for Pango's markup.
    var markup: String { "#" + String((1 << 24) | Int(red) << 16 | Int(green) << 8 | Int(blue), radix: 16).dropFirst() }
}
