/// A piece of music that is offered: an entry of `recommendMusicList`.
public struct MusicModel: ParameterSet, Hashable {
    public var musicTitle: String?
    /// Cover picture: a file.
    public var musicImageName: String?
    /// Cover picture: an address.
    public var musicImageURL: String?
    /// The music: a file.
    public var musicPathURL: String?
    /// The music: an address.
    public var musicWebURL: String?

    public init() {}

    /// Where the music is: the file if it is there already, else the address.
    public var source: String? { musicPathURL ?? musicWebURL }

    public static let specs: [ParameterSpec<Self>] = [
        .init("musicTitle", \.musicTitle, .optional(.name), help: "The title it is chosen by."),
        .init("musicImageName", \.musicImageName, .optional(.path), help: "Its cover: a file."),
        .init("musicImageURL", \.musicImageURL, .optional(.webAddress), help: "Its cover: an address."),
        .init("musicPathURL", \.musicPathURL, .optional(.path), help: "The music: a file; comes before musicWebURL."),
        .init("musicWebURL", \.musicWebURL, .optional(.webAddress), help: "The music: an address, fetched once."),
    ]
}

/// Which of the offered music is chosen.
public enum MusicChoice: Sendable, Hashable {
    case title(String)
    /// From 0.
    case index(Int)
}

extension ParameterType where Value == MusicChoice {
    /// A title or a number.
    static var musicChoice: Self {
        let number = ParameterType<Int>.integer(in: 0...100_000)
        return ParameterType(
            name: "title or number", schema: ["anyOf": [["type": "string"], number.schema]],
            read: { value, pointer, reading in
                switch value {
                case .string(let title): return .title(title)
                case .number: return number.read(value, pointer, &reading).map { .index($0) }
                default:
                    reading.wrongType(value, at: pointer, wanted: "a title or a number")
                    return nil
                }
            },
            write: {
                switch $0 {
                case .title(let title): .string(title)
                case .index(let index): .number(Double(index))
                }
            })
    }
}
