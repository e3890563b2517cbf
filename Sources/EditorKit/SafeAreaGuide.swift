public import EditorCore

/// Shows what the players of short videos lay over a movie: their buttons and captions hide what stands there.
///
/// On an upright canvas (9:16 and its like) the free part is what two guides for advertisers leave free together, as
/// others quote them (shotstack.io/learn/vertical-video-safe-zones): Google's for upright films on YouTube, 288, 672, 48
/// and 192 pixels of 1080×1920 from the top, bottom, left and right (15 %, 35 %, 4.4 %, 17.8 %), and Meta's for Reels,
/// 14 % from the top, 35 % from the bottom and 6 % from either side. TikTok gives templates in place of numbers, since
/// its buttons depend on the text beside the film: for it the margins are an estimate. Players change; these are advice.
/// On other canvases the free part is SMPTE ST 2046-1's: 93 % of both sides for action, 90 % for titles.
public enum SafeAreaGuide {
    /// Distances from the canvas' edges, as fractions of its width and height.
    public struct Margins: Sendable, Equatable {
        public var left, top, right, bottom: Double
    }

    /// The parts that stay free, the largest first.
    public static func areas(on canvas: PixelSize) -> [Margins] {
        if Double(canvas.height) >= 1.5 * Double(canvas.width) {
            return [Margins(left: 0.06, top: 0.15, right: 0.18, bottom: 0.35)]
        }
        return [0.93, 0.9].map {
            Margins(left: (1 - $0) / 2, top: (1 - $0) / 2, right: (1 - $0) / 2, bottom: (1 - $0) / 2)
        }
    }

    /// Darkens what is not free with a red tint, and draws the free part's edges and the canvas' middle.
    static func draw(onto frame: inout VideoFrame) {
        let renderer = OverlayRenderer(canvas: frame.size)
        for (rect, shade) in strips(on: frame.size) { fill(rect, shade, onto: &frame, with: renderer) }
    }

    /// The same as a picture of the canvas' size, to lie over what is shown.
    public static func picture(on canvas: PixelSize) -> OverlayPicture {
        var pixels = [UInt8](repeating: 0, count: canvas.width * canvas.height * 4)
        for (rect, shade) in strips(on: canvas) {
            let color =
                [shade.red, shade.green, shade.blue].map { Int($0) * Int(shade.alpha) / 255 } + [Int(shade.alpha)]
            for row in max(0, rect.y0)..<min(canvas.height, rect.y1) {
                for x in max(0, rect.x0)..<min(canvas.width, rect.x1) {
                    let place = (row * canvas.width + x) * 4
                    for byte in 0..<4 {
                        pixels[place + byte] = UInt8(
                            color[byte] + Int(pixels[place + byte]) * (255 - color[3]) / 255)
                    }
                }
            }
        }
        return OverlayPicture(width: canvas.width, height: canvas.height, pixels: pixels)
    }

    /// Rectangles and their colours, lowest first.
    private static func strips(on canvas: PixelSize) -> [(PixelRect, Shade)] {
        let areas = areas(on: canvas).map { rect($0, canvas) }
        guard let free = areas.first else { return [] }
        let shade = Shade(red: 90, green: 0, blue: 20, alpha: 110)
        let line = Shade(red: 255, green: 255, blue: 255, alpha: 220)
        var strips: [(PixelRect, Shade)] = [
            (PixelRect(x0: 0, y0: 0, x1: canvas.width, y1: free.y0), shade),
            (PixelRect(x0: 0, y0: free.y1, x1: canvas.width, y1: canvas.height), shade),
            (PixelRect(x0: 0, y0: free.y0, x1: free.x0, y1: free.y1), shade),
            (PixelRect(x0: free.x1, y0: free.y0, x1: canvas.width, y1: free.y1), shade),
        ]
        let thick = max(1, canvas.width / 360)
        for area in areas {
            strips += [
                (PixelRect(x0: area.x0, y0: area.y0, x1: area.x1, y1: area.y0 + thick), line),
                (PixelRect(x0: area.x0, y0: area.y1 - thick, x1: area.x1, y1: area.y1), line),
                (PixelRect(x0: area.x0, y0: area.y0, x1: area.x0 + thick, y1: area.y1), line),
                (PixelRect(x0: area.x1 - thick, y0: area.y0, x1: area.x1, y1: area.y1), line),
            ]
        }
        // A cross in the middle.
        let (x, y, arm) = (canvas.width / 2, canvas.height / 2, max(2, canvas.width / 24))
        strips += [
            (PixelRect(x0: x - arm, y0: y, x1: x + arm, y1: y + thick), line),
            (PixelRect(x0: x, y0: y - arm, x1: x + thick, y1: y + arm), line),
        ]
        return strips.filter { !$0.0.isEmpty }
    }

    private struct Shade {
        var red, green, blue, alpha: UInt8
    }

    private static func rect(_ margins: Margins, _ canvas: PixelSize) -> PixelRect {
        let (width, height) = (Double(canvas.width), Double(canvas.height))
        return PixelRect(
            x0: Int((margins.left * width).rounded()), y0: Int((margins.top * height).rounded()),
            x1: canvas.width - Int((margins.right * width).rounded()),
            y1: canvas.height - Int((margins.bottom * height).rounded()))
    }

    /// One pixel of the colour, stretched.
    private static func fill(
        _ rect: PixelRect, _ shade: Shade, onto frame: inout VideoFrame, with renderer: OverlayRenderer
    ) {
        let pixel = OverlayPicture(
            width: 1, height: 1, straight: [shade.red, shade.green, shade.blue, shade.alpha])
        let center = Point(Double(rect.x0 + rect.x1) / 2, Double(rect.y0 + rect.y1) / 2)
        renderer.draw(
            Overlay(pixel, center: center, scale: Point(Double(rect.width), Double(rect.height))), onto: &frame)
    }
}
