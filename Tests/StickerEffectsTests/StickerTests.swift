import EditorCore
import EditorTestSupport
import Testing

@testable import StickerEffects

private let canvas = PixelSize(width: 200, height: 400)

/// `count` plain pictures that differ in their red byte.
private func animation(_ durations: [Double], width: Int = 40, height: Int = 20) -> ImageAsset {
    ImageAsset(
        frames: durations.enumerated().map { index, duration in
            let pixel = [UInt8(index), 0, 0, 255]
            return .init(
                picture: OverlayPicture(
                    width: width, height: height, pixels: Array(repeating: pixel, count: width * height).flatMap { $0 }),
                duration: duration)
        })
}

/// Remembers how wide pictures were asked for.
private final class AskingAssets: AssetLoading, @unchecked Sendable {
    // Touched by the one test that made it.
    var widths: [Int?] = []
    let asset: ImageAsset

    init(_ asset: ImageAsset) { self.asset = asset }

    func image(_: AssetReference, width: Int?) throws -> ImageAsset {
        widths.append(width)
        return asset
    }
    func audio(_ asset: AssetReference) throws -> any AudioReading { throw EditorError(.missingInput, "no sound") }
    func text(_ asset: AssetReference) throws -> String { throw EditorError(.missingInput, "no text") }
    func fontFamily(_ asset: AssetReference) throws -> String { throw EditorError(.missingInput, "no font") }
}

private func read(_ entry: [String: JSONValue]) throws -> StickerParameters {
    var reading = ParameterReading()
    let parameters = StickerParameters.read(
        .object(entry.merging(["image": "star.png"]) { own, _ in own }), at: JSONPointer(), into: &reading)
    #expect(reading.findings == [])
    return try #require(parameters)
}

private func sticker(
    _ entry: [String: JSONValue], _ assets: any AssetLoading, active: TimeRange
) throws -> Sticker {
    try Sticker(
        read(entry),
        context: EffectContext(
            canvas: canvas, frameRate: Rational(30), duration: active.end, activeRange: active, assets: assets))
}

private let always = TimeRange(start: .zero, duration: MediaTime(seconds: 1000))

private func time(_ value: Int64, _ timescale: Int64, in range: TimeRange = always) -> EffectTime {
    EffectTime(time: MediaTime(value: value, timescale: timescale), index: 0, activeRange: range)
}

@Suite struct StickerPlacementTests {
    private func scale(_ entry: [String: JSONValue]) throws -> Point {
        let sticker = try sticker(entry, AskingAssets(animation([0.1])), active: always)
        return try #require(sticker.overlay(at: time(1, 1))).scale
    }

    /// A 40×20 picture on a canvas 200 wide.
    @Test func sizes() throws {
        #expect(try scale([:]) == Point(1.25, 1.25))
        #expect(try scale(["width": 0.5]) == Point(2.5, 2.5))
        #expect(try scale(["width": "60px"]) == Point(1.5, 1.5))
        #expect(try scale(["height": 0.05]) == Point(0.5, 0.5))
        #expect(try scale(["width": 0.2, "height": "60px"]) == Point(1, 3))
        #expect(try scale(["width": 0.2, "scale": 2]) == Point(2, 2))
        #expect(try scale(["width": 0.2, "flipHorizontal": true]) == Point(-1, 1))
        #expect(try scale(["width": 0.2, "flipVertical": true]) == Point(1, -1))
        #expect(try scale(["width": [["time": 0, "value": 0.1], ["time": 2, "value": 0.3]]]) == Point(1, 1))
    }

    /// A vector drawing comes back as wide as it was asked for, and still stands at its own size on the canvas.
    @Test func aPictureOfAnotherSizeThanItsNaturalOneIsAsWide() throws {
        let frame = animation([0.1]).frames[0]
        let assets = AskingAssets(ImageAsset(frames: [frame], size: PixelSize(width: 10, height: 10)))
        let overlay = try #require(try sticker(["width": 0.4], assets, active: always).overlay(at: time(1, 1)))
        // 80×80 on the canvas, of 40×20 pixels.
        #expect(overlay.scale == Point(2, 4))
    }

    @Test func asksForThePictureAsLargeAsItGets() throws {
        let growing: JSONValue = [["time": 0, "value": 1], ["time": 9, "value": 3]]
        let assets = AskingAssets(animation([0.1]))
        _ = try sticker(["width": 0.2, "scale": growing], assets, active: always)
        _ = try sticker(["height": "30px"], assets, active: always)
        _ = try sticker(["width": 9], assets, active: always)
        #expect(assets.widths == [120, nil, 60, 800])
    }

    @Test func missingPictureIsNamed() throws {
        let error = #expect(throws: EditorError.self) { try sticker([:], FakeAssets(), active: always) }
        #expect(error?.message.contains("star.png") == true)
    }
}

@Suite struct StickerAnimationTests {
    /// The index of the shown picture is its first pixel's red.
    private func shown(_ sticker: Sticker, _ time: EffectTime) throws -> Int {
        Int(try #require(sticker.overlay(at: time)).picture.pixels[0])
    }

    /// Own delays of 0.1, 0.2 and 0.05 s against a plain walk in whole hundredths.
    @Test(arguments: [25, 30, 60, 24]) func keepsItsOwnDelays(rate: Int64) throws {
        let sticker = try sticker([:], AskingAssets(animation([0.1, 0.2, 0.05])), active: always)
        for frame in 0..<Int64(rate * 4) {
            // Hundredths of a second times the rate, so that whole numbers suffice.
            let inRun = (frame * 100) % (35 * rate)
            let wanted = inRun < 10 * rate ? 0 : inRun < 30 * rate ? 1 : 2
            #expect(try shown(sticker, time(frame, rate)) == wanted)
        }
    }

    /// Delays that no binary fraction holds change on the very frame they fall on, an hour on too.
    @Test(arguments: [Int64(15), 12, 24, 30, 7]) func boundariesDoNotDrift(rate: Int64) throws {
        let delay = 1 / Double(rate)
        let timeline = FrameTimeline(durations: [delay, delay, delay], loop: .forever)
        for frame in Array(0..<100) + Array((3600 * rate)..<(3600 * rate + 100)) {
            #expect(timeline.index(at: MediaTime(value: Int64(frame), timescale: rate)) == Int(frame) % 3)
            #expect(
                timeline.index(at: MediaTime(value: Int64(frame) * 1000 + 999, timescale: rate * 1000)) == Int(frame)
                    % 3)
        }
    }

