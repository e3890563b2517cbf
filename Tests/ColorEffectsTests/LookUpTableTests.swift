import EditorCore
import EditorTestSupport
import Foundation
import Testing

@testable import ColorEffects

/// A table of random or smooth colours, as text and to be read from.
struct PlainCube {
    let side: Int
    /// By blue, green, red.
    let entries: [RGB]

    init(side: Int, _ entry: (RGB) -> RGB) {
        self.side = side
        var entries: [RGB] = []
        let last = Double(side - 1)
        for b in 0..<side {
            for g in 0..<side {
                for r in 0..<side {
                    // As many digits as the file has.
                    entries.append(
                        entry(RGB(Double(r) / last, Double(g) / last, Double(b) / last)).map {
                            ($0 * 1e6).rounded() / 1e6
                        })
                }
            }
        }
        self.entries = entries
    }

    static func random(side: Int, seed: UInt64) -> PlainCube {
        var random = SplitMix64(seed)
        func next() -> Double { Double(random.next() >> 11) / 0x1p53 }
        return PlainCube(side: side) { _ in RGB(next(), next(), next()) }
    }

    /// A film-like table.
    static let smooth = PlainCube(side: 33) { c in
        let bent = c.map { pow($0, 0.85) * 0.92 + 0.04 }
        return RGB(bent.r * 0.95 + bent.g * 0.05, bent.g, bent.b * 0.8 + 0.1 * bent.r)
    }

    var text: String {
        entries.reduce(into: "LUT_3D_SIZE \(side)\n") { text, c in
            text += String(format: "%.6f %.6f %.6f\n", c.r, c.g, c.b)
        }
    }

    /// By walking from the nearest corner along the channels, the one with the largest fraction first, and adding each
    /// edge's difference times its fraction: the same tetrahedra, formulated another way.
    func color(_ color: RGB) -> RGB {
        var corner = [0, 0, 0]
        var fraction = [0.0, 0.0, 0.0]
        for lane in 0..<3 {
            let place = max(0, min(1, color[lane])) * Double(side - 1)
            corner[lane] = min(Int(place), side - 2)
            fraction[lane] = place - Double(corner[lane])
        }
        func entry(_ at: [Int]) -> RGB { entries[(at[2] * side + at[1]) * side + at[0]] }
        var result = entry(corner)
        for lane in (0..<3).sorted(by: { fraction[$0] > fraction[$1] }) {
            let before = entry(corner)
            corner[lane] += 1
            let after = entry(corner)
            let f = fraction[lane]
            result = RGB(
                result.r + f * (after.r - before.r), result.g + f * (after.g - before.g),
                result.b + f * (after.b - before.b))
        }
        return result.map { max(0, min(1, $0)) }
    }
}

@Suite("look-up tables on pictures")
struct LookUpTableTests {
    private func treated(_ frame: VideoFrame, _ text: String, strength: Double = 1) throws -> VideoFrame {
        try ColorStage.treated(
            frame, LookUpTable.self, ["file": "a.cube", "strength": .number(strength)], texts: ["a.cube": text])
    }

    @Test(
        "a table gives what plain loops over doubles give, rounded",
        arguments: [(2, 7, 5), (17, 64, 48), (33, 131, 77), (65, 33, 34)])
    func matchesPlainLoops(_ side: Int, _ width: Int, _ height: Int) throws {
        // Neighbours that differ by nearly everything: the worst for a table's precision.
        let cube = PlainCube.random(side: side, seed: UInt64(side))
        let size = PixelSize(width: width, height: height)
        for frame in [SyntheticFrames.noise(size), ColorStage.patches(size, seed: 3)] {
            let wanted = PlainColors(frame).changed(cube.color)
            #expect(PlainColors.distance(try treated(frame, cube.text), wanted) < 0.52)
        }
    }

    @Test("half the strength is half the way")
    func strength() throws {
        let frame = SyntheticFrames.noise(PixelSize(width: 66, height: 50))
        let full = try treated(frame, PlainCube.smooth.text)
        let half = try treated(frame, PlainCube.smooth.text, strength: 0.5)
        for plane in 0..<3 {
            let (a, b, c) = (
                SyntheticFrames.bytes(of: frame, plane: plane), SyntheticFrames.bytes(of: full, plane: plane),
                SyntheticFrames.bytes(of: half, plane: plane)
            )
            #expect(a.indices.allSatisfy { abs(Double(a[$0]) / 2 + Double(b[$0]) / 2 - Double(c[$0])) <= 0.5 })
        }
    }

