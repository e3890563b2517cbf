public import EditorCore
internal import Synchronization

/// Media that is made up: pictures that say which source and which of its pictures they are, and sounds from memory.
public final class FakeMediaLibrary: MediaLibrary {
    /// A made-up file. Its pictures show at `rate` from 0 on, each for one tick.
    public struct Source: Sendable {
        /// Tells its pictures from those of other sources; 0…20.
        public var number: Int
        public var frameCount: Int
        public var rate: Rational
        public var size: PixelSize
        public var orientation: Orientation
        public var isStill: Bool
        public var hasVideo: Bool
        /// What its one sound stream plays from the first picture on; nil is no stream.
        public var sound: AudioBuffer?
        public var identity: String

        public init(
            number: Int = 0, frameCount: Int = 60, rate: Rational = Rational(30),
            size: PixelSize = PixelSize(width: 32, height: 32), orientation: Orientation = .up, isStill: Bool = false,
            hasVideo: Bool = true, sound: AudioBuffer? = nil, identity: String = "1"
        ) {
            self.number = number
            self.frameCount = frameCount
            self.rate = rate
            self.size = size
            self.orientation = orientation
            self.isStill = isStill
            self.hasVideo = hasVideo
            self.sound = sound
            self.identity = identity
        }
    }

    /// What a picture of a made-up file says.
    public struct Mark: Sendable, Hashable {
        public var source: Int
        public var frame: Int

        public init(source: Int, frame: Int) { (self.source, self.frame) = (source, frame) }
    }

    private let sources: [String: Source]
    private let fakeAssets: FakeAssets
    private let opened = Mutex(0)
    private let drawn = Drawn()

    /// Where the luma of the picture that was drawn last lies in memory.
    public var lastPictureAddress: UInt { drawn.address.withLock { $0 } }

    fileprivate final class Drawn: Sendable {
        let address = Mutex<UInt>(0)
    }
    private let beats: [String: BeatTrack]

    public init(
        _ sources: [String: Source], assets: FakeAssets = FakeAssets(), beats: [String: BeatTrack] = [:]
    ) {
        self.sources = sources
        self.beats = beats
        fakeAssets = assets
    }

    public var assets: any AssetLoading { fakeAssets }

    /// How many video sources were opened so far.
    public var openedCount: Int { opened.withLock { $0 } }

    public func makeLoudnessMeter() -> any LoudnessMeter { PlainLoudnessMeter() }

    public func beats(of asset: AssetReference, cancellation: Cancellation) throws -> BeatTrack {
        guard let track = beats[asset.path] else { throw EditorError(.missingInput, "there is no \(asset.path)") }
        return track
    }

    public func identity(of asset: AssetReference) throws -> String { "fake \(asset.path)" }

    public func probe(_ path: String) throws -> MediaInfo {
        let source = try source(path)
        let video = VideoStreamInfo(
            streamIndex: 0, codec: "fake", pixelFormat: "yuv420p", storedSize: source.size, pixelAspect: .one,
            orientation: source.orientation, firstTimestamp: .zero,
            duration: source.rate.duration(ofTicks: Int64(source.frameCount)), frameCount: source.frameCount,
            frameRate: source.rate, isVariableRate: false, isStill: source.isStill, hasAlpha: false,
            isInterlaced: false,
            color: ColorDescription(
                matrix: .bt709, isFullRange: false, transfer: .sdr, primaries: .bt709, isTagged: true)
        )
        let audio = AudioStreamInfo(
            streamIndex: 1, codec: "fake", channelCount: 2, layout: "stereo", sampleRate: AudioFormat.sampleRate,
            start: .zero, duration: nil, isEmpty: false)
        return MediaInfo(
            path: path, identity: source.identity, container: "fake", video: source.hasVideo ? video : nil,
            audio: source.sound == nil ? [] : [audio], normalisations: [])
    }

