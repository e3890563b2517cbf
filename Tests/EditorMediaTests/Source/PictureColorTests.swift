import EditorCore
import EditorMedia
import EditorTestSupport
import Foundation
import Testing

/// Colours of sources whose light is not that of BT.709, against the arithmetic of the standards.
@Suite(.enabled(if: AssetFolder.hasFFmpeg, "ffmpeg is not installed"))
struct PictureColorTests {
    private let folder: AssetFolder
    private let library: FileMediaLibrary

    init() throws {
        folder = try AssetFolder()
        library = FileMediaLibrary(baseDirectory: folder.path)
    }

    /// Chromaticities of red, green and blue; white is D65.
    struct Primaries: Sendable, CustomStringConvertible {
        var name: String
        var xy: [(Double, Double)]
        var description: String { name }

        static let bt709 = Primaries(name: "bt709", xy: [(0.640, 0.330), (0.300, 0.600), (0.150, 0.060)])
        /// SMPTE ST 170, BT.470 system B and G, BT.2020, and SMPTE EG 432.
        static let others = [
            Primaries(name: "smpte170m", xy: [(0.630, 0.340), (0.310, 0.595), (0.155, 0.070)]),
            Primaries(name: "bt470bg", xy: [(0.640, 0.330), (0.290, 0.600), (0.150, 0.060)]),
            Primaries(name: "bt2020", xy: [(0.708, 0.292), (0.170, 0.797), (0.131, 0.046)]),
            Primaries(name: "smpte432", xy: [(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)]),
        ]

        /// R, G, B to X, Y, Z: columns are the primaries, so strong that they are white together.
        var toXYZ: [[Double]] {
            let columns = xy.map { [$0.0 / $0.1, 1, (1 - $0.0 - $0.1) / $0.1] }
            let white = [0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290]
            let rows = (0..<3).map { row in (0..<3).map { columns[$0][row] } }
            let strength = Primaries.multiply(Primaries.inverse(rows), white)
            return rows.map { row in (0..<3).map { row[$0] * strength[$0] } }
        }

        static func multiply(_ m: [[Double]], _ v: [Double]) -> [Double] {
            m.map { row in (0..<3).reduce(0) { $0 + row[$1] * v[$1] } }
        }

        static func inverse(_ m: [[Double]]) -> [[Double]] {
            func minor(_ r: Int, _ c: Int) -> Double {
                let (a, b, d, e) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3)
                return m[a][d] * m[b][e] - m[a][e] * m[b][d]
            }
            let determinant = (0..<3).reduce(0) { $0 + m[0][$1] * minor(0, $1) }
            return (0..<3).map { r in (0..<3).map { c in minor(c, r) / determinant } }
        }

