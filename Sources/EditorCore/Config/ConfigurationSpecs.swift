extension Configuration {
    public static let specs: [ParameterSpec<Self>] =
        compositionSpecs + soundSpecs + movieSpecs + recordingSpecs + interfaceOnlySpecs

    private static let compositionSpecs: [ParameterSpec<Self>] = [
        .init(
            "assetArray", \.assetArray, .lenientList(of: .clip),
            help: "The clips in order: paths, or objects with a path."),
        .init(
            "selectTimeRange", \.selectTimeRange, .optional(.timeRange),
            help: "One range across all clips, on the composed timeline; null is everything."),
        .init(
            "renderSize", \.renderSize, .renderSize, unit: "pixels",
            help: "Size of the canvas: an object {width, height}, or a ratio such as \"16:9\"."),
        .init(
            "frameRate", \.frameRate, .frameRate, unit: "frames a second",
            help: "A number, or an exact fraction such as \"30000/1001\"."),
        .init(
            "videoGravity", \.videoGravity, .choice,
            help:
                "How clips are fitted to the canvas: fitWidth fits the width and crops what is taller, resizeAspect shows "
                + "all of it, resizeAspectFill covers, resize stretches, resizeAspectBlur shows all over a blurred copy."
        ),
        .init("backgroundColor", \.backgroundColor, .color, help: "What shows where no clip is."),
        .init(
            "effects", \.effects, .lenientList(of: .effect),
            help: "Effects over the whole composition, first is lowest."),
        .init(
            "cutTo", \.cutTo, .optional(.choice),
            help:
                "beats moves each joint of clips to the nearest beat of the music, by cutting the clip before it earlier "
                + "or, where its source has more, later; null leaves them."),
        .init(
            "cutLimit", \.cutLimit, .seconds(in: 0.01...5), unit: "seconds",
            help: "How far cutTo may move a joint; one without a beat so near stays."),
        .init(
            "effectModules", \.effectModules, .optional(.list(of: .name)),
            help:
                "Modules whose effects are known: built-in names, module files, frei0r, ladspa; null is the built-in ones."
        ),
        .init(
            "previewTagImageNameArray", \.previewTagImageNameArray, .list(of: .path),
            help: "Stickers offered: image files, which stickers may name by file name alone."),
        .init("previewColorArray", \.previewColorArray, .list(of: .color), help: "Text colours offered."),
    ]

    private static let soundSpecs: [ParameterSpec<Self>] = [
        .init(
            "originalVolume", \.originalVolume, .gain(in: 0...2), unit: "times the recorded level, or dB",
            help: "Loudness of the clips' sound: 0 is silence, 1 as recorded, \"-6dB\" about half."),
        .init(
            "bgAudioVolume", \.bgAudioVolume, .gain(in: 0...2), unit: "times the recorded level, or dB",
            help: "Loudness of the music: 0 is silence, 1 as recorded, \"-6dB\" about half."),
        .init(
            "loudness", \.loudness, .optional(.loudnessTarget),
            help:
                "Brings the whole movie to a loudness: social is -14 LUFS, podcast -16, ebuR128 -23, each with a true peak "
                + "of -1 dBTP; null leaves it as it is mixed."),
        .init("audioURLType", \.audioURLType, .choice, help: "What audioURL is: a file (local) or an address (web)."),
        .init("audioURL", \.audioURL, .optional(.path), help: "The chosen music; needs audioURLType and audioName."),
        .init("audioName", \.audioName, .optional(.name), help: "Title of the chosen music."),
        .init(
            "recommendMusicList", \.recommendMusicList, .lenientList(of: .object(MusicModel.self)),
            help: "Music to choose from."),
        .init(
            "selectedMusic", \.selectedMusic, .optional(.musicChoice),
            help: "The chosen one of recommendMusicList: its title, or its number from 0."),
    ]

    private static let movieSpecs: [ParameterSpec<Self>] = [
        .init(
            "exportPreset", \.exportPreset, .choice, help: "Quality of the movie in one word; export refines it."),
        .init("export", \.export, .object(ExportConfiguration.self), help: "How the movie is encoded."),
        .init(
            "outputFileType", \.outputFileType, .optional(.choice),
            help: "The container; null follows the output's name."),
        .init(
            "shouldOptimizeForNetworkUse", \.shouldOptimizeForNetworkUse, .bool,
            help: "Whether a player can begin before the whole movie is there."),
        .init(
            "mergeFilePathType", \.mergeFilePathType, .choice,
            help: "Where the movie goes when neither --output nor mergeFilePath says it."),
        .init(
            "mergeFilePath", \.mergeFilePath, .optional(.path),
            help: "Folder of the movie; null follows mergeFilePathType."),
        .init(
            "mergeFileName", \.mergeFileName, .optional(.fileName),
            help: "Name of the movie; null makes one up from the time."),
        .init(
            "returnBlock", \.returnBlock, .optional(.object(ReturnBlock.self)),
            help: "What is run when the movie is there."),
    ]

    static let recordingSpecs: [ParameterSpec<Self>] = [
        .init(
            "durationType", \.durationType, .choice,
            help: "What caps a recording: maxVideoDuration (duration) or the music's length (audio)."),
        .init(
            "maxVideoDuration", \.maxVideoDuration, .seconds(in: 0.1...86_400), unit: "seconds",
            help: "Longest recording."),
        .init("videoFilePathType", \.videoFilePathType, .choice, help: "Where recorded segments go."),
        .init(
            "videoFileNamePrefix", \.videoFileNamePrefix, .fileName, help: "How the names of recorded segments begin."),
        .init("tintColor", \.tintColor, .color, help: "Accent colour of the interface."),
        .init("progressColor", \.progressColor, .color, help: "Colour of the progress bar."),
        .init("menuDataArray", \.menuDataArray, .list(of: .menuItem), help: "The recording menu."),
        .init("devicePosition", \.devicePosition, .choice, help: "The camera a recording starts with."),
        .init("isOpenFlashlight", \.isOpenFlashlight, .bool, help: "Whether the torch is on at the start."),
        .init(
            "maxVideoZoomFactor", \.maxVideoZoomFactor, .number(in: 1...6), help: "How far the camera zooms in at most."
        ),
    ]

    private static let interfaceOnlySpecs: [ParameterSpec<Self>] =
        ["returnViewController", "moreMusicViewController", "finishBlock"].map {
            .init(
                $0, \.interfaceOnly, .interfaceOnly,
                help: "Belongs to an iOS interface; accepted, without meaning here.")
        }
}

extension ParameterType where Value == InterfaceOnlyValue {
    /// Anything; said to have no meaning.
    static var interfaceOnly: Self {
        ParameterType(
            name: "anything", schema: [:],
            read: { value, pointer, reading in
                if case .null = value { return InterfaceOnlyValue() }
                reading.warning(
                    "config.noMeaning", at: pointer,
                    "\(pointer.name) belongs to an iOS interface and has no meaning here",
                    hint: "leave it out")
                return InterfaceOnlyValue()
            },
            write: { _ in .null })
    }
}
