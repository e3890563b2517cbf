internal import CFFmpeg
internal import EditorCore

/// The pictures of a file by time. Opens its decoder on the first question; belongs to one thread.
final class FileVideoSource: VideoSource {
    private let info: MediaInfo
    private let stream: VideoStreamInfo
    private let request: PictureRequest
    private let reader: PictureReader
    private let converter: PictureConverter
    private let ticks: Rational
    private let firstTick: Int64

    /// The converted form of the reader's current picture.
    private var converted: (pts: Int64, picture: PlacedPicture)?
    /// For questions that go backwards.
    private var window = PictureWindow()
    private var windowLimit = 1
    private let ticksPerPicture: Int64
    /// Ticks that an instant may lie before a timestamp and already belong to it: the clock's rounding.
    private let slack: MediaTime
    private let precision: PicturePrecision

    init(_ info: MediaInfo, request: PictureRequest, precision: PicturePrecision, pool: FramePool) throws {
        guard let stream = info.video else { throw EditorError(.invalidData, "\(info.path) has no video") }
        self.info = info
        self.stream = stream
        self.request = request
        self.precision = precision
        reader = try PictureReader(path: info.path, stream: stream.streamIndex, isInterlaced: stream.isInterlaced)
        ticks = reader.ticksPerSecond
        firstTick = stream.firstTimestamp.ticksRounded(per: ticks)
        let length = MediaTime(seconds: 1) / (stream.frameRate ?? Rational(30))
        ticksPerPicture = max(1, length.ticksRounded(per: ticks))
        // A clock that ticks with the pictures is exact; only decimal times are rounded.
        slack = MediaTime(value: 1, timescale: ticksPerPicture > 1 ? 2 : 1_000)
        converter = PictureConverter(orientation: stream.orientation, color: stream.color, pool: pool)
    }

    func picture(at time: MediaTime) throws -> PlacedPicture {
        // Rounded down, that is the last tick that the instant already belongs to.
        try picture(atTick: tick(at: time))
    }

    private func tick(at time: MediaTime) -> Int64 {
        max(firstTick, (time * ticks + slack).ticksRoundedDown(per: .one) + firstTick)
    }

    func keepsPicture(for next: MediaTime) throws -> Bool {
        guard precision != .nearestKeyFrame else { return true }
        guard converted != nil else { return false }
        if let upcoming = try reading({ try reader.upcomingPicture() }), upcoming.1 <= tick(at: next) {
            converted = nil
            return false
        }
        return true
    }

    func decodingStart(for time: MediaTime) -> MediaTime? {
        guard precision == .exact, let key = reader.indexedKey(at: tick(at: time)) else { return nil }
        return ticks.duration(ofTicks: max(0, key - firstTick))
    }

    func announce(readsOn: Bool?) { reader.readsOn = readsOn }

    func pictureReversed(at time: MediaTime) throws -> PlacedPicture {
        let tick = max(firstTick, (time * ticks - slack).ticksRoundedUp(per: .one) - 1 + firstTick)
        if precision == .nearestKeyFrame { return try picture(atTick: tick) }
        if let picture = window.picture(at: tick) { return picture }
        // One question does not say that others follow; from the second on they go backwards.
        let isFollowing = window.isJustAfter(tick, distance: 16 * ticksPerPicture)
        return try fillWindow(through: tick, count: isFollowing ? windowLimit : 1)
    }

    /// Decodes forward up to `tick` and keeps the last pictures, about `count`.
    /// - Returns: the picture at `tick`.
    private func fillWindow(through tick: Int64, count: Int) throws -> PlacedPicture {
        window.removeAll()
        let first = tick - Int64(count - 1) * ticksPerPicture
        var latest = try reading { try reader.picture(at: max(first, firstTick)) }
        var picture = try convert(latest)
        window.append(picture, from: latest.1)
        while let next = try reading({ try reader.upcomingPicture() }), next.1 <= tick {
            latest = try reading { try reader.picture(at: next.1) }
            picture = try convert(latest)
            window.append(picture, from: latest.1)
        }
        window.close(at: try reading { try reader.upcomingPicture() }?.1 ?? .max)
        windowLimit = PictureWindow.limit(like: picture.frame)
        return picture
    }

    private func picture(atTick tick: Int64) throws -> PlacedPicture {
        if precision == .nearestKeyFrame, let key = try reading({ try reader.keyPicture(near: tick) }) {
            return try convert(key)
        }
        return try convert(try reading { try reader.picture(at: tick) })
    }

    private func convert(_ decoded: (frame: MediaFrame, pts: Int64)) throws -> PlacedPicture {
        if let converted, converted.pts == decoded.pts { return converted.picture }
        let fit = request.fit(displayed: displayedSize(of: decoded.frame))
        let frame = try reading { try converter.convert(decoded.frame, crop: fit.crop, size: fit.size) }
        let picture = PlacedPicture(frame: frame, x: fit.x, y: fit.y)
        converted = (decoded.pts, picture)
        return picture
    }

    private func reading<T>(_ body: () throws -> T) throws -> T {
        FFmpegLog.forget()
        do {
            return try body()
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "\(info.path) could not be decoded: \(error)")
        }
    }

    /// Streams may change their size midway; the pixel shape and orientation hold for all of it.
    private func displayedSize(of frame: MediaFrame) -> PixelSize {
        var current = stream
        current.storedSize = PixelSize(width: frame.width, height: frame.height)
        return current.displayedSize
    }
}
