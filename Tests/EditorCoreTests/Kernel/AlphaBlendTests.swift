import EditorCore
import EditorTestSupport
import Testing

@Suite struct AlphaBlendTests {
    /// `n / 255`, half up.
    func plain(_ n: Int) -> Int { (2 * n + 255) / 510 }

    @Test(arguments: [0, 1, 127, 200, 255])
    func premultipliedIsThePlainFormula(opacity: Int) {
        // All of backdrop × alpha, with the darkest, the lightest and a middle source for each alpha.
        for kind in 0..<3 {
            for alpha in 0...255 {
                let source = [0, (alpha * 120 + 127) / 255, alpha][kind]
                var row = (0...255).map { UInt8($0) }
                let cover = plain(alpha * opacity)
                AlphaBlend.premultipliedRow(
                    &row, [UInt8](repeating: UInt8(source), count: 256), [UInt8](repeating: UInt8(alpha), count: 256),
                    count: 256, opacity: UInt8(opacity))
                // A source as light as its alpha may leave the legal range by a rounding; legal sources do not.
                let expected = (0...255).map { UInt8(min(255, plain($0 * (255 - cover) + source * opacity))) }
                #expect(row == expected, "alpha \(alpha) source \(source)")
            }
        }
    }

    @Test func straightIsThePlainFormula() {
        for alpha in 0...255 {
            for source in [0, 1, 16, 128, 235, 254, 255] {
                var row = (0...255).map { UInt8($0) }
                AlphaBlend.straightRow(
                    &row, [UInt8](repeating: UInt8(source), count: 256), [UInt8](repeating: UInt8(alpha), count: 256),
                    count: 256)
                #expect(row == (0...255).map { UInt8(plain($0 * (255 - alpha) + source * alpha)) })
            }
        }
    }

    @Test func writesNoByteBeyondTheRow() {
        for count in [0, 1, 7, 8, 15, 16, 17, 33] {
            var row = [UInt8](repeating: 7, count: count + 40)
            let (source, alpha) = (
                [UInt8](repeating: 200, count: count + 40), [UInt8](repeating: 255, count: count + 40)
            )
            AlphaBlend.premultipliedRow(&row, source, alpha, count: count, opacity: 255)
            #expect(row == [UInt8](repeating: 200, count: count) + [UInt8](repeating: 7, count: 40))
        }
    }
}
