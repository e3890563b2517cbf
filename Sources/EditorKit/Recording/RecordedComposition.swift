public import EditorCore
internal import EditorMedia
public import EditorRecording

/// What lies between a recording session and the composition of its segments.
public enum RecordedComposition {
    /// The store that the command line keeps its sessions in.
    public static var sessionStore: SessionStore {
        SessionStore(folder: StandardFolders.path(.library) + "/sessions")
    }

    /// The settings that a config has for recording; segments go to the folder of `videoFilePathType`.
    /// - Parameters:
    ///   - baseDirectory: what the config's relative paths are relative to.
    ///   - options: how music on the web is fetched, which is done here and now.
    /// - Throws: `EditorError` when the chosen music cannot be read.
    public static func settings(
        _ configuration: Configuration, baseDirectory: String, options: Composition.Options = Composition.Options()
    ) throws -> RecordingSettings {
        var settings = RecordingSettings(
            configuration, folder: StandardFolders.path(configuration.videoFilePathType))
        guard let music = configuration.chosenMusic else {
            guard configuration.durationType == .duration else {
                throw EditorError(
                    [
                        Finding(
                            .error, code: "config.noMusic", at: JSONPointer(["durationType"]),
                            "durationType \"audio\" takes the music's length, and no music is chosen",
                            hint: "set audioURL, or selectedMusic")
                    ])!
            }
            return settings
        }
        let library = FileMediaLibrary(
            baseDirectory: baseDirectory, aliases: [.audio: configuration.musicAliases], web: Composition.webCache
        ).fetching(options.web, cancellation: Cancellation()) { event in
            if case .download(let download) = event { options.onDownload(download) }
        }
        let asset = AssetReference(path: music, kind: .audio)
        // Now, so that music which cannot be read is told of before anything is recorded.
        _ = try library.assets.audio(asset)
        settings.music = { try library.assets.audio(asset) }
        if configuration.durationType == .audio {
            settings.limit =
                try library.probe(library.fileOnDisk(asset) ?? music).audio.first?.duration ?? settings.limit
        }
        return settings
    }

    /// A config that merges a session's segments: the one the session was begun with, the segments in place of its
    /// clips.
    public static func configuration(of record: SessionRecord, over base: JSONValue) -> JSONValue {
        var members: [String: JSONValue] = [:]
        if case .object(let given) = base { members = given }
        members["assetArray"] = .array(
            record.segments.map { segment in
                segment.speed == .one
                    ? .string(segment.path)
                    : ["path": .string(segment.path), "speed": .number(segment.speed.doubleValue)]
            })
        return .object(members)
    }

    /// Where `write` puts the config: beside the one that the session was begun with, so that its relative paths stay
    /// right, or beside the session's file.
    public static func path(of record: SessionRecord, store: SessionStore) -> String {
        guard let base = record.configPath else { return "\(store.folder)/\(record.id).json" }
        let folder = Composition.folder(of: base)
        var name = base.split(separator: "/").last.map(String.init) ?? "cfg"
        if let dot = name.lastIndex(of: "."), dot > name.startIndex { name = String(name[..<dot]) }
        return "\(folder)/\(name)-\(record.id).json"
    }

    /// Writes the merging config.
    /// - Returns: its path, and the document.
    /// - Throws: `EditorError` that names the file.
    public static func write(_ record: SessionRecord, over base: JSONValue, store: SessionStore) throws -> (
        path: String, document: ConfigurationDocument
    ) {
        let path = path(of: record, store: store)
        let value = configuration(of: record, over: base)
        do {
            try FileBytes.write(Array((value.text(indent: 2) + "\n").utf8), to: path)
        } catch let error as EditorError {
            throw EditorError(.cannotCreateOutput, error.message)
        }
        return (path, ConfigurationDocument(value, name: path))
    }
}
