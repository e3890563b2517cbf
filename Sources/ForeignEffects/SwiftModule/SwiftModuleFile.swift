package import EditorCore
internal import Glibc

/// A Swift module in a file of its own, known by its manifest.
package struct SwiftModuleFile: Sendable {
    package let manifest: ModuleManifest
    private let identity: String

    /// - Parameter path: the manifest's, or the library's.
    /// - Throws: `EditorError` when the file or its manifest is missing, or does not fit this program.
    package init(_ path: String) throws {
        manifest = try ModuleManifest(contentsOf: path)
        if let mismatch = manifest.mismatch { throw EditorError(.unavailable, mismatch) }
        guard let identity = FolderListing.identity(of: manifest.library) else {
            throw EditorError(.unavailable, "the module \(manifest.name) has lost its library \(manifest.library)")
        }
        self.identity = identity
    }

    /// The modules in some folders; the first of several with one name counts. `trouble` is told of those that cannot be
    /// used, a sentence each.
    package static func all(in folders: [String], trouble: (String) -> Void) -> [SwiftModuleFile] {
        var seen: Set<String> = []
        var result: [SwiftModuleFile] = []
        for folder in folders {
            for name in FolderListing.names(in: folder) where name.hasSuffix(ModuleManifest.suffix) {
                do {
                    let file = try SwiftModuleFile("\(folder)/\(name)")
                    if seen.insert(file.manifest.name).inserted { result.append(file) }
                } catch {
                    trouble("\(error)")
                }
            }
        }
        return result
    }

    /// The module's effects, as its manifest tells of them.
    package func descriptors(_ place: AssetPlace) -> [EffectDescriptor] {
        guard case .array(let effects) = manifest.effects else { return [] }
        return effects.compactMap { descriptor($0, place) }
    }

    private func descriptor(_ json: JSONValue, _ place: AssetPlace) -> EffectDescriptor? {
        guard let id = json.text("id"), let kind = json.text("kind").flatMap(EffectKind.init(rawValue:)),
            let summary = json.text("summary"), let version = json.integer("version"),
            case .array(let parameters)? = json["parameters"]
        else { return nil }
        let path = manifest.library
        let names = parameters.compactMap { $0.text("name") }
        return EffectDescriptor(
            id: id, kind: kind, summary: summary, version: version, example: json["example"] ?? [:], origin: .swift,
            file: path, identity: " \(identity)",
            parameters: parameters.compactMap(ParameterSummary.init)
                + ForeignOptions.specs.map(\.summary).filter { !names.contains($0.name) }
        ) { value, pointer, ignoring, reading in
            guard case .object(var members) = value,
                let options = ForeignOptions.read(value, at: pointer, ignoring: ignoring + names, into: &reading)
            else { return nil }
            for name in ForeignOptions.names + ["timeRange"] where !names.contains(name) { members[name] = nil }
            let opening = ModuleOpening(
                path: path, effect: id, entry: .object(members), pointer: pointer, isTransition: kind == .transition)
            do {
                return options.isolate
                    ? try prepareApart(opening, kind, options, place, &reading)
                    : try prepareHere(opening, options, &reading)
            } catch {
                reading.error("effect.module", at: pointer, "the effect \(id) \(error)")
                return nil
            }
        }
    }

    /// With the module's code in this process.
    private func prepareHere(_ opening: ModuleOpening, _ options: ForeignOptions, _ reading: inout ParameterReading)
        throws
        -> PreparedEffect?
    {
        let descriptor = try SwiftModuleLibrary.effect(opening.effect, of: opening.path)
        var prepared = descriptor.prepare(opening.entry, opening.pointer, &reading)
        prepared?.skipsOnFailure = options.onFailure == .skip
        return prepared
    }

    /// With the module's code in workers: one reads the parameters and ends, further ones do the work.
    private func prepareApart(
        _ opening: ModuleOpening, _ kind: EffectKind, _ options: ForeignOptions, _ place: AssetPlace,
        _ reading: inout ParameterReading
    ) throws -> PreparedEffect? {
        let worker = try WorkerProcess(sharing: nil, limits: options.limits)
        var answer: [UInt8] = []
        try worker.call(
            .readModule, Array(opening.json.text().utf8), answer: &answer, within: max(30, options.timeLimit))
        guard let json = try ConfigurationDocument.parse(utf8: answer, name: opening.path),
            case .array(let findings)? = json["findings"], case .array(let assets)? = json["assets"]
        else { throw ModuleFailure("sent garbage when it was read") }
        for finding in findings.compactMap(Finding.init(json:)) { reading.add(finding) }
        for asset in assets {
            guard let path = asset.text("path"), let pointer = JSONPointer(json: asset["pointer"]),
                let kind = asset.text("kind").flatMap(AssetReference.Kind.init(rawValue:))
            else { throw ModuleFailure("sent garbage when it was read") }
            reading.note(AssetReference(path: path, kind: kind, pointer: pointer))
        }
        guard json["readable"] == .bool(true) else { return nil }
        return PreparedEffect(skipsOnFailure: options.onFailure == .skip) { context in
            let start = ModuleStart(
                opening: opening, kind: kind, context: context, place: place, limits: options.limits)
            return switch kind {
            case .video: .video(try RemoteVideoEffect(start))
            case .overlay: .overlay(try RemoteOverlayEffect(start))
            case .audio: .audio(try RemoteAudioEffect(start))
            case .transition: .transition(try RemoteTransitionEffect(start))
            }
        }
    }

    /// What the module in a library says of its effects, asked in a worker.
    /// - Throws: `EditorError`.
    package static func describe(library: String) throws -> JSONValue {
        do {
            let worker = try WorkerProcess(sharing: nil, limits: WorkerLimits())
            var answer: [UInt8] = []
            try worker.call(.describeModule, Array(library.utf8), answer: &answer, within: 60)
            return try ConfigurationDocument.parse(utf8: answer, name: library) ?? []
        } catch let failure as ModuleFailure {
            throw EditorError(.unavailable, "the module \(library) \(failure)")
        }
    }
}

extension ModuleOpening {
    /// The worker's answer to `readModule`.
    var reading: JSONValue {
        get throws {
            let (prepared, reading) = try read()
            return [
                "readable": .bool(prepared != nil), "findings": .array(reading.findings.map(\.json)),
                "assets": .array(
                    reading.assets.map {
                        ["path": .string($0.path), "kind": .string($0.kind.rawValue), "pointer": $0.pointer.json]
                    }),
            ]
        }
    }
}
