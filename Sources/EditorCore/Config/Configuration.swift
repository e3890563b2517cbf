/// A config as checked values. The names are SDVideoConfig's and SDVideoUtils', letter for letter.
///
/// Made by `Configuration.read(_:requiresClips:)`; a fresh one holds every default.
public struct Configuration: ParameterSet, Hashable {
    // The composition.

    /// The clips, in order.
    public var assetArray: [ClipConfiguration] = []
    /// One range across all clips, on the composed timeline; nil is everything.
    public var selectTimeRange: TimeRange?
    /// Size of the canvas; both sides are even.
    public var renderSize = PixelSize(width: 1080, height: 1920)
    /// Frames a second, 1…240.
    public var frameRate = Rational(30)
    /// How clips are fitted that do not say it themselves.
    public var videoGravity = VideoGravity.fitWidth
    /// What shows where no clip is.
    public var backgroundColor = Color.black
    /// Effects over the whole composition, first is lowest, as they stand in the config; see `effectiveEffects`.
    public var effects: [EffectConfiguration] = []
    /// What the joints of clips are moved to; nil leaves them where they are.
    public var cutTo: CutTarget?
    /// How far a joint may be moved, in seconds.
    public var cutLimit = MediaTime(value: 1, timescale: 4)
    /// Modules whose effects are known; nil is the built-in ones.
    public var effectModules: [String]?

    // Sound.

    /// Factor on the clips' sound, 0…2.
    public var originalVolume = 1.0
    /// Factor on the music, 0…2.
    public var bgAudioVolume = 0.5
    /// How loud the whole movie is to be; nil leaves it as it is mixed.
    public var loudness: LoudnessTarget?
    public var audioURLType = AudioURLType.none
    /// The chosen music: a path or an address, as `audioURLType` says.
    public var audioURL: String?
    /// Title of the chosen music.
    public var audioName: String?
    /// Music to choose from.
    public var recommendMusicList: [MusicModel] = []
    /// Which of `recommendMusicList` is chosen.
    public var selectedMusic: MusicChoice?

    // What the editing screens offer.

    /// Stickers offered: image files.
    public var previewTagImageNameArray: [String] = []
    /// Text colours offered.
    public var previewColorArray = Configuration.offeredColors

    // The movie.

    public var exportPreset = ExportPreset.mediumQuality
    public var export = ExportConfiguration()
    /// The container; nil follows the output's name.
    public var outputFileType: OutputFileType?
    /// Whether a player can begin before the whole movie is there.
    public var shouldOptimizeForNetworkUse = true
    public var mergeFilePathType = FilePathType.caches
    /// A folder; nil is the one of `mergeFilePathType`.
    public var mergeFilePath: String?
    /// nil makes one up from the time.
    public var mergeFileName: String?
    public var returnBlock: ReturnBlock?

    // Recording.

    public var durationType = DurationType.duration
    /// Seconds.
    public var maxVideoDuration = MediaTime(value: 15, timescale: 1)
    public var videoFilePathType = FilePathType.tmp
    public var videoFileNamePrefix = "SD_Record_Video"
    public var tintColor = Color(red: 0xfb, green: 0x1e, blue: 0x4d)
    public var progressColor = Color(red: 0xfb, green: 0xc8, blue: 0x35)
    public var menuDataArray = MenuAction.allCases.map { MenuItem($0) }
    public var devicePosition = DevicePosition.back
    /// Whether the torch is on at the start.
    public var isOpenFlashlight = false
    /// 1…6.
    public var maxVideoZoomFactor = 6.0

    /// Takes the place of the properties that only an iOS interface has.
    var interfaceOnly = InterfaceOnlyValue()

    public init() {}

    /// SDVideoConfig's sixteen text colours.
    static let offeredColors: [Color] = [
        0xffffff, 0x010101, 0xff484e, 0xbd01cc, 0x4e49cc, 0x1b8cef, 0x31d366, 0xffc62e,
        0xff8840, 0x66c19d, 0xffa29e, 0xa17d4d, 0x005f84, 0x1f4a33, 0x858c93, 0x2d2d2d,
    ].map { Color(red: UInt8($0 >> 16), green: UInt8($0 >> 8 & 255), blue: UInt8($0 & 255)) }
}

/// Nothing: a value that means something to an iOS interface alone is not kept.
struct InterfaceOnlyValue: Sendable, Hashable {}
