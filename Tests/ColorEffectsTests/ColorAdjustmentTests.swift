import EditorCore
import EditorTestSupport
import Foundation
import Testing

@testable import ColorEffects

@Suite("colour adjustments")
struct ColorAdjustmentTests {
    private func treated(_ frame: VideoFrame, _ json: JSONValue) throws -> VideoFrame {
        try ColorStage.treated(frame, ColorAdjustment.self, json)
    }

    /// A flat grey of R′G′B′ `value`, after the effect: R′, G′, B′.
    private func grey(_ value: Double, _ json: JSONValue) throws -> RGB {
        let frame = SyntheticFrames.plain(
            PixelSize(width: 4, height: 4), y: UInt8((16 + 219 * value).rounded()))
        let result = try treated(frame, json)
        let bytes = (0..<3).map { Double(SyntheticFrames.bytes(of: result, plane: $0)[0]) }
        return RGB(y: bytes[0], cb: bytes[1], cr: bytes[2])
    }

    @Test(
        "the tables give what the formulas give, on colours that exist and on noise that does not",
        arguments: [
            ["exposure": 0.7, "contrast": 0.4, "saturation": 0.3, "temperature": 0.5, "tint": -0.4],
            ["exposure": -1.5, "shadows": 0.8, "highlights": -0.7, "saturation": -0.6],
            ["contrast": -1, "saturation": 1, "temperature": -1, "tint": 1], ["exposure": 4, "saturation": 1],
        ] as [JSONValue])
    func matchesPlainLoops(_ json: JSONValue) throws {
        let values = ColorValues(ColorStage.parameters(json), at: 0)
        let response = ToneResponse(values)
        func change(_ color: RGB) -> RGB {
            func channel(_ input: Double, _ gain: Double) -> Double {
                max(-0.5, min(1.5, response.value(max(-1, min(2, input)), gain: gain)))
            }
            let bent = RGB(
                channel(color.r, response.gains.red), channel(color.g, response.gains.green),
                channel(color.b, response.gains.blue))
            let luma = 0.2126 * bent.r + 0.7152 * bent.g + 0.0722 * bent.b
            return bent.map { luma + (1 + values.saturation) * ($0 - luma) }
        }
        let steep = max(1, max(response.gains.red, response.gains.green, response.gains.blue))
        for frame in [
            SyntheticFrames.noise(PixelSize(width: 67, height: 45)),
            ColorStage.patches(PixelSize(width: 64, height: 64), seed: 2),
        ] {
            let wanted = PlainColors(frame).changed(change)
            // A place in the tables is a sixth of a code, cut off twice; a gain makes that more.
            #expect(
                PlainColors.distance(try treated(frame, json), wanted) < 0.6 + 0.35 * steep
                    * (1 + max(0, values.saturation)))
        }
    }

    @Test("one stop is twice the light of the display's curve, below where it is rolled off")
    func exposure() throws {
        for value in [0.1, 0.2, 0.35, 0.5] {
            let brighter = try grey(value, ["exposure": 1])
            #expect(abs(brighter.g - value * pow(2, 1 / 2.4)) < 0.006)
            let darker = try grey(value, ["exposure": -1])
            #expect(abs(darker.g - value * pow(0.5, 1 / 2.4)) < 0.006)
        }
        // White stays white, and light greys below it stay apart.
        let ramp = try [0.7, 0.8, 0.9, 0.95, 1].map { try grey($0, ["exposure": 1.5]).g }
        for (a, b) in zip(ramp, ramp.dropFirst()) { #expect(b > a + 0.004) }
        #expect(abs(ramp[4] - 1) < 0.004)
    }

    @Test("contrast, shadows and highlights move what they name and keep black and white")
    func tone() throws {
        #expect(try grey(0.25, ["contrast": 0.5]).g < 0.23)
        #expect(try grey(0.75, ["contrast": 0.5]).g > 0.77)
        #expect(try grey(0.25, ["contrast": -0.5]).g > 0.26)
        #expect(try grey(0.15, ["shadows": 0.8]).g > 0.19)
        #expect(abs(try grey(0.85, ["shadows": 0.8]).g - 0.85) < 0.006)
        #expect(try grey(0.85, ["highlights": -0.8]).g < 0.82)
        #expect(abs(try grey(0.15, ["highlights": -0.8]).g - 0.15) < 0.006)
        for json in [["contrast": 1], ["contrast": -1], ["shadows": 1], ["highlights": -1]] as [JSONValue] {
            let (black, white) = (try grey(0, json).g, try grey(1, json).g)
            #expect(abs(black) < 0.004 && abs(white - 1) < 0.004)
        }
        // Every curve rises.
        for (contrast, shadows, highlights) in [(1, -1, 1), (1, 1, -1), (-1, -1, -1), (1, -1, -1)]
            as [(Double, Double, Double)]
        {
            for exposure in [-2, 0, 3] as [Double] {
                let response = ToneResponse(
                    ColorValues(
                        ColorStage.parameters([
                            "contrast": .number(contrast * 0.7), "shadows": .number(shadows * 0.7),
                            "highlights": .number(highlights * 0.7), "exposure": .number(exposure),
                        ]), at: 0))
                let curve = stride(from: 0.0, through: 1, by: 1 / 256).map {
                    response.value($0, gain: response.gains.green)
                }
                for (a, b) in zip(curve, curve.dropFirst()) { #expect(b >= a) }
            }
        }
    }

    @Test("warm light is redder and less blue, a tint changes green, and grey keeps its light")
    func whiteBalance() throws {
        let warm = try grey(0.5, ["temperature": 0.6])
        #expect(warm.r > 0.52 && warm.b < 0.47)
        let cold = try grey(0.5, ["temperature": -0.6])
        #expect(cold.r < 0.48 && cold.b > 0.53)
        #expect(try grey(0.5, ["tint": 0.8]).g < 0.495)
        #expect(try grey(0.5, ["tint": -0.8]).g > 0.505)
        for json in [["temperature": 0.6], ["temperature": -0.6], ["tint": 0.8]] as [JSONValue] {
            let color = try grey(0.5, json)
            let light = 0.2126 * pow(color.r, 2.4) + 0.7152 * pow(color.g, 2.4) + 0.0722 * pow(color.b, 2.4)
            #expect(abs(light - pow(0.5, 2.4)) < 0.01)
        }
    }

    @Test("saturation −1 leaves grey of the same luma, 1 doubles the distance from it")
    func saturation() throws {
        let frame = ColorStage.patches(PixelSize(width: 96, height: 96), seed: 12)
        let grey = try treated(frame, ["saturation": -1])
        for plane in 1...2 { #expect(SyntheticFrames.bytes(of: grey, plane: plane).allSatisfy { $0 == 128 }) }
        let mild = SyntheticFrames.plain(PixelSize(width: 8, height: 8), y: 120, u: 118, v: 143)
        let strong = try treated(mild, ["saturation": 1])
        let bytes = (0..<3).map { Int(SyntheticFrames.bytes(of: strong, plane: $0)[0]) }
        #expect(abs(bytes[0] - 120) <= 1 && abs(bytes[1] - 108) <= 1 && abs(bytes[2] - 158) <= 1)
    }

    @Test("the vignette is 1 − strength · d⁴ of what is above black", arguments: [(65, 47), (64, 120), (1, 1), (3, 2)])
    func vignette(_ width: Int, _ height: Int) throws {
        for (strength, frame) in [
            (1, SyntheticFrames.noise(PixelSize(width: width, height: height))),
            (0.37, SyntheticFrames.noise(PixelSize(width: width, height: height), seed: 3)),
        ] {
            let result = try treated(frame, ["vignette": .number(strength)])
            for plane in 0..<3 {
                let extent = frame.format.planeSize(plane, of: frame.size)
                let (before, after) = (
                    SyntheticFrames.bytes(of: frame, plane: plane), SyntheticFrames.bytes(of: result, plane: plane)
                )
                for y in 0..<extent.height {
                    for x in 0..<extent.width {
                        // Chroma lies left and between two rows.
                        let px = plane == 0 ? Double(x) + 0.5 : 2 * Double(x) + 0.5
                        let py = plane == 0 ? Double(y) + 0.5 : 2 * Double(y) + 1
                        let (dx, dy) = (2 * px / Double(width) - 1, 2 * py / Double(height) - 1)
                        let square = (min(1, dx * dx) + min(1, dy * dy)) / 2
                        let black = plane == 0 ? 16.0 : 128.0
                        let wanted =
                            black + (Double(before[y * extent.width + x]) - black) * (1 - strength * square * square)
                        #expect(abs(Double(after[y * extent.width + x]) - wanted) < 0.6)
                    }
                }
            }
        }
    }

    @Test("keyframes move the values, and a value that stands still gives the same picture at every time")
    func keyframes() throws {
        let frame = ColorStage.patches(PixelSize(width: 64, height: 64), seed: 5)
        let moving: JSONValue = ["exposure": [["time": 0, "value": 0], ["time": 1, "value": 1]]]
        let start = try ColorStage.treated(frame, ColorAdjustment.self, moving, at: 0)
        #expect(SyntheticFrames.areEqual(start, frame))
        let half = try ColorStage.treated(frame, ColorAdjustment.self, moving, at: 15)
        let still = try treated(frame, ["exposure": 0.5])
        #expect(SyntheticFrames.areEqual(half, still))
        let end = try ColorStage.treated(frame, ColorAdjustment.self, moving, at: 90)
        let full = try treated(frame, ["exposure": 1])
        #expect(SyntheticFrames.areEqual(end, full))
    }
}
