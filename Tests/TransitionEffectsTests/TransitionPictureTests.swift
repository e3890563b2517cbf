import EditorCore
import EditorTestSupport
import Foundation
import Testing

@testable import TransitionEffects

private let sizes = [PixelSize(width: 161, height: 121), PixelSize(width: 64, height: 34)]
private let steps = [0.003, 0.25, 0.5, 0.618, 0.9971]

private func context(_ size: PixelSize) -> EffectContext {
    EffectContext(
        canvas: size, frameRate: Rational(30), duration: MediaTime(seconds: 1),
        activeRange: TimeRange(start: .zero, duration: MediaTime(seconds: 1)), assets: FakeAssets())
}

/// Runs one transition over noise at several steps and gives its results to `body` beside the plain inputs.
private func forEachStep(
    _ make: (EffectContext) throws -> any TransitionEffect,
    _ body: (_ result: VideoFrame, _ from: PlainPicture, _ to: PlainPicture, _ progress: Double) -> Void
) throws {
    for (n, size) in sizes.enumerated() {
        let effect = try make(context(size))
        let (from, to) = (SyntheticFrames.noise(size, seed: UInt64(n)), SyntheticFrames.noise(size, seed: 77))
        for progress in steps {
            var result = from
            try effect.blend(&result, to: to, progress: progress)
            body(result, PlainPicture(from), PlainPicture(to), progress)
        }
    }
}

@Suite struct TransitionPictureTests {
    /// Weights are rounded to 1/256, which is half a code at most for the largest step of 255, beside the rounding.
    private let tolerance = 1.01

    @Test func crossDissolveMixesByProgress() throws {
        try forEachStep({ CrossDissolve(.init(), context: $0) }) { result, from, to, progress in
            let off = PlainPicture.difference(result) { plane, x, y in
                from.sample(plane, x, y) * (1 - progress) + to.sample(plane, x, y) * progress
            }
            #expect(off <= tolerance, "progress \(progress)")
        }
    }

    @Test func crossDissolveAddsNoCodesToLikePictures() throws {
        let size = sizes[0]
        let picture = SyntheticFrames.frame(size) { plane, x, y in UInt8((x * 7 + y * 3 + plane) & 255) }
        let effect = CrossDissolve(.init(), context: context(size))
        for step in 0...300 {
            var result = picture
            effect.blend(&result, to: picture, progress: Double(step) / 300)
            #expect(SyntheticFrames.areEqual(result, picture))
        }
    }