    public func openVideo(_ info: MediaInfo, request: PictureRequest) throws -> any VideoSource {
        opened.withLock { $0 += 1 }
        let source = try source(info.path)
        let displayed = info.video?.displayedSize ?? source.size
        return FakeVideoSource(source, fit: request.fit(displayed: displayed), drawn: drawn)
    }

    public func openAudio(
        _ info: MediaInfo, stream: Int, range: TimeRange, speed: Rational, isReversed: Bool, treatment: SoundTreatment
    ) throws -> any AudioReading {
        guard let sound = try source(info.path).sound else { throw EditorError(.invalidData, "\(info.path) is silent") }
        let rate = Rational(Int64(AudioFormat.sampleRate))
        let first = Int(range.start.ticksRounded(per: rate))
        // As files do it, the sound goes on behind the part, for a caller that rounds up.
        let count = Int((range.duration / speed).ticksRounded(per: rate)) + (isReversed ? 0 : 1)
        let channels = sound.channels.map { samples in
            (0..<count).map { i -> Float in
                let place = first + Int(Double(isReversed ? count - 1 - i : i) * speed.doubleValue)
                return samples.indices.contains(place) ? samples[place] : 0
            }
        }
        return MemoryAudio(AudioBuffer(channels: channels))
    }

    private func source(_ path: String) throws -> Source {
        guard let source = sources[path] else { throw EditorError(.missingInput, "there is no \(path)") }
        return source
    }

    // MARK: Pictures

    /// Luma tells the frame modulo 200, the first chroma plane the source.
    static func luma(_ frame: Int) -> UInt8 { UInt8(20 + frame % 200) }
    static func chroma(_ number: Int) -> UInt8 { UInt8(24 + number * 10) }

    /// What the picture at a place of a frame says.
    public static func mark(of frame: VideoFrame, x: Int, y: Int) -> Mark {
        let luma = frame.withPlane(0) { pixels, layout in Int(pixels[y * layout.stride + x]) }
        let chroma = frame.withPlane(1) { pixels, layout in Int(pixels[y / 2 * layout.stride + x / 2]) }
        return Mark(source: (chroma - 24 + 5) / 10, frame: luma - 20)
    }

    /// What the middle of a frame says.
    public static func mark(of frame: VideoFrame) -> Mark { mark(of: frame, x: frame.width / 2, y: frame.height / 2) }
}

/// Plain pictures, one after another.
private final class FakeVideoSource: VideoSource {
    private let source: FakeMediaLibrary.Source
    private let fit: PictureFit
    private let drawn: FakeMediaLibrary.Drawn
    private var last: (index: Int, frame: VideoFrame)?

    init(_ source: FakeMediaLibrary.Source, fit: PictureFit, drawn: FakeMediaLibrary.Drawn) {
        (self.source, self.fit, self.drawn) = (source, fit, drawn)
    }

    func picture(at time: MediaTime) throws -> PlacedPicture { picture(Int(time.ticksRoundedDown(per: source.rate))) }

    func pictureReversed(at time: MediaTime) throws -> PlacedPicture {
        picture(Int(time.ticksRoundedUp(per: source.rate)) - 1)
    }

    func keepsPicture(for next: MediaTime) throws -> Bool {
        let index = source.isStill ? 0 : min(Int(next.ticksRoundedDown(per: source.rate)), source.frameCount - 1)
        if last?.index != index { last = nil }
        return last != nil
    }

    private func picture(_ wanted: Int) -> PlacedPicture {
        let index = source.isStill ? 0 : max(0, min(wanted, source.frameCount - 1))
        if last?.index != index {
            let frame = SyntheticFrames.plain(
                fit.size, y: FakeMediaLibrary.luma(index), u: FakeMediaLibrary.chroma(source.number))
            last = (index, frame)
            drawn.address.withLock {
                $0 = frame.withPlane(0) { pixels, _ in
                    pixels.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
                }
            }
        }
        return PlacedPicture(frame: last!.frame, x: fit.x, y: fit.y)
    }
}
