internal import EditorCore
internal import EditorKit
internal import Glibc

/// Builds the module of a Swift package to a shared library that this editor loads, with a manifest beside it.
///
/// The library leaves `EditorCore` undefined: it uses the editor's own. That is why the compiler must be the editor's.
struct ModuleBuilder {
    /// The package's folder.
    private let folder: String
    private let name: String
    private let sources: [String]
    /// The type that conforms to `EffectModule`.
    private let module: String

    /// - Throws: `EditorError` that says what the folder lacks.
    init(folder: String) throws {
        var folder = folder
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        guard access("\(folder)/Package.swift", R_OK) == 0 else {
            throw EditorError(
                .missingInput,
                "\(folder) holds no Package.swift; name the folder of a module, such as one that \"editor effects new\" made"
            )
        }
        let found = SourceFolder.targets(in: "\(folder)/Sources").compactMap { target -> (String, [String], String)? in
            let sources = SourceFolder.swiftFiles(in: "\(folder)/Sources/\(target)")
            let module = sources.lazy.compactMap { SourceFolder.moduleType(in: $0) }.first
            return module.map { (target, sources, $0) }
        }
        guard found.count == 1, let (name, sources, module) = found.first else {
            throw EditorError(
                .invalidData,
                found.isEmpty
                    ? "no target in \(folder)/Sources has a type that conforms to EffectModule"
                    : "several targets in \(folder)/Sources have a type that conforms to EffectModule; keep one to a package"
            )
        }
        (self.folder, self.name, self.sources, self.module) = (folder, name, sources, module)
    }

    /// - Parameter output: the folder for library and manifest; it is made.
    /// - Returns: the two files.
    /// - Throws: `EditorError`.
    func build(into output: String) throws -> [String] {
        let compiler = try Self.compiler()
        let core = try ForeignModules.coreInterface()
        let work = "\(folder)/.build/editor-module"
        SourceFolder.make(work)
        SourceFolder.make(output)
        let entry = "\(work)/EditorEntry.swift"
        let text = """
            internal import EditorCore

            @_cdecl("\(EffectInterface.entryPoint)")
            public func editorEffectModule() -> UnsafeMutableRawPointer { EffectModuleEntry(\(module).self).handOver() }

            """
        guard SourceFolder.write(text, to: entry) else {
            throw EditorError(.cannotCreateOutput, "\(entry) cannot be written")
        }
        let library = "\(output)/lib\(name).so"
        let status = try Process.run(
            [
                compiler, "-emit-library", "-module-name", name, "-parse-as-library", "-swift-version", "6", "-O",
                "-enable-upcoming-feature", "InternalImportsByDefault", "-I", core, "-o", library,
            ] + sources + [entry])
        guard status == 0 else {
            throw EditorError(.invalidData, "\(folder) does not compile; the compiler's messages stand above")
        }
        let version = Self.version(of: compiler, work: work)
        return [library, try ForeignModules.writeManifest(name: name, library: library, swift: version)]
    }

    /// `swiftc` of the Swift in PATH, or in a usual place.
    private static func compiler() throws -> String {
        let path = (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":").map(String.init)
        let home = getenv("HOME").map { String(cString: $0) } ?? ""
        let usual =
            [
                "\(home)/.local/share/swiftly/bin", "/opt/swift/usr/bin", "/usr/local/swift/usr/bin",
                "/usr/share/swift/usr/bin",
            ]
        for folder in path + usual where access("\(folder)/swiftc", X_OK) == 0 { return "\(folder)/swiftc" }
        throw EditorError(
            .unavailable,
            "building a module needs the Swift compiler, and no swiftc is in PATH; install it from swift.org")
    }

    private static func version(of compiler: String, work: String) -> String {
        let file = "\(work)/version"
        _ = try? Process.run(["/bin/sh", "-c", "\"$0\" --version >\"$1\" 2>/dev/null", compiler, file])
        let text = SourceFolder.read(file) ?? ""
        return text.split(separator: "\n").map(String.init).first { $0.contains("Swift version") } ?? "another Swift"
    }
}

/// The sources of a package.
private enum SourceFolder {
    static func targets(in folder: String) -> [String] { entries(folder).filter { isFolder("\(folder)/\($0)") } }

    static func swiftFiles(in folder: String) -> [String] {
        entries(folder).flatMap { name -> [String] in
            let path = "\(folder)/\(name)"
            if isFolder(path) { return swiftFiles(in: path) }
            return name.hasSuffix(".swift") ? [path] : []
        }
    }

    /// The first word of a declaration `enum Name: EffectModule`.
    static func moduleType(in file: String) -> String? {
        for line in (read(file) ?? "").split(separator: "\n") where line.contains("EffectModule") {
            let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
            if let keyword = words.firstIndex(where: { ["enum", "struct", "class"].contains($0) }),
                let protocolName = words.firstIndex(of: "EffectModule"), keyword + 1 < protocolName
            {
                return words[keyword + 1]
            }
        }
        return nil
    }

    private static func entries(_ folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let item = readdir(directory) {
            let name = withUnsafePointer(to: &item.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func make(_ folder: String) {
        var path = folder.hasPrefix("/") ? "" : "."
        for part in folder.split(separator: "/") {
            path += "/" + part
            mkdir(path, 0o777)
        }
    }

    static func write(_ text: String, to path: String) -> Bool {
        guard let file = fopen(path, "w") else { return false }
        fputs(text, file)
        return fclose(file) == 0
    }

    static func read(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
