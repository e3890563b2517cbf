/// What is read from an ICC colour profile.
enum ColorProfile {
    /// Whether a profile goes by the name of Apple's wide colours, in whatever encoding its description has. Cameras write
    /// no other profiles than this one and those of sRGB.
    static func isDisplayP3(_ profile: [UInt8]) -> Bool {
        guard profile.count >= 132 else { return false }
        // The description stands in ASCII or in UTF-16 (ICC.1:2010, 10.13; ICC.1:2001, 6.5.17).
        let text = profile.filter { $0 != 0 }
        let name = Array("Display P3".utf8)
        return text.indices.contains { text[$0...].starts(with: name) }
    }
}
