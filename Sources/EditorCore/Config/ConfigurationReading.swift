extension Configuration {
    /// Reads and checks a config. All problems come at once, each with its place; what is wrong keeps its default, so
    /// that later checks can go on and find more.
    ///
    /// Clips' files are not among the assets: their paths and places are in `assetArray`. Neither are files that effects
    /// name: those come from decoding the effects.
    ///
    /// - Parameter requiresClips: whether an empty `assetArray` is an error, as it is for whatever renders; keys that mean
    ///   something to recordings alone are told of then.
    public static func read(
        _ document: ConfigurationDocument, requiresClips: Bool
    ) -> (configuration: Configuration, findings: [Finding], assets: [AssetReference]) {
        var reading = ParameterReading()
        guard case .object(let members) = document.value else {
            reading.error(
                "config.type", at: JSONPointer(),
                "\(document.name) must hold an object {…}, not \(document.value.kindName)",
                hint: "such as {\"assetArray\": [\"clip.mp4\"]}")
            return (Configuration(), reading.findings, [])
        }
        let configuration = Configuration.read(document.value, at: JSONPointer(), into: &reading) ?? Configuration()
        if requiresClips {
            switch members["assetArray"] {
            case nil:
                reading.error(
                    "config.noClips", at: JSONPointer(["assetArray"]),
                    "\(document.name) has no assetArray, so there is no clip",
                    hint: "such as \"assetArray\": [\"clip.mp4\"]")
            case .array([]):
                reading.error(
                    "config.noClips", at: JSONPointer(["assetArray"]), "assetArray of \(document.name) is empty",
                    hint: "name at least one clip")
            default: break
            }
            warnOfRecordingKeys(members, into: &reading)
        }
        configuration.checkMusic(members, into: &reading)
        return (configuration, reading.findings, reading.assets)
    }

    /// Tells of keys that whatever renders has no use for: a config may serve a recording too.
    private static func warnOfRecordingKeys(_ members: [String: JSONValue], into reading: inout ParameterReading) {
        let told = Set(reading.findings.compactMap(\.pointer.tokens.first))
        let idle = recordingSpecs.map(\.name).filter {
            $0 != "progressColor" && !told.contains($0) && members[$0] ?? .null != .null
        }
        guard let first = idle.first else { return }
        reading.warning(
            "config.noMeaning", at: JSONPointer([first]),
            idle.joined(separator: ", ") + (idle.count == 1 ? " has" : " have") + " a meaning for recordings only")
    }

    /// SDVideoConfig's `configDataSelfCheckAction`, and what else must fit together about music. Keys that could not be
    /// read are left alone: they have been told of.
    private func checkMusic(_ members: [String: JSONValue], into reading: inout ParameterReading) {
        let place = JSONPointer(["audioURL"])
        let isMisread = { (key: String) in members[key] != nil && members[key] != .null }
        if let audioURL {
            switch audioURLType {
            case .none:
                // "none" itself counts as not given; a misspelt word has been told of.
                guard members["audioURLType"] == nil || members["audioURLType"] == .string("none") else { break }
                reading.error(
                    "config.selfCheck", at: place, "audioURL \"\(audioURL)\" is set without audioURLType",
                    hint: "add \"audioURLType\": \"\(audioURL.isWebAddress ? "web" : "local")\"")
            case .local where audioURL.isWebAddress:
                reading.error(
                    "config.selfCheck", at: place, "audioURL \"\(audioURL)\" is an address, but audioURLType is local",
                    hint: "set \"audioURLType\": \"web\"")
            case .web where !audioURL.isWebAddress:
                reading.error(
                    "config.selfCheck", at: place,
                    "audioURL \"\(audioURL)\" is no web address, but audioURLType is web",
                    hint: "begin it with https://, or set \"audioURLType\": \"local\"")
            case .local, .web: break
            }
            if audioName == nil, !isMisread("audioName") {
                reading.error(
                    "config.selfCheck", at: place, "audioURL \"\(audioURL)\" is set without audioName",
                    hint: "add \"audioName\" with the music's title")
            }
        } else if audioURLType != .none, !isMisread("audioURL") {
            reading.warning(
                "config.selfCheck", at: JSONPointer(["audioURLType"]),
                "audioURLType is \(audioURLType.rawValue), but there is no audioURL")
        }
        checkSelectedMusic(into: &reading)
    }

    private func checkSelectedMusic(into reading: inout ParameterReading) {
        guard let selectedMusic else { return }
        let place = JSONPointer(["selectedMusic"])
        guard chosenMusic == nil else {
            if let audioURL, audioURL != chosenMusic {
                reading.warning(
                    "config.twoChoices", at: place, "selectedMusic is played in place of audioURL \"\(audioURL)\"",
                    hint: "leave one of them out")
            }
            return
        }
        let titles = recommendMusicList.compactMap(\.musicTitle)
        switch selectedMusic {
        case .title(let title) where titles.contains(title):
            reading.error(
                "config.selfCheck", at: place, "the music \"\(title)\" has neither musicPathURL nor musicWebURL")
        case .index(let index) where recommendMusicList.indices.contains(index):
            reading.error(
                "config.selfCheck", at: place, "the music number \(index) has neither musicPathURL nor musicWebURL")
        case .title(let title):
            reading.error(
                "config.choice", at: place, "selectedMusic \"\(title)\" is not in recommendMusicList",
                hint: titles.isEmpty ? "it lists no title" : Suggestion.hint(for: title, in: titles))
        case .index(let index):
            let count = recommendMusicList.count
            reading.error(
                "config.choice", at: place, "selectedMusic \(index) is not in recommendMusicList",
                hint: count == 0 ? "it is empty" : "numbers are 0 to \(count - 1): " + titles.joined(separator: ", "))
        }
    }
}
