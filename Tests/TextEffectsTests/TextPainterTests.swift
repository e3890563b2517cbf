import EditorCore
import EditorTestSupport
import Testing

@testable import TextEffects

/// Short ways of drawing against the long ones.
@Suite struct TextPainterTests {
    private static let look: [String: JSONValue] = [
        "fontSize": 0.11, "outline": ["color": "102030", "width": 0.01], "color": "ffe0a0",
        "shadow": ["color": "00000080", "offset": [0.01, 0.015], "blur": 0.02],
    ]

    private func painter(_ text: String) throws -> TextPainter {
        var reading = ParameterReading()
        let entry = JSONValue.object(Self.look.merging(["text": .string(text)]) { $1 })
        let parameters = try #require(
            TextParameters.read(entry, at: JSONPointer(), ignoring: ["type"], into: &reading))
        let canvas = PixelSize(width: 360, height: 640)
        let style = TextStyle(parameters, family: FontFamily(names: "DejaVu Sans"), canvas: canvas, scale: 1)
        return try TextPainter(try TextLayout(.plain(text), style: style), style: style, mostPixels: 1_000_000)
    }

    /// The first of two far lines, drawn alone in its part of the picture, has the pixels that it has in the whole text.
    @Test func aPartIsDrawnAsInTheWhole() throws {
        let text = "First\n\n\nLast"
        let whole = try painter(text).draw(TextState()).text.picture
        let part = try painter(text).draw(TextState(revealed: 5)).text.picture
        #expect(part.width == whole.width && part.height == whole.height)
        let layout = try painter(text).layout
        let rows = Int(layout.lines[2].box.y)
        let bytes = rows * whole.width * 4
        #expect(part.pixels[..<bytes] == whole.pixels[..<bytes])
        #expect(part.pixels[..<bytes].contains { $0 > 100 })
        #expect(part.pixels[bytes...].allSatisfy { $0 == 0 })
    }

    /// A text of which another word is spoken takes the outline and the shadow of the one before.
    @Test func aKnownShapeGivesTheSamePicture() throws {
        let first = try painter("one two").draw(TextState(spoken: 0..<3))
        let shape = try #require(first.shape)
        let second = try painter("one two").draw(TextState(spoken: 4..<7), shape: shape).text.picture
        #expect(second.pixels == (try painter("one two").draw(TextState(spoken: 4..<7)).text.picture.pixels))
        #expect(second.pixels != first.text.picture.pixels)
    }

    @Test func coveringIsThePlainFormula() {
        var numbers = SyntheticNumbers(seed: 5)
        func layer(_ width: Int, _ height: Int) -> PixelLayer {
            var layer = PixelLayer(width: width, height: height)
            for i in stride(from: 0, to: layer.pixels.count, by: 4) {
                let alpha = [0, 255, numbers.next() % 256][Int(numbers.next() % 3)]
                layer.pixels[i + 3] = UInt8(alpha)
                for c in 0..<3 { layer.pixels[i + c] = UInt8(alpha == 0 ? 0 : numbers.next() % (alpha + 1)) }
            }
            return layer
        }
        for (width, height, x, y) in [(1, 1, 0, 0), (7, 5, 3, 2), (13, 11, 0, 4), (17, 3, 5, 9)] {
            let (below, top) = (layer(width + x + 2, height + y + 1), layer(width, height))
            var result = below
            result.cover(with: top, x: x, y: y)
            var wanted = below.pixels
            for j in 0..<height {
                for i in 0..<width {
                    let (from, to) = ((j * width + i) * 4, ((y + j) * below.width + x + i) * 4)
                    let rest = 255 - Int(top.pixels[from + 3])
                    for c in 0..<4 {
                        // Rounded to the nearest.
                        wanted[to + c] =
                            top.pixels[from + c] + UInt8((2 * Int(below.pixels[to + c]) * rest + 255) / 510)
                    }
                }
            }
            #expect(result.pixels == wanted)
        }
    }
}

/// Numbers that are the same in every run (Knuth's MMIX constants).
private struct SyntheticNumbers {
    var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}