    @Test func fadeThroughColorIsTheColourHalfway() throws {
        var parameters = FadeThroughColor.Parameters()
        parameters.color = try #require(Color(hex: "ff0000"))
        // BT.709 limited range of pure red: 16 + 219 · 0.2126, 128 − 224 · 0.2126 / 1.8556, 240.
        let red: [Double] = [63, 102, 240]
        try forEachStep({ FadeThroughColor(parameters, context: $0) }) { result, from, to, progress in
            let off = PlainPicture.difference(result) { plane, x, y in
                progress < 0.5
                    ? from.sample(plane, x, y) * (1 - 2 * progress) + red[plane] * 2 * progress
                    : red[plane] * (2 - 2 * progress) + to.sample(plane, x, y) * (2 * progress - 1)
            }
            #expect(off <= tolerance, "progress \(progress)")
            if progress == 0.5 { #expect(off == 0) }
        }
    }

    /// A place on the axis of movement, in lines, counted the way that the movement comes from: `along` is 0 at the
    /// canvas' far edge.
    private func moved(
        _ direction: Direction, _ x: Int, _ y: Int, _ extent: (width: Int, height: Int)
    ) -> (line: Int, count: Int, at: (PlainPicture, Int, Int) -> Double) {
        let (position, count) = direction.isHorizontal ? (x, extent.width) : (y, extent.height)
        let line = direction.isBackward ? position : count - 1 - position
        return (
            line, count,
            { picture, plane, line in
                let line = min(max(line, 0), count - 1)
                let position = direction.isBackward ? line : count - 1 - line
                return direction.isHorizontal
                    ? picture.sample(plane, position, y) : picture.sample(plane, x, position)
            }
        )
    }

    @Test(arguments: Direction.allCases) func pushMovesBothPictures(direction: Direction) throws {
        var parameters = Push.Parameters()
        parameters.direction = direction
        try forEachStep({ Push(parameters, context: $0) }) { result, from, to, progress in
            let off = PlainPicture.difference(result) { plane, x, y in
                let (line, count, at) = moved(direction, x, y, from.extent(plane))
                // Both pictures in a row, moved towards lower lines.
                func long(_ i: Int) -> Double { i < count ? at(from, plane, i) : at(to, plane, i - count) }
                let place = Double(line) + progress * Double(count)
                let i = Int(place)
                return long(i) * (1 - (place - Double(i))) + long(i + 1) * (place - Double(i))
            }
            #expect(off <= tolerance, "progress \(progress)")
        }
    }

    @Test(arguments: Direction.allCases) func slideMovesTheIncomingPictureAlone(direction: Direction) throws {
        var parameters = Slide.Parameters()
        parameters.direction = direction
        try forEachStep({ Slide(parameters, context: $0) }) { result, from, to, progress in
            let off = PlainPicture.difference(result) { plane, x, y in
                let (line, count, at) = moved(direction, x, y, from.extent(plane))
                let edge = (1 - progress) * Double(count)
                if Double(line + 1) <= edge { return at(from, plane, line) }
                let place = Double(line) - edge
                let i = Int(place.rounded(.down))
                let (before, share) = (i < 0 ? at(from, plane, line) : at(to, plane, i), place - Double(i))
                return before * (1 - share) + at(to, plane, i + 1) * share
            }
            #expect(off <= tolerance, "progress \(progress)")
        }
    }

    @Test(arguments: Direction.allCases, [0, 0.3, 1]) func wipeFollowsItsEdge(direction: Direction, softness: Double)
        throws
    {
        var parameters = Wipe.Parameters()
        (parameters.direction, parameters.softness) = (direction, softness)
        try forEachStep({ Wipe(parameters, context: $0) }) { result, from, to, progress in
            let size = from.size
            let length = Double(direction.isHorizontal ? size.width : size.height)
            let width = max(softness, 1 / length)
            func weight(_ x: Int, _ y: Int) -> Double {
                let place = (Double(direction.isHorizontal ? x : y) + 0.5) / length
                let way = direction.isBackward ? 1 - place : place
                return min(max((progress * (1 + width) - way) / width, 0), 1)
            }
            let off = PlainPicture.difference(result) { plane, x, y in
                let w = plane == 0 ? weight(x, y) : chromaWeight(size, x, y, weight)
                return from.sample(plane, x, y) * (1 - w) + to.sample(plane, x, y) * w
            }
            #expect(off <= tolerance + 0.5, "progress \(progress)")
        }
    }

    @Test(arguments: [Point(0.5, 0.5), Point(0.2, 0.9), Point(-0.5, 1.5)], [0, 0.3, 1])
    func circleOpensAtItsCentre(center: Point, softness: Double) throws {
        var parameters = Circle.Parameters()
        (parameters.center, parameters.softness) = (center, softness)
        try forEachStep({ Circle(parameters, context: $0) }) { result, from, to, progress in
            let size = from.size
            let (w, h) = (Double(size.width), Double(size.height))
            let (cx, cy) = (center.x * w, center.y * h)
            let corners = [(0, 0), (w, 0), (0, h), (w, h)].map { hypot($0.0 - cx, $0.1 - cy) }
            let width = max(1, softness * corners.max()!)
            func weight(_ x: Int, _ y: Int) -> Double {
                let distance = hypot(Double(x) + 0.5 - cx, Double(y) + 0.5 - cy)
                return min(max((progress * (corners.max()! + width) - distance) / width, 0), 1)
            }
            let off = PlainPicture.difference(result) { plane, x, y in
                let share = plane == 0 ? weight(x, y) : chromaWeight(size, x, y, weight)
                return from.sample(plane, x, y) * (1 - share) + to.sample(plane, x, y) * share
            }
            #expect(off <= tolerance + 0.5, "progress \(progress)")
        }
    }

    @Test func zoomEnlargesAboutTheMiddle() throws {
        var parameters = Zoom.Parameters()
        parameters.scale = 4
        try forEachStep({ Zoom(parameters, context: $0) }) { result, from, to, progress in
            let factor = pow(4, progress)
            let weight = progress * progress * (3 - 2 * progress)
            let off = PlainPicture.difference(result) { plane, x, y in
                let (w, h) = from.extent(plane)
                // A left-sited chroma sample `c` lies at luma column 2c + 0.5 from the edge, half a sample is 1.
                let shift = plane == 0 ? 0.5 : 0.25
                let u = (Double(x) + shift - Double(w) / 2) / factor + Double(w) / 2 - shift
                let v = (Double(y) + 0.5 - Double(h) / 2) / factor + Double(h) / 2 - 0.5
                return from.sample(plane, at: u, v) * (1 - weight) + to.sample(plane, x, y) * weight
            }
            // Places are rounded to 1/256 of a sample along both axes too.
            #expect(off <= tolerance + 1, "progress \(progress)")
        }
    }
}
