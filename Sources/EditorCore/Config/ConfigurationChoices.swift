/// How a clip's picture is fitted to the canvas.
public enum VideoGravity: String, Sendable, Hashable, CaseIterable {
    /// The width fits; centred; what is taller is cropped, what is lower leaves background.
    case fitWidth
    /// All of it is visible; background fills the rest.
    case resizeAspect
    /// It covers the canvas; what sticks out is cropped.
    case resizeAspectFill
    /// It is stretched to the canvas.
    case resize
    /// All of it is visible, over its own blurred copy.
    case resizeAspectBlur
}

/// The folders that files are put in by kind; the command line maps them to XDG folders.
public enum FilePathType: String, Sendable, Hashable, CaseIterable {
    case caches, tmp, documents, library, preferences
}

/// What kind of address `audioURL` is.
public enum AudioURLType: String, Sendable, Hashable, CaseIterable {
    case none, local, web
}

/// What caps a recording's length: `maxVideoDuration`, or the music's length.
public enum DurationType: String, Sendable, Hashable, CaseIterable {
    case duration, audio
}

/// The camera a recording starts with.
public enum DevicePosition: String, Sendable, Hashable, CaseIterable {
    case back, front
}

/// Quality of the movie as one word; `export` refines it.
public enum ExportPreset: String, Sendable, Hashable, CaseIterable {
    case lowQuality, mediumQuality, highestQuality
}

/// Containers that movies are written in.
public enum OutputFileType: String, Sendable, Hashable, CaseIterable {
    case mp4, mov, mkv, webm, gif
    /// The sound alone.
    case m4a

    /// Whether there is a kind of subtitles that it holds.
    public var holdsSubtitles: Bool { self != .gif && self != .m4a }
}

/// What an entry of the recording menu does.
public enum MenuAction: String, Sendable, Hashable, CaseIterable {
    case turnOver, flashlight, countDown
}
