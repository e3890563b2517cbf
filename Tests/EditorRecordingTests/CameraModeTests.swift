import EditorCapture
import EditorCore
import Testing

/// Which of a camera's modes is taken.
@Suite struct CameraModeTests {
    private func mode(_ format: CameraPixelFormat, _ width: Int, _ height: Int, _ rate: Rational = Rational(30))
        -> CameraMode
    {
        CameraMode(pixelFormat: format, size: PixelSize(width: width, height: height), rate: rate)
    }

    /// A usual webcam: raw pictures are slow when they are large.
    private var webcam: [CameraMode] {
        [
            mode(.yuyv, 640, 480), mode(.yuyv, 1280, 720, Rational(10)), mode(.yuyv, 1920, 1080, Rational(5)),
            mode(.mjpeg, 640, 480), mode(.mjpeg, 1280, 720), mode(.mjpeg, 1920, 1080),
            mode(.mjpeg, 3840, 2160, Rational(30)), mode(.h264, 1280, 720),
        ]
    }

    private func best(_ canvas: (Int, Int), _ gravity: VideoGravity = .fitWidth) -> CameraMode? {
        CameraModeWish(canvas: PixelSize(width: canvas.0, height: canvas.1), gravity: gravity).best(of: webcam)
    }

    @Test func theSmallestThatNeedNotBeEnlarged() {
        #expect(best((1080, 1920)) == mode(.mjpeg, 1280, 720))
        #expect(best((540, 960)) == mode(.yuyv, 640, 480))
        #expect(best((1920, 1080)) == mode(.mjpeg, 1920, 1080))
        // 1920 lines are more than any has: the largest within 1920×1080.
        #expect(best((1080, 1920), .resizeAspectFill) == mode(.mjpeg, 1920, 1080))
    }

    @Test func wishesAreKept() {
        var wish = CameraModeWish(canvas: PixelSize(width: 1080, height: 1920), gravity: .fitWidth)
        wish.pixelFormat = .yuyv
        #expect(wish.best(of: webcam) == mode(.yuyv, 640, 480), "30 pictures a second come before size")
        wish.rate = Rational(10)
        #expect(wish.best(of: webcam) == mode(.yuyv, 1280, 720, Rational(10)))
        wish.rate = Rational(60)
        #expect(wish.best(of: webcam) == nil)
        wish = CameraModeWish(
            canvas: wish.canvas, gravity: .fitWidth, size: PixelSize(width: 3840, height: 2160))
        #expect(wish.best(of: webcam)?.size.width == 3840)
    }

    /// The first wish that any mode fulfils counts, however well a later one would be fulfilled.
    @Test func wishesGoInOrder() {
        let canvas = PixelSize(width: 1280, height: 720)
        let alike = CameraModeWish(canvas: canvas, gravity: .resizeAspectFill, size: canvas, rate: Rational(10))
        let missing = CameraModeWish(
            canvas: canvas, gravity: .resizeAspectFill, size: PixelSize(width: 352, height: 288))
        let any = CameraModeWish(canvas: canvas, gravity: .resizeAspectFill)
        let slow = mode(.yuyv, 1280, 720, Rational(10))
        #expect(CameraModeWish.best(of: webcam, for: [alike, any]) == slow)
        #expect(CameraModeWish.best(of: webcam, for: [missing, alike, any]) == slow)
        #expect(CameraModeWish.best(of: webcam, for: [missing, any]) == mode(.mjpeg, 1280, 720))
        #expect(CameraModeWish.best(of: webcam, for: [missing]) == nil)
    }

    /// 29.97 is 30.
    @Test func nearlyThirtyIsThirty() {
        let wish = CameraModeWish(canvas: PixelSize(width: 640, height: 480), gravity: .fitWidth)
        let modes = [mode(.nv12, 640, 480, Rational(30000, 1001)), mode(.yuyv, 320, 240)]
        #expect(wish.best(of: modes)?.size.width == 640)
    }
}