    @Test("the identity table changes colours that exist by no more than its rounding")
    func identity() throws {
        let frame = ColorStage.patches(PixelSize(width: 320, height: 160), seed: 9)
        let result = try treated(frame, PlainCube(side: 33) { $0 }.text)
        for plane in 0..<3 {
            let (before, after) = (
                SyntheticFrames.bytes(of: frame, plane: plane), SyntheticFrames.bytes(of: result, plane: plane)
            )
            // Where two patches meet, chroma and luma are mixed, and what is mixed may be no colour.
            let (width, side) = (plane == 0 ? 320 : 160, plane == 0 ? 16 : 8)
            let inner = before.indices.filter {
                (1..<side - 1).contains($0 % width % side) && (1..<side - 1).contains($0 / width % side)
            }
            // Y′CbCr of a patch is rounded, so its R′G′B′ may lie a little outside.
            #expect(inner.allSatisfy { abs(Int(before[$0]) - Int(after[$0])) <= 1 })
        }
    }

    @Test("more chroma values than there is room for change nothing")
    func manyColors() throws {
        // 480 · 270 chroma samples of noise meet nearly all of 225 · 225 pairs, three times the room.
        let frame = SyntheticFrames.noise(PixelSize(width: 480, height: 270), seed: 4)
        let cube = PlainCube.random(side: 5, seed: 2)
        let wanted = PlainColors(frame).changed(cube.color)
        #expect(PlainColors.distance(try treated(frame, cube.text), wanted) < 0.52)
    }

    /// The codes of the middles of patches: Y′, C′B, C′R each.
    private func middles(_ frame: VideoFrame) -> [(y: UInt8, cb: UInt8, cr: UInt8)] {
        stride(from: 8, to: frame.height, by: 16).flatMap { y in
            stride(from: 8, to: frame.width, by: 16).map { x in
                func code(_ plane: Int, _ x: Int, _ y: Int) -> UInt8 {
                    frame.withPlane(plane) { bytes, layout in bytes[y * layout.stride + x] }
                }
                return (code(0, x, y), code(1, x / 2, y / 2), code(2, x / 2, y / 2))
            }
        }
    }

    @Test("ffmpeg's lut3d gives the same to one code")
    func matchesFFmpeg() throws {
        // Whole patches of one colour, since ffmpeg filters chroma in another way; given to it as the exact R′G′B′, since
        // a table with steep steps makes much of the roundings of its conversions.
        let frame = ColorStage.patches(PixelSize(width: 320, height: 192), seed: 17)
        let colors = middles(frame).map { RGB(y: Double($0.y), cb: Double($0.cb), cr: Double($0.cr)) }
        for cube in [PlainCube.smooth, .random(side: 33, seed: 8), .random(side: 5, seed: 9)] {
            let ours = middles(try treated(frame, cube.text))
            let theirs = try FFmpegTable.colors(cube.text, colors).map(\.yuv)
            try #require(ours.count == theirs.count)
            for (mine, other) in zip(ours, theirs) {
                #expect(abs(Double(mine.y) - other.y) <= 1)
                #expect(abs(Double(mine.cb) - other.cb) <= 1 && abs(Double(mine.cr) - other.cr) <= 1)
            }
        }
    }

    @Test("so does ffmpeg from Y′CbCr to Y′CbCr, with a table as films have")
    func matchesFFmpegThroughout() throws {
        let frame = ColorStage.patches(PixelSize(width: 320, height: 192), seed: 18)
        let ours = middles(try treated(frame, PlainCube.smooth.text))
        let theirs = try FFmpegTable.picture(PlainCube.smooth.text, frame)
        for (index, mine) in ours.enumerated() {
            let place = (index / 20 * 16 + 8) * frame.width + index % 20 * 16 + 8
            for (plane, code) in [mine.y, mine.cb, mine.cr].enumerated() {
                let other = theirs[plane * frame.width * frame.height + place]
                #expect(abs(Int(code) - Int(other)) <= 1, "plane \(plane), patch \(index)")
            }
        }
    }

