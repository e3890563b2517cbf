internal import EditorCore
internal import EditorMedia
internal import Glibc

/// Where a movie or a picture goes, and whether it can go there.
struct OutputLocation {
    let path: String
    /// Whether the folder is a standard one, which is made when it is needed.
    private let makesFolder: Bool

    /// A place that somebody named.
    init(_ path: String) {
        self.path = path
        makesFolder = false
    }

    /// The movie's place.
    /// - Parameter output: what the caller asked for; nil leaves it to the config.
    init(_ configuration: Configuration, output: String?, baseDirectory: String) {
        if let output {
            (path, makesFolder) = (output, false)
            return
        }
        var folder = StandardFolders.path(configuration.mergeFilePathType)
        if let named = configuration.mergeFilePath {
            folder = named.hasPrefix("/") || baseDirectory == "." ? named : baseDirectory + "/" + named
        }
        path =
            (folder.hasSuffix("/") ? String(folder.dropLast()) : folder) + "/"
            + (configuration.mergeFileName ?? Self.freshName(configuration.outputFileType ?? .mov))
        makesFolder = configuration.mergeFilePath == nil
    }

    /// SDVideoCamera's: `SD_<timestamp>_<0…999>.mov`, with the ending of the container.
    private static func freshName(_ type: OutputFileType) -> String {
        "SD_\(time(nil))_\(Int.random(in: 0...999)).\(type.rawValue)"
    }

    var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The folder that the file is put in.
    private var folder: String { Composition.folder(of: path) }

    /// Finds what would keep the file from being created, before any work is done. Nothing is made or changed.
    /// - Throws: `EditorError` `.cannotCreateOutput`.
    func check(overwrite: Bool) throws {
        func refuse(_ reason: String) -> EditorError {
            EditorError(.cannotCreateOutput, "\(path) cannot be created: \(reason)")
        }
        var place = folder
        // A folder that will be made needs one above it that can be written to.
        while makesFolder, !FileBytes.exists(place), place != ".", place != "/" {
            place = Composition.folder(of: place)
        }
        var status = stat()
        guard stat(place, &status) == 0 else { throw refuse("the folder \(place) does not exist; make it first") }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw refuse("\(place) is no folder") }
        if stat(path, &status) == 0 {
            let kind = status.st_mode & S_IFMT
            if kind == S_IFDIR { throw refuse("it is a folder; name a file in it") }
            if kind != S_IFREG { throw refuse("it is no ordinary file; name another") }
        }
        // A link counts, also one that leads nowhere.
        guard overwrite || lstat(path, &status) != 0 else { throw FileBytes.nameIsTaken(path) }
        guard access(place, W_OK | X_OK) == 0 else {
            throw refuse("the folder \(place) may not be written to: \(String(cString: strerror(errno)))")
        }
    }

    /// Makes the folder if it is a standard one that is not there yet.
    /// - Throws: `EditorError` `.cannotCreateOutput`.
    func makeFolder() throws { if makesFolder { try FileBytes.makeFolder(folder) } }
}
