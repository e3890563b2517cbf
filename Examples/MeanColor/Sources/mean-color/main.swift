import EditorCore
import EditorKit

// Prints the mean colour of a composition's frame at every second, as `rrggbb`.
//
//     swift run mean-color ../first/cfg.json

guard CommandLine.arguments.count == 2 else { fatalError("usage: mean-color CONFIG") }

do {
    let generator = try FrameGenerator(try Composition(contentsOf: CommandLine.arguments[1]))
    var second = 0
    while MediaTime(seconds: second) < generator.duration {
        let picture = try generator.picture(at: MediaTime(seconds: second))
        print("\(second) s  \(meanColor(of: picture))")
        second += 1
    }
} catch {
    print("\(error)")
}

/// A picture's planes are luma and, in half size, two colour differences: BT.709 in limited range.
func meanColor(of picture: VideoFrame) -> Color {
    let y = (mean(of: picture, plane: 0) - 16) / 219
    let u = (mean(of: picture, plane: 1) - 128) / 224
    let v = (mean(of: picture, plane: 2) - 128) / 224
    func byte(_ value: Double) -> UInt8 { UInt8((max(0, min(1, value)) * 255).rounded()) }
    return Color(
        red: byte(y + 1.5748 * v), green: byte(y - 0.1873 * u - 0.4681 * v), blue: byte(y + 1.8556 * u))
}

func mean(of picture: VideoFrame, plane: Int) -> Double {
    picture.withPlane(plane) { pixels, layout in
        var sum = 0
        for row in 0..<layout.height {
            for x in 0..<layout.width { sum += Int(pixels[row * layout.stride + x]) }
        }
        return Double(sum) / Double(layout.width * layout.height)
    }
}
