internal import EditorCore
internal import Glibc

/// Where the movie goes, and whether it can go there.
struct OutputLocation {
    let path: String

    init(path: String) { self.path = path }

    /// - Parameter output: what the caller asked for; nil leaves it to the config.
    init(_ configuration: Configuration, output: String?, baseDirectory: String) {
        if let output {
            path = output
            return
        }
        var folder = StandardFolders.path(configuration.mergeFilePathType)
        if let named = configuration.mergeFilePath {
            folder = named.hasPrefix("/") ? named : baseDirectory + "/" + named
        }
        path =
            (folder.hasSuffix("/") ? String(folder.dropLast()) : folder) + "/"
            + (configuration.mergeFileName ?? Self.freshName(configuration.outputFileType ?? .mov))
    }

    /// SDVideoCamera's: `SD_<timestamp>_<0…999>.mov`, with the ending of the container.
    private static func freshName(_ type: OutputFileType) -> String {
        "SD_\(time(nil))_\(Int.random(in: 0...999)).\(type.rawValue)"
    }

    var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The folder that the file is put in.
    private var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Finds what would keep the file from being created, before any work is done.
    /// - Parameter makesFolder: whether a standard folder that is not there yet may be made.
    /// - Throws: `EditorError` `.cannotCreateOutput`.
    func check(overwrite: Bool, makesFolder: Bool) throws {
        func refuse(_ reason: String) -> EditorError { EditorError(.cannotCreateOutput, reason) }
        var status = stat()
        if makesFolder, stat(folder, &status) != 0 { try Self.makeFolder(folder) }
        guard stat(folder, &status) == 0 else {
            throw refuse("\(path) cannot be created: the folder \(folder) does not exist; make it first")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw refuse("\(path) cannot be created: \(folder) is no folder")
        }
        if stat(path, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR {
                throw refuse("\(path) cannot be created: it is a folder; name a file in it")
            }
            guard overwrite else { throw refuse("\(path) exists already; name another file or add --overwrite") }
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            throw refuse(
                "\(path) cannot be created: the folder \(folder) may not be written to: \(String(cString: strerror(errno)))"
            )
        }
    }

    private static func makeFolder(_ path: String) throws {
        if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
        if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            try makeFolder(String(path[..<slash]))
            if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
        }
        throw EditorError(.cannotCreateOutput, "the folder \(path) cannot be made: \(String(cString: strerror(errno)))")
    }
}
