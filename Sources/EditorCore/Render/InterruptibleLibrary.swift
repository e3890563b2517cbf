/// A media library whose sound stops with an error once a flag is raised, so that work that reads a whole file, such as
/// measuring its loudness, can be cancelled. Safe on any thread.
package struct InterruptibleLibrary: MediaLibrary {
    private let library: any MediaLibrary
    private let cancellation: Cancellation

    package init(_ library: any MediaLibrary, cancellation: Cancellation) {
        (self.library, self.cancellation) = (library, cancellation)
    }

    package func probe(_ path: String) throws -> MediaInfo {
        try cancellation.check()
        return try library.probe(path)
    }

    package func openVideo(_ info: MediaInfo, request: PictureRequest) throws -> any VideoSource {
        try library.openVideo(info, request: request)
    }

    package func openAudio(
        _ info: MediaInfo, stream: Int, range: TimeRange, speed: Rational, isReversed: Bool, treatment: SoundTreatment
    ) throws -> any AudioReading {
        InterruptibleSound(
            try library.openAudio(
                info, stream: stream, range: range, speed: speed, isReversed: isReversed, treatment: treatment),
            cancellation)
    }

    package func makeLoudnessMeter() throws -> any LoudnessMeter { try library.makeLoudnessMeter() }

    package func beats(of asset: AssetReference, cancellation: Cancellation) throws -> BeatTrack {
        try library.beats(of: asset, cancellation: cancellation)
    }

    package var assets: any AssetLoading { InterruptibleAssets(assets: library.assets, cancellation: cancellation) }

    package func identity(of asset: AssetReference) throws -> String { try library.identity(of: asset) }
}

private struct InterruptibleAssets: AssetLoading {
    let assets: any AssetLoading
    let cancellation: Cancellation

    func image(_ asset: AssetReference, width: Int?) throws -> ImageAsset {
        try cancellation.check()
        return try assets.image(asset, width: width)
    }

    func audio(_ asset: AssetReference) throws -> any AudioReading {
        InterruptibleSound(try assets.audio(asset), cancellation)
    }

    /// Stops for the flag of the work that this serves; effects that are made for a render bring none of their own.
    func loudness(of asset: AssetReference, cancellation _: Cancellation) throws -> Double? {
        try assets.loudness(of: asset, cancellation: cancellation)
    }

    func text(_ asset: AssetReference) throws -> String { try assets.text(asset) }

    func fontFamily(_ asset: AssetReference) throws -> String { try assets.fontFamily(asset) }
}

/// Belongs to one thread, as the sound in it.
private final class InterruptibleSound: AudioReading {
    private let sound: any AudioReading
    private let cancellation: Cancellation

    init(_ sound: any AudioReading, _ cancellation: Cancellation) {
        (self.sound, self.cancellation) = (sound, cancellation)
    }

    var sampleCount: Int? { sound.sampleCount }

    func read(from position: Int, into buffer: inout AudioBuffer) throws -> Int {
        try cancellation.check()
        return try sound.read(from: position, into: &buffer)
    }
}
