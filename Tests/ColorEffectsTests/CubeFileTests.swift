import EditorCore
import EditorTestSupport
import Foundation
import Testing

@testable import ColorEffects

@Suite("look-up tables in .cube files")
struct CubeFileTests {
    private func color(_ file: CubeFile, _ r: Float, _ g: Float, _ b: Float) -> [Float] {
        let color = file.map.color(SIMD4(r, g, b, 0))
        return [color.x, color.y, color.z]
    }

    /// Two entries a side, each channel by itself: `f(0)` and `f(1)`.
    private func corners(_ low: String = "0", _ high: String = "1") -> String {
        var lines = ""
        for b in [low, high] { for g in [low, high] { for r in [low, high] { lines += "\(r) \(g) \(b)\n" } } }
        return lines
    }

    @Test("red runs fastest; comments, titles, blank lines and every line ending are taken")
    func reads() throws {
        let text = "# made by hand\nTITLE \"two words\"\n\nLUT_3D_SIZE 2\n" + corners()
        for ending in ["\n", "\r\n", "\r"] {
            let file = try CubeFile(text.replacing("\n", with: ending))
            #expect(color(file, 1, 0, 0) == [1, 0, 0] && color(file, 0.25, 0.5, 0.75) == [0.25, 0.5, 0.75])
            #expect(file.warnings.isEmpty)
        }
        let file = try CubeFile("LUT_1D_SIZE 3\n0 0.5 1\n+.5 5e-1 0.5\n  1.0\t1 0  \n")
        #expect(color(file, 0.25, 0.5, 0.75) == [0.25, 0.5, 0.25])
    }

    @Test("domains: Adobe's for each channel, Resolve's ranges, and a 1D table in front of a 3D one")
    func domains() throws {
        let adobe = try CubeFile("DOMAIN_MIN 0 0.2 -1\nDOMAIN_MAX 1 0.6 1\nLUT_3D_SIZE 2\n" + corners())
        let read = color(adobe, 0.5, 0.4, 0.5)
        for (value, wanted) in zip(read, [0.5, 0.5, 0.75]) { #expect(abs(value - Float(wanted)) < 1e-6) }
        // Beyond the domain its ends hold.
        #expect(color(adobe, 0, 0.9, 0)[1] == 1 && color(adobe, 0, 0.1, 0)[1] == 0)
        let resolve = try CubeFile("LUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0.25 0.75\n" + corners())
        #expect(abs(color(resolve, 0.5, 0.3, 1)[1] - 0.1) < 1e-6)
        // The 1D table stretches to 0…2, which the 3D one covers.
        let both = try CubeFile(
            "LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0 1\nLUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0 2\n0 0 0\n2 2 2\n" + corners())
        #expect(abs(color(both, 0.3, 0.5, 1)[0] - 0.3) < 1e-6)
    }

    @Test(
        "what is wrong is told with its line",
        arguments: [
            ("", 1, "without LUT_1D_SIZE"), ("LUT_3D_SIZE 2\n0 0 0\n", 2, "after 1 of 8"),
            ("LUT_3D_SIZE two\n", 1, "whole number"), ("LUT_3D_SIZE 1\n", 1, "outside 2 to"),
            ("LUT_3D_SIZE 900\n", 1, "outside 2 to"), ("LUT_3D_SIZE 2\nLUT_3D_SIZE 2\n", 2, "twice"),
            ("0 0 0\n", 1, "before LUT_1D_SIZE"), ("LUT_1D_SIZE 2\n0 0 0\n\n0 0 x\n", 4, "\"x\" is no number"),
            ("LUT_1D_SIZE 2\n0 0 0\n0 0\n", 3, "three numbers, not 2"),
            ("LUT_1D_SIZE 2\n0 0 0\n0 0 nan\n", 3, "no number of use"),
            ("LUT_1D_SIZE 2\n0 0 0\n0 0 1e30\n", 3, "no number of use"),
            ("LUT_1D_SIZE 2\n0 0 0\n0 0 0\n0 0 0\n", 4, "more than the 2"),
            ("LUT_1D_SIZE 2\nDOMAIN_MAX 0 1 1\n0 0 0\n1 1 1\n", 2, "not above its start"),
            ("LUT_1D_SIZE 2\nDOMAIN_MIN 0 1\n", 2, "three numbers, not 2"),
            ("LUT_1D_SIZE 2\n0 0 0\nTITLE \"late\"\n", 3, "among the colours"),
            ("a\nb\nc\nd\ne\nf\ng\nh\ni\n", 9, "no .cube file"),
        ])
    func errors(_ text: String, _ line: Int, _ words: String) throws {
        let problem = try #require(throws: CubeFile.Problem.self) { try CubeFile(text) }
        #expect(problem.line == line && problem.message.contains(words), "\(problem)")
        // The effect tells the same, with the file's name.
        let error = try #require(throws: EditorError.self) {
            try LookUpTable(
                ColorStage.parameters(["file": "looks/a.cube"]),
                context: ColorStage.context(PixelSize(width: 8, height: 8), ["looks/a.cube": text]))
        }
        #expect(error.message.hasPrefix("looks/a.cube, line \(line): "))
        #expect(error.kind == .invalidData)
    }

    @Test("numbers are read as Float reads them, in the quick way and in the other")
    func numbers() throws {
        var random = SplitMix64(11)
        var text = "LUT_1D_SIZE 500\n"
        var wanted: [SIMD4<Float>] = []
        for i in 0..<500 {
            let words = (0..<3).map { _ in
                let value = Double(Int64(bitPattern: random.next()) >> 20) / Double(1 << 43)
                return String(format: ["%.6f", "%.9f", "%.3e", "%.17g", "%g"][i % 5], value)
            }
            text += words.joined(separator: i % 2 == 0 ? " " : " \t") + "\n"
            wanted.append(SIMD4(Float(words[0])!, Float(words[1])!, Float(words[2])!, 0))
        }
        let file = try CubeFile(text)
        for (i, wanted) in wanted.enumerated() {
            let line = Array(text.split(separator: "\n")[i + 1].utf8)
            if let quick = DecimalReader.triple(line[...]) { #expect(quick == wanted) }
            let read = file.map.color(SIMD4(repeating: Float(i) / 499))
            let inside = wanted.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 1))
            #expect(abs(read.x - inside.x) < 1e-3 && abs(read.z - inside.z) < 1e-3)
        }
        #expect(DecimalReader.triple(Array("1 2 3 4".utf8)[...]) == nil)
        #expect(DecimalReader.triple(Array("1 2 -".utf8)[...]) == nil)
        #expect(DecimalReader.triple(Array(" 1. .5 -0.25 ".utf8)[...]) == SIMD4(1, 0.5, -0.25, 0))
    }

    @Test("a word that is not known is a warning")
    func unknownWords() throws {
        let file = try CubeFile("CREATED_BY somebody\nLUT_1D_SIZE 2\n0 0 0\n1 1 1\n")
        #expect(file.warnings.map(\.line) == [1])
    }

    @Test("a file that does not end is no problem: bytes of all kinds are refused or read")
    func garbage() {
        var random = SplitMix64(5)
        let words = ["LUT_3D_SIZE", "2", "0", "1", "\n", "\r", "-", "e", "0.5", "DOMAIN_MIN", "LUT_1D_SIZE", "é", " "]
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                words[Int.random(in: 0..<words.count, using: &random)] + " "
            }.joined()
            if let file = try? CubeFile(text) { _ = color(file, 0.5, 0.1, 0.9) }
        }
    }
}
