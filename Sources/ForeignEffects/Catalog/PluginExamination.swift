internal import EditorCore

/// Looks into one plugin file, in a worker. What a plugin does to the worker is found out from outside.
enum PluginExamination {
    enum Format: String, Sendable {
        case frei0r, ladspa
    }

    /// - Parameter reader: the format, the path, and whether to try the effects too.
    static func answer(_ reader: inout PayloadReader) throws -> JSONValue {
        guard let format = Format(rawValue: reader.text()) else { throw ModuleFailure("is of an unknown format") }
        let path = reader.text()
        let isTried = reader.integer() == 1
        switch format {
        case .frei0r:
            let trial = Frei0rTrial(try Frei0rLibrary(path: path))
            let description = try trial.describe()
            return .array([isTried ? try trial.examine(description).json : description.json])
        case .ladspa:
            let library = try LadspaLibrary(path: path)
            return .array(
                try library.plugins.map { plugin in
                    var description = LadspaDescription(plugin, path: path)
                    if isTried { try description.examine(library) }
                    return description.json
                })
        }
    }
}
