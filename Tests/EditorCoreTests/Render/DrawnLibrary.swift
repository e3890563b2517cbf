import EditorTestSupport
import Synchronization

@testable import EditorCore

/// Media that is drawn and computed instead of read: a picture as a function of a place, a sound as one of time.
final class DrawnLibrary: MediaLibrary {
    struct Media: Sendable {
        var size = PixelSize(width: 64, height: 64)
        var duration = MediaTime(seconds: 1)
        var isStill = false
        var hasAlpha = false
        /// A sample of plane 0…3 at a place in fractions of the picture.
        var picture: @Sendable (_ plane: Int, _ x: Double, _ y: Double) -> Double = { plane, _, _ in
            plane == 0 ? 100 : plane == 3 ? 255 : 128
        }
        /// Left and right at a time in seconds; nil is no sound.
        var sound: (@Sendable (_ seconds: Double) -> (Float, Float))?
    }

    private let media: [String: Media]
    private let asked = Mutex<[PictureRequest]>([])
    /// How pictures were asked for, in order.
    var requests: [PictureRequest] { asked.withLock { $0 } }

    init(_ media: [String: Media]) { self.media = media }

    var assets: any AssetLoading { FakeAssets() }
    func identity(of asset: AssetReference) throws -> String { asset.path }

    func probe(_ path: String) throws -> MediaInfo {
        guard let media = media[path] else { throw EditorError(.missingInput, "there is no \(path)") }
        let video = VideoStreamInfo(
            streamIndex: 0, codec: "drawn", pixelFormat: "yuv420p", storedSize: media.size, pixelAspect: .one,
            orientation: .up, firstTimestamp: .zero, duration: media.duration, frameCount: nil,
            frameRate: Rational(30), isVariableRate: false, isStill: media.isStill, hasAlpha: media.hasAlpha,
            isInterlaced: false,
            color: ColorDescription(
                matrix: .bt709, isFullRange: false, transfer: .sdr, primaries: .bt709, isTagged: true))
        let sound = AudioStreamInfo(
            streamIndex: 1, codec: "drawn", channelCount: 2, layout: "stereo", sampleRate: 48_000, start: .zero,
            duration: media.duration, isEmpty: false)
        return MediaInfo(
            path: path, identity: path, container: "drawn", video: video, audio: media.sound == nil ? [] : [sound],
            normalisations: [])
    }

    func openVideo(_ info: MediaInfo, request: PictureRequest) throws -> any VideoSource {
        asked.withLock { $0.append(request) }
        return DrawnSource(media[info.path]!, request)
    }

    func makeLoudnessMeter() -> any LoudnessMeter { PlainLoudnessMeter() }

    func beats(of asset: AssetReference, cancellation: Cancellation) throws -> BeatTrack {
        throw EditorError(.missingInput, "there is no \(asset.path)")
    }

    func openAudio(
        _ info: MediaInfo, stream: Int, range: TimeRange, speed: Rational, isReversed: Bool, treatment: SoundTreatment
    ) throws -> any AudioReading {
        ComputedSound(sound: media[info.path]!.sound!, start: range.start.seconds)
    }

    private final class DrawnSource: VideoSource {
        private let placed: PlacedPicture

        init(_ media: Media, _ request: PictureRequest) {
            let fit = request.fit(displayed: media.size)
            let (w, h) = (Double(fit.size.width), Double(fit.size.height))
            let frame = SyntheticFrames.frame(fit.size, format: media.hasAlpha ? .yuva420 : .yuv420) { plane, x, y in
                let isChroma = plane == 1 || plane == 2
                let u = (isChroma ? Double(2 * x) + 0.5 : Double(x) + 0.5) / w
                let v = (isChroma ? Double(2 * y) + 1 : Double(y) + 0.5) / h
                let value = media.picture(plane, fit.crop.x + u * fit.crop.width, fit.crop.y + v * fit.crop.height)
                return UInt8(min(max(value.rounded(), 0), 255))
            }
            placed = PlacedPicture(frame: frame, x: fit.x, y: fit.y)
        }

        func picture(at time: MediaTime) throws -> PlacedPicture { placed }
        func pictureReversed(at time: MediaTime) throws -> PlacedPicture { placed }
    }

    private final class ComputedSound: AudioReading {
        let sampleCount: Int? = nil
        private let sound: @Sendable (Double) -> (Float, Float)
        private let start: Double

        init(sound: @escaping @Sendable (Double) -> (Float, Float), start: Double) {
            (self.sound, self.start) = (sound, start)
        }

        func read(from position: Int, into buffer: inout AudioBuffer) throws -> Int {
            for i in 0..<buffer.sampleCount {
                let (left, right) = sound(start + Double(position + i) / 48_000)
                (buffer.channels[0][i], buffer.channels[1][i]) = (left, right)
            }
            return buffer.sampleCount
        }
    }
}

/// Reads a config's text and plans it over drawn media.
func plan(_ text: String, over library: DrawnLibrary, effects: EffectRegistry = EffectRegistry()) throws -> RenderPlan {
    let document = try ConfigurationDocument(text, name: "cfg.json")
    let (configuration, findings, _) = Configuration.read(document, requiresClips: true)
    return try RenderPlanner(registry: effects, library: library).plan(
        configuration, findings: findings, settings: ExportSettings(configuration, fileName: "out.mp4"))
}
