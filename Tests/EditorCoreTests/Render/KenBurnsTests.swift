import EditorTestSupport
import Foundation
import Testing

@testable import EditorCore

@Suite struct KenBurnsTests {
    /// A soft dot of about 7 pixels on dark ground, at a place in fractions of a picture `size` wide.
    private static func dot(_ x: Double, _ y: Double, of size: PixelSize, isStill: Bool = true) -> DrawnLibrary.Media {
        DrawnLibrary.Media(size: size, duration: MediaTime(seconds: 3), isStill: isStill) { plane, u, v in
            if plane != 0 { return 128 }
            let (dx, dy) = ((u - x) * Double(size.width), (v - y) * Double(size.height))
            return 16 + 219 * exp(-(dx * dx + dy * dy) / 8)
        }
    }

    /// The middle of what is brighter than the ground.
    private func centroid(_ frame: VideoFrame) -> SIMD2<Double> {
        let bytes = SyntheticFrames.bytes(of: frame, plane: 0)
        var (sum, moment) = (0.0, SIMD2(0.0, 0.0))
        for y in 0..<frame.height {
            for x in 0..<frame.width {
                let weight = max(0, Double(bytes[y * frame.width + x]) - 17)
                sum += weight
                moment += weight * SIMD2(Double(x) + 0.5, Double(y) + 0.5)
            }
        }
        return moment / sum
    }

    private func frames(
        _ library: DrawnLibrary, _ gravity: String, _ move: String, _ numbers: [Int] = [0]
    ) throws -> [VideoFrame] {
        let plan = try plan(
            """
            {assetArray: [{path: "dot", timeRange: {start: 0, duration: 3}, videoGravity: "\(gravity)", kenBurns: \(move)}],
             renderSize: {width: 180, height: 240}, backgroundColor: "ffffff"}
            """, over: library)
        let compositor = Compositor(plan, library: library)
        return try numbers.map { try compositor.frame($0) }
    }

    @Test(arguments: [
        // A pan of 0.3 pixels a frame, a zoom in with a pan, and a zoom out.
        "{from: {center: [0.5, 0.5], zoom: 1.5}, to: {center: [0.6, 0.55], zoom: 1.5}}",
        "{from: {center: [0.5, 0.5], zoom: 1}, to: {center: [0.55, 0.6], zoom: 1.4}}",
        "{from: {center: [0.45, 0.5], zoom: 1.3}, to: {center: [0.5, 0.5], zoom: 1}}",
    ])
    func aDotMovesInEqualSteps(move: String) throws {
        let size = PixelSize(width: 360, height: 480)
        let library = DrawnLibrary(["dot": Self.dot(0.6, 0.45, of: size)])
        let places = try frames(library, "resizeAspect", move, Array(0..<90)).map(centroid)
        let mean = (places[89] - places[0]) / 89
        #expect((mean * mean).sum().squareRoot() > 0.1)
        for frame in 1..<90 {
            let step = places[frame] - places[frame - 1]
            #expect(abs(step.x - mean.x) < 0.03 && abs(step.y - mean.y) < 0.03, "frame \(frame): \(step), not \(mean)")
        }
    }

    @Test func theDotLiesWhereTheFramingSays() throws {
        let size = PixelSize(width: 360, height: 480)
        let library = DrawnLibrary(["dot": Self.dot(0.6, 0.45, of: size)])
        let first = try #require(
            frames(library, "resizeAspect", "{from: {center: [0.6, 0.5], zoom: 2}, to: {center: [0.6, 0.5], zoom: 2}}")
                .first)
        // The fitted picture is 180 × 240, at twice the size; its (0.6, 0.5) is the canvas' middle.
        let place = centroid(first)
        #expect(abs(place.x - 90) < 0.05 && abs(place.y - (120 - 0.05 * 480)) < 0.05, "\(place)")
    }

    @Test func theSourceIsAskedForAsLargeAsItIsShown() throws {
        let still = "{from: {zoom: 1}, to: {zoom: 4}}"
        let large = DrawnLibrary(["dot": Self.dot(0.5, 0.5, of: PixelSize(width: 1800, height: 2400))])
        _ = try frames(large, "resizeAspect", still)
        #expect(large.requests.last?.canvas == PixelSize(width: 720, height: 960))
        // No more pixels than there are.
        let small = DrawnLibrary(["dot": Self.dot(0.5, 0.5, of: PixelSize(width: 360, height: 480))])
        _ = try frames(small, "resizeAspect", still)
        #expect(small.requests.last?.canvas == PixelSize(width: 360, height: 480))
    }

    @Test(arguments: [
        "{from: {center: [0, 0], zoom: 1}, to: {center: [1, 1], zoom: 1.2}}", "{from: {center: [5, -3], zoom: 3}}",
    ])
    func aPictureThatCoversTheCanvasAlwaysDoes(move: String) throws {
        let library = DrawnLibrary(["dot": Self.dot(0.5, 0.5, of: PixelSize(width: 500, height: 480))])
        for frame in try frames(library, "resizeAspectFill", move, [0, 1, 30, 67, 89]) {
            // The background is white and the picture's ground black.
            let bytes = SyntheticFrames.bytes(of: frame, plane: 0)
            let corners = [0, 179, 239 * 180, 239 * 180 + 179]
            #expect(corners.allSatisfy { bytes[$0] == 16 })
        }
    }

    @Test func aSmallerPictureStaysWholeOnTheCanvas() throws {
        let library = DrawnLibrary(["dot": Self.dot(0.5, 0.5, of: PixelSize(width: 360, height: 120))])
        let all = try frames(
            library, "resizeAspect", "{from: {center: [0.5, 9], zoom: 1}, to: {center: [0.5, -9], zoom: 1}}", [0, 45])
        // 180 × 60 on 180 × 240: from the top to the bottom.
        for (frame, dot) in [(all[0], 30.0), (all[1], 120)] {
            let bytes = SyntheticFrames.bytes(of: frame, plane: 0)
            let dark = bytes.filter { $0 == 16 }.count
            #expect(dark > 9000 && dark <= 180 * 60)
            let row = Int(dot)
            // The dot is two pixels wide here, and its middle lies between four.
            #expect(bytes[row * 180 + 90] > 170)
        }
    }

    @Test func stepsHoldForOverlayClipsToo() throws {
        let library = DrawnLibrary([
            "ground": DrawnLibrary.Media(size: PixelSize(width: 180, height: 240), duration: MediaTime(seconds: 3)) {
                plane, _, _ in
                plane == 0 ? 16 : 128
            }, "dot": Self.dot(0.5, 0.5, of: PixelSize(width: 360, height: 480)),
        ])
        let plan = try plan(
            """
            {assetArray: ["ground", {path: "dot", timeRange: {start: 0, duration: 3}, overlay: true, width: 0.5,
              center: [0.3, 0.4], kenBurns: {from: {zoom: 1}, to: {zoom: 1, center: [0.6, 0.5]}}}],
             renderSize: {width: 180, height: 240}}
            """, over: library)
        let place = centroid(try Compositor(plan, library: library).frame(0))
        // 90 × 120 about (54, 96).
        #expect(abs(place.x - 54) <= 1 && abs(place.y - 96) <= 1, "\(place)")
    }
}
