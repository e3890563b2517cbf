internal import EditorCore

/// The pictures of an image file by time. Belongs to one thread.
final class ImageSequenceSource: VideoSource {
    private let path: String
    private let sequence: any ImageSequence
    private let fit: PictureFit
    private let converter: PictureConverter
    /// When each picture comes on, in milliseconds.
    private let starts: [Int64]
    /// The converted form of the picture that was asked for last.
    private var converted: (index: Int, picture: PlacedPicture)?
    /// For questions that go backwards.
    private var window = PictureWindow()
    private var windowLimit = 1

    /// Of the times, which are whole milliseconds.
    private static let slack = MediaTime(value: 1, timescale: 2)
    private static let ticks = Rational(1000)

    init(_ info: MediaInfo, sequence: any ImageSequence, request: PictureRequest, pool: FramePool) throws {
        guard let stream = info.video else { throw EditorError(.invalidData, "\(info.path) has no picture") }
        path = info.path
        self.sequence = sequence
        fit = request.fit(displayed: sequence.size)
        converter = PictureConverter(orientation: .up, color: stream.color, pool: pool)
        var (starts, end): ([Int64], Int64) = ([], 0)
        for duration in sequence.durations {
            starts.append(end)
            end += duration
        }
        self.starts = starts.isEmpty ? [0] : starts
    }

    func picture(at time: MediaTime) throws -> PlacedPicture {
        try convert(index(at: (time * Self.ticks + Self.slack).ticksRoundedDown(per: .one)))
    }

    func pictureReversed(at time: MediaTime) throws -> PlacedPicture {
        let tick = (time * Self.ticks - Self.slack).ticksRoundedUp(per: .one) - 1
        if let picture = window.picture(at: tick) { return picture }
        let last = index(at: tick)
        let length = (starts[starts.count - 1] + 1) / Int64(starts.count) + 1
        let count = window.isJustAfter(tick, distance: 16 * length) ? windowLimit : 1
        window.removeAll()
        for index in max(0, last - count + 1)...last { window.append(try convert(index), from: starts[index]) }
        window.close(at: last + 1 < starts.count ? starts[last + 1] : .max)
        let picture = try convert(last)
        windowLimit = PictureWindow.limit(like: picture.frame)
        return picture
    }

    /// The picture that is shown at a millisecond; the first or last one beyond the ends.
    private func index(at tick: Int64) -> Int {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= tick { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    private func convert(_ index: Int) throws -> PlacedPicture {
        if let converted, converted.index == index { return converted.picture }
        do {
            let frame = try converter.convert(try sequence.picture(index), crop: fit.crop, size: fit.size)
            let picture = PlacedPicture(frame: frame, x: fit.x, y: fit.y)
            converted = (index, picture)
            return picture
        } catch let error as FFmpegError {
            throw EditorError(.ioFailed, "\(path) could not be converted: \(error)")
        }
    }
}