        /// R′G′B′ of these primaries in those of BT.709, by a display's power of 2.4 (BT.1886).
        func inBT709(_ color: [Double]) -> [Double] {
            let light = Primaries.multiply(toXYZ, color.map { pow($0, 2.4) })
            // Colours out of BT.709's reach keep their place beyond it.
            return Primaries.multiply(Primaries.inverse(Primaries.bt709.toXYZ), light).map {
                $0 < 0 ? -pow(-$0, 1 / 2.4) : pow($0, 1 / 2.4)
            }
        }
    }

    private static let colors: [[Double]] = [[0.5, 0.5, 0.5], [0.7, 0.4, 0.3], [0.3, 0.6, 0.4], [0.35, 0.4, 0.65]]

    private func patch(_ frame: VideoFrame, _ number: Int) -> [Int] {
        (0..<3).map { plane in
            let shift = plane == 0 ? 0 : 1
            let width = frame.width >> shift
            return Int(
                SyntheticFrames.bytes(of: frame, plane: plane)[
                    frame.height >> (shift + 1) * width + (number * 40 + 20) >> shift])
        }
    }

    /// Four patches of 40 pixels.
    private func picture(_ tags: String, _ name: String, _ format: String) throws -> VideoFrame {
        let row = Self.colors.flatMap { color in
            (0..<40).flatMap { _ in color.map { UInt8(($0 * 255).rounded()) } }
        }
        try folder.encode(
            (0..<40).flatMap { _ in row }, "rgb24", PixelSize(width: 160, height: 40), as: name,
            "-vf scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int,format=\(format) \(tags)")
        let request = PictureRequest(canvas: PixelSize(width: 160, height: 40), gravity: .resize)
        return try library.openVideo(try library.probe(name), request: request).picture(at: .zero).frame
    }

    private static func codes(_ color: [Double]) -> [Int] {
        let y = 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]
        return [16 + 219 * y, 128 + 224 * (color[2] - y) / 1.8556, 128 + 224 * (color[0] - y) / 1.5748]
            .map { Int($0.rounded()) }
    }

    @Test(arguments: Primaries.others)
    func taggedPrimariesAreConverted(primaries: Primaries) throws {
        let tags =
            "-c:v libx264 -crf 1 -preset ultrafast -colorspace bt709 -color_trc bt709 -color_range tv -color_primaries "
        let converted = try picture(tags + primaries.name, "clip.mp4", "yuv420p")
        let kept = try picture(tags + "bt709", "plain.mp4", "yuv420p")
        var largest = 0
        for (number, color) in Self.colors.enumerated() {
            let given = color.map { ($0 * 255).rounded() / 255 }
            let expected = Self.codes(primaries.inBT709(given))
            let found = patch(converted, number)
            #expect(isClose(found, expected, 2), "\(color) of \(primaries): \(found), not \(expected)")
            #expect(isClose(patch(kept, number), Self.codes(given), 2))
            largest = max(largest, zip(expected, Self.codes(given)).map { abs($0 - $1) }.max() ?? 0)
        }
        // There is something to see at all.
        #expect(largest >= 3)
    }

    /// Untagged primaries are those of the screen, whatever the matrix.
    @Test func untaggedPrimariesAreKept() throws {
        let frame = try picture("-c:v ffv1 -colorspace bt709 -color_range tv", "clip.mkv", "yuv420p")
        for (number, color) in Self.colors.enumerated() {
            let given = color.map { ($0 * 255).rounded() / 255 }
            #expect(isClose(patch(frame, number), Self.codes(given), 2))
        }
    }

    @Test func alphaAndEvenRGBKeepTheirWayThroughLinearLight() throws {
        let row = Self.colors.flatMap { color in
            (0..<40).flatMap { x in color.map { UInt8(($0 * 255).rounded()) } + [x < 20 ? 255 : 100] }
        }
        try folder.encode(
            (0..<40).flatMap { _ in row }, "rgba", PixelSize(width: 160, height: 40), as: "clip.mov",
            "-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le "
                + "-vf scale=out_color_matrix=bt709:out_range=tv,setparams=color_primaries=bt2020:color_trc=bt709:colorspace=bt709"
        )
        let request = PictureRequest(canvas: PixelSize(width: 160, height: 40), gravity: .resize)
        let info = try library.probe("clip.mov")
        #expect(info.video?.color.primaries == .bt2020)
        let frame = try library.openVideo(info, request: request).picture(at: .zero).frame
        try #require(frame.format == .yuva420)
        let alpha = SyntheticFrames.bytes(of: frame, plane: 3)
        for (number, color) in Self.colors.enumerated() {
            #expect(
                isClose(
                    [Int(alpha[20 * 160 + number * 40 + 8]), Int(alpha[20 * 160 + number * 40 + 32])], [255, 100], 2))
            let primaries = Primaries.others[2]
            let expected = Self.codes(primaries.inBT709(color.map { ($0 * 255).rounded() / 255 }))
            let place = SyntheticFrames.bytes(of: frame, plane: 0)[20 * 160 + number * 40 + 8]
            #expect(abs(Int(place) - expected[0]) <= 3, "\(color)")
        }
    }
}
