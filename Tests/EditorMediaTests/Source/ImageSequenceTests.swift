import EditorCore
import EditorMedia
import EditorTestSupport
import Foundation
import Testing

/// Animated WebP and AVIF as clips: read by their own libraries, as libav cannot.
@Suite(.enabled(if: AssetFolder.hasFFmpeg, "ffmpeg is not installed"))
struct ImageSequenceTests {
    private let folder: AssetFolder
    private let library: FileMediaLibrary

    init() throws {
        folder = try AssetFolder()
        library = FileMediaLibrary(baseDirectory: folder.path)
    }

    /// Twelve pictures of rising luma, of 40 to 60 ms each, the right half transparent.
    private func makeAnimation(_ name: String) throws {
        try folder.ffmpeg(
            "-f lavfi -i color=black:s=64x48:r=25:d=0.48,format=rgba,"
                + "geq=r='20*N':g='20*N':b='20*N':a='255*lt(X,32)',settb=1/1000,setpts='(N*40+20*floor(N/2))/1000/TB' "
                + "-fps_mode passthrough -enc_time_base 1:1000 -c:v libwebp_anim -lossless 1 -loop 0 \(name)")
    }

    /// When the pictures come on, in milliseconds.
    private static let starts = (0..<12).map { $0 * 40 + 20 * ($0 / 2) }

    private func luma(_ placed: PlacedPicture) -> Int {
        let frame = placed.frame
        return Int(SyntheticFrames.bytes(of: frame, plane: 0)[frame.height / 2 * frame.width + frame.width / 4])
    }

    /// Of a grey of R′G′B′ code 20n: 16 + 219/255 of it.
    private func number(_ placed: PlacedPicture) -> Int {
        Int(((Double(luma(placed)) - 16) / 219 * 255 / 20).rounded())
    }

    @Test func animatedWebPShowsItsPicturesByTheirTimes() throws {
        try makeAnimation("clip.webp")
        let info = try library.probe("clip.webp")
        let video = try #require(info.video)
        #expect(video.displayedSize == PixelSize(width: 64, height: 48) && video.hasAlpha && !video.isStill)
        #expect(video.frameCount == 12 && video.isVariableRate)
        #expect(info.normalisations.map(\.code) == ["clip.variableRate"])
        // The last one stands as long as ffmpeg's muxer says; the others to the millisecond.
        #expect(video.duration >= MediaTime(value: 581, timescale: 1000) && video.duration < MediaTime(seconds: 1))
        let request = PictureRequest(canvas: PixelSize(width: 32, height: 24), gravity: .resize)
        let source = try library.openVideo(info, request: request)
        var random = SplitMix64(7)
        for millisecond in Array(stride(from: 0, to: 580, by: 7)).shuffled(using: &random) {
            let time = MediaTime(value: Int64(millisecond), timescale: 1000)
            let expected = Self.starts.lastIndex { $0 <= millisecond }
            #expect(number(try source.picture(at: time)) == expected, "\(millisecond) ms")
        }
        // Backwards an interval has its last instant and not its first.
        for millisecond in stride(from: 580, to: 0, by: -20) {
            let time = MediaTime(value: Int64(millisecond), timescale: 1000)
            let expected = Self.starts.lastIndex { $0 < millisecond }
            #expect(number(try source.pictureReversed(at: time)) == expected, "\(millisecond) ms backwards")
        }
        let placed = try source.picture(at: .zero)
        #expect(placed.frame.format == .yuva420)
        let alpha = SyntheticFrames.bytes(of: placed.frame, plane: 3)
        #expect(alpha[12 * 32 + 4] == 255 && alpha[12 * 32 + 28] == 0)
    }

    @Test func damagedAnimationsAreRefusedByName() throws {
        try makeAnimation("clip.webp")
        try folder.write(Array(try folder.bytes("clip.webp").prefix(300)), "cut.webp")
        let error = #expect(throws: EditorError.self) { try library.probe("cut.webp") }
        #expect(error?.kind == .invalidData && error?.message.contains("cut.webp") == true, "\(error as Any)")
    }

    /// A still picture in an AV1 image file.
    @Test func avifStillsAreClipsAndStickers() throws {
        try folder.ffmpeg(
            "-f lavfi -i color=0x20c060:s=96x64,format=gbrp,drawbox=w=48:c=0xd04030:t=fill,"
                + "scale=out_color_matrix=bt709:out_range=tv,format=yuv444p -frames:v 1 -c:v libaom-av1 -crf 4 -cpu-used 8 "
                + "-still-picture 1 -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv photo.avif"
        )
        let info: MediaInfo
        do { info = try library.probe("photo.avif") } catch let error as EditorError where error.kind == .unavailable {
            // Without libheif it is refused with what to install.
            #expect(error.message.contains("photo.avif") && error.message.contains("libheif"))
            return
        }
        let video = try #require(info.video)
        #expect(video.isStill && video.displayedSize == PixelSize(width: 96, height: 64) && !video.hasAlpha)
        let request = PictureRequest(canvas: PixelSize(width: 96, height: 64), gravity: .resize)
        let frame = try library.openVideo(info, request: request).picture(at: MediaTime(seconds: 5)).frame
        for (x, color) in [
            (20, Color(red: 0xd0, green: 0x40, blue: 0x30)), (76, Color(red: 0x20, green: 0xc0, blue: 0x60)),
        ] {
            let (y, u, v) = ColorConversion.yuv(for: color)
            let found = (0..<3).map { plane -> UInt8 in
                let shift = plane == 0 ? 0 : 1
                return SyntheticFrames.bytes(of: frame, plane: plane)[(32 >> shift) * (96 >> shift) + x >> shift]
            }
            #expect(isClose(found.map { Int($0) }, [Int(y), Int(u), Int(v)], 3), "\(color): \(found)")
        }
        let sticker = try folder.image("photo.avif")
        #expect(isClose(sticker.frames[0].picture.pixel(20, 32), [0xd0, 0x40, 0x30, 255], 4))
    }

    @Test(.enabled(if: AssetFolder.corpus != nil, "needs EDITOR_CORPUS, a folder of media"))
    func photosAndAnimationsOfTheCorpus() throws {
        let image = try #require(AssetFolder.corpus) + "/image/"
        let facts = [
            // Its ANMF chunks: 80 ms each, the ninth a second, the last ten.
            ("webp_anim_alpha_17f.webp", 17, PixelSize(width: 100, height: 70), 15 * 80 + 1000 + 10_000),
            ("webp_anim_lossless_3f.webp", 3, PixelSize(width: 64, height: 63), 300),
            ("webp_anim_mixed_101f.webp", 101, PixelSize(width: 320, height: 240), 3030),
        ]
        for (name, count, size, milliseconds) in facts {
            let video = try #require(try library.probe(image + name).video)
            #expect(video.frameCount == count && video.displayedSize == size, "\(name)")
            #expect(video.duration == MediaTime(value: Int64(milliseconds), timescale: 1000), "\(name)")
        }
        guard let photo = try? library.probe(image + "heic_photo.heic") else { return }
        let video = try #require(photo.video)
        #expect(video.isStill && photo.container == "heif")
        let request = PictureRequest(canvas: PixelSize(width: 160, height: 160), gravity: .resizeAspect)
        let frame = try library.openVideo(photo, request: request).picture(at: .zero).frame
        let luma = SyntheticFrames.bytes(of: frame, plane: 0)
        #expect(Set(luma).count > 60, "a photo has many shades")
    }
}
