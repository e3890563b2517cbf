internal import EditorCore

/// How a stretch of a caption looks, where its file says so; nil leaves it as it is around.
struct CueLook: Sendable, Hashable {
    var color: Color?
    var background: Color?
    var isBold: Bool?
    var isItalic: Bool?
    var isUnderlined: Bool?
    var isStruck: Bool?

    /// Takes what another look says.
    mutating func take(_ other: CueLook) {
        color = other.color ?? color
        background = other.background ?? background
        isBold = other.isBold ?? isBold
        isItalic = other.isItalic ?? isItalic
        isUnderlined = other.isUnderlined ?? isUnderlined
        isStruck = other.isStruck ?? isStruck
    }

    /// A tag that opens the look, or nil when it says nothing.
    var opening: String? {
        var attributes = ""
        if let color { attributes += Self.attributes("foreground", "alpha", color) }
        if let background { attributes += Self.attributes("background", "background_alpha", background) }
        if let isBold { attributes += " weight=\"\(isBold ? 700 : 400)\"" }
        if let isItalic { attributes += " style=\"\(isItalic ? "italic" : "normal")\"" }
        if let isUnderlined { attributes += " underline=\"\(isUnderlined ? "single" : "none")\"" }
        if let isStruck { attributes += " strikethrough=\"\(isStruck)\"" }
        return attributes.isEmpty ? nil : "<span\(attributes)>"
    }

    private static func attributes(_ name: String, _ alphaName: String, _ color: Color) -> String {
        // Pango counts from 1 to 65536.
        let alpha = max(1, Int(color.alpha) * 257)
        return " \(name)=\"\(color.markup)\"" + (color.alpha == 255 ? "" : " \(alphaName)=\"\(alpha)\"")
    }
}
