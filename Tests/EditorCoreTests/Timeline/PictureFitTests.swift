import EditorCore
import EditorTestSupport
import Testing

@Suite struct PictureFitTests {
    static let upright = PixelSize(width: 1080, height: 1920)

    /// Worked out by hand: width 1080 makes 1920×1080 607.5 high, the even number next to it is 608.
    @Test func widescreenOnAnUprightCanvas() {
        func fit(_ gravity: VideoGravity) -> PictureFit {
            PictureFit(displayed: PixelSize(width: 1920, height: 1080), canvas: Self.upright, gravity: gravity)
        }
        for gravity in [VideoGravity.fitWidth, .resizeAspect, .resizeAspectBlur] {
            #expect(fit(gravity).size == PixelSize(width: 1080, height: 608))
            #expect(fit(gravity).x == 0 && fit(gravity).y == 656)
            #expect(fit(gravity).crop == .whole)
        }
        #expect(fit(.resize).size == Self.upright)
        #expect(fit(.resize).crop == .whole)
        // Height 1920 makes it 3413.3 wide, of which 1080 are seen.
        let fill = fit(.resizeAspectFill)
        #expect(fill.size == Self.upright && fill.x == 0 && fill.y == 0)
        #expect(abs(fill.crop.width - 1080 / 3413.33) < 0.001)
        #expect(abs(fill.crop.x - (1 - fill.crop.width) / 2) < 0.001)
        #expect(fill.crop.y == 0 && fill.crop.height == 1)
    }

    /// SDVideoCamera's rule: the width fits, and what is taller is cropped above and below.
    @Test func tallPicturesAreCroppedByFitWidth() {
        let fit = PictureFit(
            displayed: PixelSize(width: 1080, height: 2340), canvas: Self.upright, gravity: .fitWidth)
        #expect(fit.size == Self.upright)
        #expect(fit.crop.x == 0 && fit.crop.width == 1)
        #expect(abs(fit.crop.height - 1920.0 / 2340) < 1e-9)
        #expect(abs(fit.crop.y - 210.0 / 2340) < 1e-9)
    }

    @Test func uncroppedPicturesReachBeyondTheCanvas() {
        let fit = PictureFit(
            displayed: PixelSize(width: 1080, height: 2340), canvas: Self.upright, gravity: .fitWidth, isCropped: false)
        #expect(fit.size == PixelSize(width: 1080, height: 2340))
        #expect(fit.y == -210 && fit.crop == .whole)
    }

    @Test(arguments: VideoGravity.allCases)
    func everySizeIsPlacedEvenlyInTheMiddle(gravity: VideoGravity) {
        var random = SplitMix64(4)
        for _ in 0..<500 {
            let displayed = PixelSize(width: Int(random.next() % 4000) + 1, height: Int(random.next() % 4000) + 1)
            let canvas = PixelSize(width: Int(random.next() % 800) * 2 + 2, height: Int(random.next() % 800) * 2 + 2)
            let fit = PictureFit(displayed: displayed, canvas: canvas, gravity: gravity)
            #expect([fit.x, fit.y, fit.size.width, fit.size.height].allSatisfy { $0 % 2 == 0 })
            #expect(fit.x >= 0 && fit.y >= 0 && fit.size.width > 0 && fit.size.height > 0)
            #expect(fit.x + fit.size.width <= canvas.width && fit.y + fit.size.height <= canvas.height)
            // In the middle, to the even pixel.
            #expect(abs(canvas.width - fit.size.width - 2 * fit.x) <= 2)
            #expect(abs(canvas.height - fit.size.height - 2 * fit.y) <= 2)
            switch gravity {
            case .resize, .resizeAspectFill: #expect(fit.size == canvas)
            case .fitWidth: #expect(fit.size.width == canvas.width)
            case .resizeAspect, .resizeAspectBlur:
                #expect(fit.size.width == canvas.width || fit.size.height == canvas.height)
            }
            guard gravity != .resize else { continue }
            // A square stays a square, but for rounding to two pixels.
            let (sx, sy) = (
                Double(fit.size.width) / (fit.crop.width * Double(displayed.width)),
                Double(fit.size.height) / (fit.crop.height * Double(displayed.height))
            )
            let slack = 2 / min(Double(fit.size.width) / fit.crop.width, Double(fit.size.height) / fit.crop.height)
            // A side of less than two pixels is made two, which is no square's shape any more.
            guard slack < 0.5 else { continue }
            #expect(abs(sx / sy - 1) <= slack, "\(displayed) on \(canvas)")
        }
    }
}