    @Test func delaysOfTheFormatsAreExact() {
        for (seconds, value, timescale) in [
            (0.07, 7, 100), (7 * 0.01, 7, 100), (0.033, 33, 1000), (1001.0 / 30000, 1001, 30000), (1.0 / 3, 1, 3),
            (65535.0 / 65534, 65535, 65534), (2, 2, 1),
        ] as [(Double, Int64, Int64)] {
            #expect(FrameTimeline.fraction(seconds) == MediaTime(value: value, timescale: timescale))
        }
        #expect(FrameTimeline.fraction(.nan) == .zero)
        #expect(FrameTimeline.fraction(-1) == .zero)
        // No simple fraction: the nearest nanosecond.
        #expect(FrameTimeline.fraction(0.1234567891234) == MediaTime(value: 123_456_789, timescale: 1_000_000_000))
    }

    @Test func loopRules() throws {
        let asset = animation([0.1, 0.1, 0.1])
        for (loop, runs) in [("once", 1), (false, 1), (2, 2), ("forever", 99), (true, 99)] as [(JSONValue, Int64)] {
            let sticker = try sticker(["loop": loop], AskingAssets(asset), active: always)
            for tenth in Int64(0)..<12 {
                let wanted = tenth < runs * 3 ? Int(tenth) % 3 : 2
                #expect(try shown(sticker, time(tenth, 10)) == wanted, "\(loop.text()) at \(tenth)")
            }
        }
    }

    /// Its clock starts where it comes on, less the offset.
    @Test func startsWithItsRange() throws {
        let range = TimeRange(start: MediaTime(seconds: 3), duration: MediaTime(seconds: 5))
        let asset = animation([0.1, 0.1, 0.1])
        let plain = try sticker([:], AskingAssets(asset), active: range)
        let later = try sticker(["startOffset": 0.2], AskingAssets(asset), active: range)
        for tenth in Int64(0)..<9 {
            #expect(try shown(plain, time(30 + tenth, 10, in: range)) == Int(tenth) % 3)
            #expect(try shown(later, time(30 + tenth, 10, in: range)) == Int(tenth + 2) % 3)
        }
    }

    @Test func oddDelaysShowSomething() {
        #expect(FrameTimeline(durations: [0], loop: .forever).index(at: MediaTime(seconds: 5)) == 0)
        #expect(FrameTimeline(durations: [0, 0], loop: .forever).index(at: MediaTime(seconds: 5)) == 0)
        // A picture that stands for no time is never seen.
        let timeline = FrameTimeline(durations: [0.5, 0, 0.5], loop: .forever)
        #expect((0..<4).map { timeline.index(at: MediaTime(value: $0, timescale: 4)) } == [0, 0, 2, 2])
    }
}

@Suite struct StickerParameterTests {
    @Test(
        arguments: [
            (["image": "a.png", "opacity": 2], "/effects/0/opacity", "outside 0 to 1"),
            (["image": "a.png", "opactiy": 0.5], "/effects/0/opactiy", "did you mean \"opacity\"?"),
            (["image": 5], "/effects/0/image", "must be a string"),
            (["image": ""], "/effects/0/image", "is empty"),
            (["opacity": 1], "/effects/0", "image is missing"),
            (["image": "a.png", "center": ["left", 1]], "/effects/0/center/0", "must be a number"),
            (["image": "a.png", "width": -0.1], "/effects/0/width", "outside 0 to 20"),
            (["image": "a.png", "width": "wide"], "/effects/0/width", "is no length"),
            (["image": "a.png", "loop": "onse"], "/effects/0/loop", "did you mean \"once\"?"),
            (["image": "a.png", "loop": 0], "/effects/0/loop", "outside 1 to"),
            (["image": "a.png", "loop": 1.5], "/effects/0/loop", "whole number"),
            (["image": "a.png", "loop": []], "/effects/0/loop", "how many times"),
            (["image": "a.png", "startOffset": -1], "/effects/0/startOffset", "outside 0 to"),
        ] as [(JSONValue, String, String)])
    func mistakesAreNamed(entry: JSONValue, pointer: String, words: String) throws {
        var reading = ParameterReading()
        _ = StickerParameters.read(entry, at: JSONPointer(["effects", "0"]), into: &reading)
        let finding = try #require(reading.findings.first)
        #expect(reading.findings.count == 1)
        #expect(finding.pointer.description == pointer)
        #expect(finding.sentence.contains(words))
    }

    @Test func notesItsPicture() {
        var reading = ParameterReading()
        _ = StickerParameters.read(["image": "a.png"], at: JSONPointer(["effects", "0"]), into: &reading)
        #expect(
            reading.assets == [
                AssetReference(path: "a.png", kind: .image, pointer: JSONPointer(["effects", "0", "image"]))
            ])
    }

    @Test func keepsTheContract() throws {
        var registry = EffectRegistry()
        try registry.register(StickerModule.self)
        #expect(EffectContract.failures(of: registry, neutral: ["sticker": ["image": "a.png", "opacity": 0]]) == [])
    }
}