    @Test("a 1D table and looks are what plain loops give")
    func otherMaps() throws {
        let frame = SyntheticFrames.noise(PixelSize(width: 67, height: 45), seed: 6)
        let text = "LUT_1D_SIZE 3\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 1 0.5\n0 0.2 1\n0.7 0.5 0.4\n1 0.9 0\n"
        let curves: [[Double]] = [[0, 0.7, 1], [0.2, 0.5, 0.9], [1, 0.4, 0]]
        let wanted = PlainColors(frame).changed { color in
            func curve(_ lane: Int) -> Double {
                let value = max(0, min(1, color[lane]))
                let place = min(1, value / (lane == 2 ? 0.5 : 1)) * 2
                let i = min(Int(place), 1)
                return curves[lane][i] + (place - Double(i)) * (curves[lane][i + 1] - curves[lane][i])
            }
            return RGB(curve(0), curve(1), curve(2))
        }
        #expect(PlainColors.distance(try treated(frame, text), wanted) < 0.52)
        for name in LookName.allCases {
            let result = try ColorStage.treated(frame, Look.self, ["name": .string(name.rawValue)])
            let recipe = name.recipe
            let wanted = PlainColors(frame).changed { color in
                let inside = color.map { max(0, min(1, $0)) }
                let out = recipe.color(SIMD4(Float(inside.r), Float(inside.g), Float(inside.b), 0))
                return RGB(Double(out.x), Double(out.y), Double(out.z))
            }
            #expect(PlainColors.distance(result, wanted) < 0.52, "\(name)")
        }
    }

    @Test("looks keep order: lighter greys stay lighter, black and white stay neutral enough, and no two are alike")
    func looks() {
        var seen: [[SIMD4<Float>]] = []
        for name in LookName.allCases {
            let ramp = stride(from: Float(0), through: 1, by: 1 / 64).map {
                name.recipe.color(SIMD4(repeating: $0))
            }
            let lights = ramp.map { 0.2126 * $0.x + 0.7152 * $0.y + 0.0722 * $0.z }
            for (a, b) in zip(lights, lights.dropFirst()) { #expect(b >= a, "\(name)") }
            #expect(lights[0] < 0.12 && lights[64] > 0.88, "\(name)")
            let skin = name.recipe.color(SIMD4(0.85, 0.66, 0.55, 0))
            // Faces keep a face's colour, or none at all.
            #expect(skin.x >= skin.y - 0.01 && skin.y >= skin.z - 0.03, "\(name)")
            seen.append(ramp + [skin])
        }
        #expect(seen.count == 10)
        for i in seen.indices { for j in seen.indices where j > i { #expect(seen[i] != seen[j]) } }
    }
}

/// What ffmpeg's lut3d makes of colours.
enum FFmpegTable {
    /// Y′, C′B and C′R of every pixel of a picture, with ffmpeg's own conversions.
    static func picture(_ text: String, _ frame: VideoFrame) throws -> [UInt8] {
        let bytes = (0..<3).flatMap { SyntheticFrames.bytes(of: frame, plane: $0) }
        let filters =
            "scale=in_color_matrix=bt709:in_range=tv:out_range=pc,format=gbrpf32le,lut3d=a.cube:interp=tetrahedral,"
            + "scale=out_color_matrix=bt709:out_range=tv,format=yuv444p"
        return [UInt8](
            try run(text, Data(bytes), "yuv420p", "\(frame.width)x\(frame.height)", filters))
    }

    /// The colours themselves, as floats.
    static func colors(_ text: String, _ colors: [RGB]) throws -> [RGB] {
        // Planes of green, blue and red.
        let values = (colors.map(\.g) + colors.map(\.b) + colors.map(\.r)).map { Float($0) }
        let input = values.withUnsafeBytes { Data($0) }
        let output = try run(
            text, input, "gbrpf32le", "\(colors.count)x1", "lut3d=a.cube:interp=tetrahedral,format=gbrpf32le")
        let read = output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let n = colors.count
        guard read.count == 3 * n else { return [] }
        return (0..<n).map { RGB(Double(read[2 * n + $0]), Double(read[$0]), Double(read[n + $0])) }
    }

    private static func run(
        _ text: String, _ input: Data, _ format: String, _ size: String, _ filters: String
    ) throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("table-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try text.write(to: folder.appendingPathComponent("a.cube"), atomically: true, encoding: .utf8)
        try input.write(to: folder.appendingPathComponent("in.raw"))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.arguments = [
            "ffmpeg", "-nostdin", "-v", "error", "-f", "rawvideo", "-pix_fmt", format, "-s", size, "-i", "in.raw",
            "-vf",
            filters, "-f", "rawvideo", "out.raw",
        ]
        try process.run()
        process.waitUntilExit()
        return try Data(contentsOf: folder.appendingPathComponent("out.raw"))
    }
}
