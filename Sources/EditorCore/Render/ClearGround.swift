/// What a generator draws on: one clear picture for all times. Belongs to one thread.
final class ClearGround: VideoSource {
    private let picture: PlacedPicture

    init(_ info: MediaInfo, request: PictureRequest, pool: FramePool) {
        let fit = request.fit(displayed: info.video?.displayedSize ?? request.canvas)
        var frame = pool.frame(.yuva420, fit.size)
        PictureBlit.fill(&frame, with: Color(red: 0, green: 0, blue: 0, alpha: 0))
        picture = PlacedPicture(frame: frame, x: fit.x, y: fit.y)
    }

    func picture(at time: MediaTime) throws -> PlacedPicture { picture }

    func pictureReversed(at time: MediaTime) throws -> PlacedPicture { picture }
}
