// What the config says about music and stickers, in the words that effects take.
extension Configuration {
    /// Id of the effect that plays music.
    static let musicEffect = "music"

    /// Where the chosen music is: a path or an address. `selectedMusic`, the later choice, comes before `audioURL`.
    public var chosenMusic: String? {
        switch selectedMusic {
        case .title(let title): musicAliases[title]
        case .index(let index): recommendMusicList.indices.contains(index) ? recommendMusicList[index].source : nil
        case nil: audioURL
        }
    }

    /// Paths and addresses of music by the names it goes by: titles, `audioName`, and numbers in `recommendMusicList`.
    /// Where a name is used twice, the first wins, and a title wins over a number.
    public var musicAliases: [String: String] {
        var aliases: [String: String] = [:]
        func add(_ name: String?, _ source: String?) {
            if let name, let source, aliases[name] == nil { aliases[name] = source }
        }
        for music in recommendMusicList { add(music.musicTitle, music.source) }
        add(audioName, audioURL)
        for (index, music) in recommendMusicList.enumerated() { add(String(index), music.source) }
        return aliases
    }

    /// Paths of stickers by the names they go by: as they stand in `previewTagImageNameArray`, without folder, without
    /// extension. Where a name is used twice, the longer form and then the first wins.
    public var imageAliases: [String: String] {
        var aliases: [String: String] = [:]
        func add(_ name: Substring, _ path: String) {
            if !name.isEmpty, aliases[String(name)] == nil { aliases[String(name)] = path }
        }
        func file(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }
        func stem(_ name: Substring) -> Substring {
            guard let dot = name.lastIndex(of: "."), dot > name.startIndex, !name[dot...].contains("/") else {
                return name
            }
            return name[..<dot]
        }
        for path in previewTagImageNameArray { add(Substring(path), path) }
        for path in previewTagImageNameArray { add(file(path), path) }
        for path in previewTagImageNameArray { add(stem(Substring(path)), path) }
        for path in previewTagImageNameArray { add(stem(file(path)), path) }
        return aliases
    }

    /// Values that effects take from the config where they do not say them themselves, by effect id and parameter name.
    public var effectDefaults: [String: [String: JSONValue]] {
        var music: [String: JSONValue] = ["volume": .number(bgAudioVolume)]
        if let chosenMusic { music["source"] = .string(chosenMusic) }
        return [Self.musicEffect: music]
    }

    /// `effects`, and a music effect for the chosen music unless there is one that plays it. The implied one stands at
    /// `/selectedMusic` or `/audioURL`.
    public var effectiveEffects: [EffectConfiguration] {
        guard let chosenMusic else { return effects }
        let aliases = musicAliases
        let isPlayed = effects.contains { effect in
            guard effect.type == Self.musicEffect else { return false }
            guard case .string(let source)? = effect.value["source"] else {
                // No source is the chosen music, and so is a number that stands for it.
                if case .number(let number)? = effect.value["source"] {
                    return aliases[JSONValue.number(number).text()] == chosenMusic
                }
                return true
            }
            return source == chosenMusic || aliases[source] == chosenMusic
        }
        if isPlayed { return effects }
        let pointer = JSONPointer([selectedMusic == nil ? "audioURL" : "selectedMusic"])
        return effects + [
            EffectConfiguration(
                type: Self.musicEffect, value: ["type": .string(Self.musicEffect)], pointer: pointer)
        ]
    }
}
