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

    init(_ info: MediaInfo, request: PictureRequest, pool: FramePool) throws {
        guard let stream = info.video else { throw EditorError(.invalidData, "\(info.path) has no video") }
        self.info = info
        self.stream = stream
        self.request = request
        reader = try PictureReader(path: info.path, stream: stream.streamIndex, isInterlaced: stream.isInterlaced)
        ticks = reader.ticksPerSecond
        firstTick = stream.firstTimestamp.ticksRounded(per: ticks)
        converter = PictureConverter(orientation: stream.orientation, color: stream.color, pool: pool)
    }

    func picture(at time: MediaTime) throws -> PlacedPicture {
        // Half a tick later, rounded down, is the last tick that the instant already belongs to.
        let position = time * ticks
        let half = MediaTime(value: 1, timescale: 2)
        return try picture(atTick: (position + half).ticksRoundedDown(per: .one) + firstTick)
    }

    func pictureReversed(at time: MediaTime) throws -> PlacedPicture {
        let position = time * ticks
        let half = MediaTime(value: 1, timescale: 2)
        return try picture(atTick: (position - half).ticksRoundedUp(per: .one) - 1 + firstTick)
    }

    private func picture(atTick tick: Int64) throws -> PlacedPicture {
        do {
            let (frame, pts) = try reader.picture(at: max(tick, firstTick))
            if let converted, converted.pts == pts { return converted.picture }
            let fit = request.fit(displayed: displayedSize(of: frame))
            let picture = PlacedPicture(
                frame: try converter.convert(frame, crop: fit.crop, size: fit.size), x: fit.x, y: fit.y)
            converted = (pts, picture)
            return picture
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
