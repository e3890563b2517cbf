/// The fonts of this machine.
public enum FontCatalog {
    /// Family of a font that holds a character, or nil when none does.
    public static func family(holding character: UInt32) -> String? { FontPattern()?.family(holding: character) }
}
