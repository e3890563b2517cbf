internal import EditorCore

/// Who waits for a file: its way to the user, and the user's way to stop it.
struct WebListener: Sendable {
    var access = WebAccess()
    var cancellation = Cancellation()
    var report: @Sendable (RenderEvent) -> Void = { _ in }
}

/// An address on the web, taken apart as far as is needed here.
struct WebAddress: Sendable, Hashable {
    /// As it stands in the config.
    let text: String

    /// nil for whatever does not begin with `http://` or `https://`.
    init?(_ text: String) {
        let start = text.prefix(8).lowercased()
        guard start.hasPrefix("http://") || start.hasPrefix("https://") else { return nil }
        self.text = text
    }

    /// Without a name and password, which are nobody else's business.
    var shown: String {
        guard let slashes = text.firstRange(of: "://") else { return text }
        let rest = text[slashes.upperBound...]
        let host = rest.prefix { !"/?#".contains($0) }
        guard let at = host.lastIndex(of: "@") else { return text }
        return String(text[..<slashes.upperBound] + rest[rest.index(after: at)...])
    }

    /// The ending of the file's name with its dot, where it is a plain one; else nothing.
    var ending: String {
        let path = text.prefix { !"?#".contains($0) }
        guard let name = path.split(separator: "/").last, let dot = name.lastIndex(of: ".") else { return "" }
        let ending = name[dot...].dropFirst()
        let isPlain = (1...5).contains(ending.count) && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return isPlain ? "." + ending.lowercased() : ""
    }
}

/// A file's path behind `file://`, with its percent signs resolved; nil for whatever is no such address of this machine.
func localPath(ofFileAddress text: String) -> String? {
    guard text.prefix(7).lowercased() == "file://" else { return nil }
    var path = text.dropFirst(7)
    if path.lowercased().hasPrefix("localhost/") { path = path.dropFirst(9) }
    guard path.hasPrefix("/") else { return nil }
    var bytes: [UInt8] = []
    var rest = Array(path.utf8)[...]
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"), rest.count >= 2,
            let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), code != 0
        {
            bytes.append(code)
            rest = rest.dropFirst(2)
        } else {
            bytes.append(byte)
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}
