internal import EditorCore

/// Neighbouring pictures of a source, each with the tick from which it is shown: what a clock that runs backwards needs
/// next. Holds a bounded number of bytes.
struct PictureWindow {
    private var pictures: [(start: Int64, picture: PlacedPicture)] = []
    /// The tick up to which the last picture is shown, exclusive.
    private var end = Int64.min

    /// 43 pictures of 1080p; every worker that plays backwards may hold so much.
    private static let capacity = 128 << 20

    /// How many pictures like this one may be held.
    static func limit(like picture: VideoFrame) -> Int { max(2, capacity / max(1, bytes(of: picture))) }

    private static func bytes(of picture: VideoFrame) -> Int {
        let pixels = picture.width * picture.height
        return picture.format == .yuva420 ? pixels * 5 / 2 : pixels * 3 / 2
    }

    /// The picture that is shown at a tick; nil when it is not among these.
    func picture(at tick: Int64) -> PlacedPicture? {
        guard tick < end else { return nil }
        return pictures.last { $0.start <= tick }?.picture
    }

    /// Whether a tick lies in front of these pictures, not far from them.
    func isJustAfter(_ tick: Int64, distance: Int64) -> Bool {
        guard let first = pictures.first?.start else { return false }
        return tick < first && tick >= first - distance
    }

    mutating func removeAll() {
        pictures.removeAll(keepingCapacity: true)
        end = .min
    }

    /// Adds the picture after the last one; the first ones go when there are too many.
    mutating func append(_ picture: PlacedPicture, from start: Int64) {
        pictures.append((start, picture))
        let surplus = pictures.count - Self.limit(like: picture.frame)
        if surplus > 0 { pictures.removeFirst(surplus) }
    }

    /// Says when the last picture's time is over.
    mutating func close(at tick: Int64) { end = tick }
}
