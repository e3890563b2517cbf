/// An entry of the recording menu.
public struct MenuItem: ParameterSet, Hashable {
    public var type = MenuAction.turnOver
    /// Pictures and titles for the resting and the chosen state; nil shows the built-in ones.
    public var normalImageName: String?
    public var selectImageName: String?
    public var normalTitle: String?
    public var selectTitle: String?

    public init() {}
    public init(_ type: MenuAction) { self.type = type }

    public static let specs: [ParameterSpec<Self>] = [
        .init("type", \.type, .choice, required: true, help: "What it does."),
        .init("normalImageName", \.normalImageName, .optional(.path), help: "Picture at rest."),
        .init("selectImageName", \.selectImageName, .optional(.path), help: "Picture when chosen."),
        .init("normalTitle", \.normalTitle, .optional(.string), help: "Title at rest."),
        .init("selectTitle", \.selectTitle, .optional(.string), help: "Title when chosen."),
    ]
}

extension ParameterType where Value == MenuItem {
    /// One of the actions' names, or an object with pictures and titles.
    static var menuItem: Self {
        let word = ParameterType<MenuAction>.choice
        return ParameterType(
            name: word.name, schema: ["anyOf": [word.schema, MenuItem.schema()]],
            read: { value, pointer, reading in
                if case .object = value { return MenuItem.read(value, at: pointer, into: &reading) }
                return word.read(value, pointer, &reading).map { MenuItem($0) }
            },
            write: { .string($0.type.rawValue) })
    }
}

/// What is run when the movie is there.
public struct ReturnBlock: ParameterSet, Hashable {
    /// A program and its arguments; `{path}` stands for the movie's path.
    public var command: [String] = []

    public init() {}

    public static let specs: [ParameterSpec<Self>] = [
        .init(
            "command", \.command, .list(of: .string, count: 1...1000), required: true,
            help:
                "A program and its arguments, run without a shell and only when commands are allowed; {path} is the movie."
        )
    ]
}
