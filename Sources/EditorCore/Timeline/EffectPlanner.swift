/// Turns the config's effect objects into checked effects: parameters in range, assets there, instances that can be made.
struct EffectPlanner {
    let registry: EffectRegistry
    let library: any MediaLibrary
    /// Values that effects take from the config where they do not say them themselves.
    let defaults: [String: [String: JSONValue]]
    private let cancellation: Cancellation
    private(set) var findings: [Finding] = []

    init(
        registry: EffectRegistry, library: any MediaLibrary, defaults: [String: [String: JSONValue]],
        cancellation: Cancellation
    ) {
        self.cancellation = cancellation
        self.registry = registry
        self.library = library
        self.defaults = defaults
    }

    /// Checks one effect. nil when it has errors, which are findings then, or when it is never on.
    /// - Parameters:
    ///   - duration: length of its surroundings; the effect is on within it only.
    ///   - allowed: kinds that make sense there.
    mutating func plan(
        _ configuration: EffectConfiguration, canvas: PixelSize, frameRate: Rational, duration: MediaTime,
        allowed: [EffectKind]
    ) -> PlannedEffect? {
        guard let descriptor = find(configuration.type, of: allowed, at: configuration.pointer) else { return nil }
        guard case .object(var members) = configuration.value else { return nil }
        for (key, value) in defaults[configuration.type] ?? [:] where members[key] == nil { members[key] = value }
        var reading = ParameterReading()
        let prepared = descriptor.prepare(.object(members), configuration.pointer, &reading)
        findings += reading.findings
        guard let prepared, !reading.findings.contains(where: { $0.severity == .error }),
            let identities = identities(of: reading.assets)
        else { return nil }

        let whole = TimeRange(start: .zero, duration: duration)
        guard let range = (prepared.timeRange ?? whole).intersection(whole) else {
            findings.append(
                Finding(
                    .warning, code: "effect.neverOn", at: configuration.pointer.appending("timeRange"),
                    "the \(descriptor.id) is never on: the movie ends at \(duration) s"))
            return nil
        }
        var planned = PlannedEffect(
            id: descriptor.id, kind: descriptor.kind, range: range,
            fingerprint:
                "\(descriptor.id) \(descriptor.version)\(descriptor.identity) \(JSONValue.object(members).text()) \(identities)",
            pointer: configuration.pointer, isOrdered: descriptor.isOrdered, prepared: prepared)
        guard let instance = trial(planned, canvas: canvas, frameRate: frameRate, duration: duration) else {
            return nil
        }
        planned.fingerprint += " " + instance.surroundings
        planned.subtitles = instance.subtitles?.cut(to: range)
        return planned
    }

    /// Checks a transition; nil when it has errors.
    mutating func plan(_ configuration: TransitionConfiguration, canvas: PixelSize, frameRate: Rational)
        -> PlannedTransition?
    {
        guard
            let descriptor = find(configuration.type, of: [.transition], at: configuration.pointer, noun: "transition")
        else {
            return nil
        }
        var reading = ParameterReading()
        let prepared = descriptor.prepare(configuration.value, configuration.pointer, &reading)
        findings += reading.findings
        guard let prepared, !reading.findings.contains(where: { $0.severity == .error }),
            let identities = identities(of: reading.assets)
        else { return nil }
        return PlannedTransition(
            id: descriptor.id, duration: configuration.duration, easing: configuration.easing,
            fingerprint:
                "\(descriptor.id) \(descriptor.version)\(descriptor.identity) \(configuration.duration) \(configuration.easing.rawValue) "
                + "\(configuration.value.text()) \(identities)",
            isOrdered: descriptor.isOrdered, pointer: configuration.pointer, prepared: prepared)
    }

    private mutating func find(
        _ id: String, of kinds: [EffectKind], at pointer: JSONPointer, noun: String = "effect"
    ) -> EffectDescriptor? {
        let known = kinds.flatMap { registry.descriptors(of: $0) }.map(\.id)
        if let descriptor = registry[id] {
            if kinds.contains(descriptor.kind) {
                if let trouble = descriptor.trouble {
                    findings.append(
                        Finding(.warning, code: "effect.trouble", at: pointer.appending("type"), "\(id): \(trouble)"))
                }
                return descriptor
            }
            findings.append(
                Finding(
                    .error, code: "effect.kind", at: pointer.appending("type"),
                    "\"\(id)\" is \(descriptor.kind == .audio || descriptor.kind == .overlay ? "an" : "a") \(descriptor.kind.rawValue) effect and has no place here",
                    hint: "known here are " + known.joined(separator: ", ")))
            return nil
        }
        findings.append(
            Finding(
                .error, code: "effect.unknown", at: pointer.appending("type"), "there is no \(noun) \"\(id)\"",
                hint: known.isEmpty ? "no \(noun) is registered" : Suggestion.hint(for: id, in: known)))
        return nil
    }

    /// One text that changes when a file does; nil when a file is missing, which is a finding then.
    private mutating func identities(of assets: [AssetReference]) -> String? {
        var identities: [String] = []
        for asset in assets {
            do {
                identities.append(try library.identity(of: asset))
            } catch {
                findings.append(Finding(asError: error, at: asset.pointer, code: "asset.unreadable"))
            }
        }
        return identities.count == assets.count ? identities.joined(separator: " ") : nil
    }

    /// Makes an instance once, so that broken assets are found before the first frame, and collects its warnings.
    private mutating func trial(
        _ effect: PlannedEffect, canvas: PixelSize, frameRate: Rational, duration: MediaTime
    ) -> EffectInstance? {
        let warnings = FindingCollector()
        let context = EffectContext(
            canvas: canvas, frameRate: frameRate, duration: duration, activeRange: effect.range, assets: library.assets,
            pointer: effect.pointer, cancellation: cancellation, report: { warnings.add($0) })
        defer { findings += warnings.findings }
        do {
            return try effect.make(context)
        } catch let error as EditorError where !error.findings.isEmpty {
            // Such as each broken caption of a file.
            findings += error.findings
            return nil
        } catch {
            findings.append(Finding(asError: error, at: effect.pointer, code: "effect.unusable"))
            return nil
        }
    }
}

extension Finding {
    /// The findings of an error, or the error itself as one.
    package static func all(of error: any Error, at pointer: JSONPointer, code: String) -> [Finding] {
        if let error = error as? EditorError, !error.findings.isEmpty { return error.findings }
        return [Finding(asError: error, at: pointer, code: code)]
    }

    /// An error that was thrown while something was checked.
    package init(asError error: any Error, at pointer: JSONPointer, code: String) {
        let known = error as? EditorError
        let cause: Cause =
            switch known?.kind {
            case .missingInput?: .missingInput
            case .unavailable?: .unavailable
            case .cannotCreateOutput?: .cannotCreateOutput
            case .ioFailed?: .ioFailed
            case .internalBug?: .internalBug
            case .usage?, .invalidData?, .cancelled?: .invalidData
            // Every throwing function here promises the type above.
            case nil: .internalBug
            }
        self.init(.error, cause: cause, code: code, at: pointer, known?.message ?? "\(error)")
    }
}
