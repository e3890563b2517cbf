import EditorTestSupport
import Testing

@testable import EditorCore

@Suite struct CompositorTests {
    typealias Mark = FakeMediaLibrary.Mark

    static let stage = Stage([
        "a": .init(number: 1, frameCount: 60), "b": .init(number: 2, frameCount: 24, rate: Rational(24)),
        "ntsc": .init(number: 3, frameCount: 45, rate: Rational(30000, 1001)),
        "photo": .init(number: 4, frameCount: 1, isStill: true),
        "wide": .init(number: 5, frameCount: 30, size: PixelSize(width: 64, height: 32)),
    ])

    /// A movie with a bit of everything that moves pictures in time.
    static let busy: JSONValue = [
        "assetArray": [
            [
                "path": "a", "timeRange": ["start": 0.4, "duration": 1],
                "transition": ["type": "mix", "duration": 0.3],
            ],
            ["path": "b", "reverse": true],
            ["path": "ntsc", "speed": 1.5, "effects": [["type": "lift", "amount": 3]]],
            ["path": "photo", "duration": 0.5, "transition": ["type": "mix", "duration": 0.2, "easing": "easeIn"]],
            ["path": "wide", "videoGravity": "resizeAspectBlur"],
            ["path": "a", "overlay": true, "center": [0.25, 0.25], "width": 0.5, "duration": 0.4],
        ],
        "effects": [
            ["type": "lift", "amount": -4, "timeRange": ["start": 1, "duration": 0.7]],
            ["type": "dot", "amount": 6, "timeRange": ["start": 0.5, "duration": 1]],
        ],
        "selectTimeRange": ["start": 0.3, "duration": 3],
    ]

    @Test func anyOrderGivesTheSamePictures() throws {
        let plan = try Self.stage.plan(Self.busy)
        let forward = Compositor(plan, library: Self.stage.library)
        let frames = try (0..<plan.frameCount).map { try forward.frame($0) }
        var random = SplitMix64(2)
        let jumping = Compositor(plan, library: Self.stage.library)
        for number in (0..<plan.frameCount).shuffled(using: &random) {
            #expect(SyntheticFrames.areEqual(try jumping.frame(number), frames[number]), "frame \(number)")
        }
    }

    /// A source's picture that is shown once is drawn on where it lies; one that is shown again stays as it is.
    @Test(arguments: [(30, true), (60, false)])
    func picturesAreNotCopiedForNothing(rate: Int, isInPlace: Bool) throws {
        // Its own, for other tests draw pictures at the same time.
        let stage = Stage(["a": .init(number: 1, frameCount: 60)])
        let plan = try stage.plan([
            "assetArray": [["path": "a"]], "frameRate": .number(Double(rate)),
            "effects": [["type": "lift", "amount": 5], ["type": "dot", "amount": 6]],
        ])
        let library = stage.library
        let compositor = Compositor(plan, library: library)
        for number in 0..<6 {
            let frame = try compositor.frame(number)
            let address = UInt(bitPattern: frame.planes[0].base)
            // At twice the rate every second frame is the last one of its picture.
            #expect((address == library.lastPictureAddress) == (isInPlace || number % 2 == 1), "frame \(number)")
            let luma = FakeMediaLibrary.mark(of: frame, x: 2, y: 2).frame
            #expect(luma == number * 30 / rate + 5)
        }
    }

    /// Frame n shows, at n / rate, the source picture whose interval holds that instant.
    @Test(
        arguments: [
            (["path": "a"], 1, 30, 1), (["path": "b"], 2, 24, 1), (["path": "b", "speed": 2.5], 2, 24, 2.5),
            (["path": "a", "speed": 0.5], 1, 30, 0.5),
        ] as [(JSONValue, Int, Int64, Double)])
    func picturesAreThoseOfTheirInstant(clip: JSONValue, source: Int, rate: Int64, speed: Double) throws {
        let plan = try Self.stage.plan(["assetArray": [clip], "frameRate": 60])
        let compositor = Compositor(plan, library: Self.stage.library)
        let last = source == 1 ? 59 : 23
        for number in 0..<plan.frameCount {
            // In whole numbers: n / 60 · speed · rate, speed in halves.
            let expected = Int(Int64(number) * Int64(speed * 2) * rate / 120)
            #expect(
                FakeMediaLibrary.mark(of: try compositor.frame(number))
                    == Mark(source: source, frame: min(expected, last)), "frame \(number)")
        }
    }

    @Test func clipsAreCutAtTheirInstants() throws {
        let plan = try Self.stage.plan([
            "assetArray": [
                ["path": "a", "timeRange": ["start": 1, "end": 1.5]], "b", ["path": "a", "duration": 0.1],
            ],
            "selectTimeRange": ["start": 0.4, "duration": 1.2],
        ])
        let compositor = Compositor(plan, library: Self.stage.library)
        let marks = try (0..<36).map { FakeMediaLibrary.mark(of: try compositor.frame($0)) }
        #expect(
            marks[0...2].map { $0 } == [
                Mark(source: 1, frame: 42), Mark(source: 1, frame: 43), Mark(source: 1, frame: 44),
            ])
        #expect(marks[3] == Mark(source: 2, frame: 0))
        #expect(marks[32] == Mark(source: 2, frame: 23))
        #expect(
            marks[33...].map { $0 } == [
                Mark(source: 1, frame: 0), Mark(source: 1, frame: 1), Mark(source: 1, frame: 2),
            ])
    }

    @Test func reversedClipsShowTheSamePicturesBackwards() throws {
        let forward = try Self.stage.plan(["assetArray": [["path": "a", "timeRange": ["start": 0.5, "duration": 1]]]])
        let backward = try Self.stage.plan([
            "assetArray": [["path": "a", "timeRange": ["start": 0.5, "duration": 1], "reverse": true]]
        ])
        func marks(_ plan: RenderPlan) throws -> [Mark] {
            let compositor = Compositor(plan, library: Self.stage.library)
            return try (0..<plan.frameCount).map { FakeMediaLibrary.mark(of: try compositor.frame($0)) }
        }
        #expect(try marks(backward) == marks(forward).reversed())
    }

    @Test func theLastPictureIsHeld() throws {
        let plan = try Self.stage.plan(["assetArray": [["path": "b", "hold": 0.5], ["path": "a", "duration": 0.2]]])
        let compositor = Compositor(plan, library: Self.stage.library)
        for number in 30..<45 {
            #expect(FakeMediaLibrary.mark(of: try compositor.frame(number)) == Mark(source: 2, frame: 23))
        }
        #expect(FakeMediaLibrary.mark(of: try compositor.frame(45)).source == 1)
    }

    @Test func transitionsMixByTheirProgress() throws {
        let plan = try Self.stage.plan([
            "assetArray": [
                ["path": "photo", "duration": 1, "transition": ["type": "mix", "duration": 0.5]], ["path": "b"],
            ]
        ])
        let compositor = Compositor(plan, library: Self.stage.library)
        for step in 0..<15 {
            let time = 0.5 + Double(step) / 30
            let incoming = Double(20 + step * 24 / 30)
            let expected = 20 + (incoming - 20) * (time - 0.5) / 0.5
            let frame = try compositor.frame(15 + step)
            let luma = SyntheticFrames.bytes(of: frame, plane: 0)[500]
            #expect(abs(Double(luma) - expected) <= 0.51, "step \(step)")
        }
    }

    /// Effects work from the first to the last, each in its own time; what is outside of the picture is background.
    @Test func effectsAreAppliedInOrder() throws {
        let plan = try Self.stage.plan([
            "assetArray": [["path": "wide", "videoGravity": "resizeAspect"]], "backgroundColor": "ffffff",
            "effects": [
                ["type": "lift", "amount": 50, "timeRange": ["start": 0, "duration": 0.5]],
                ["type": "dot", "amount": 4], ["type": "lift", "amount": -10],
            ],
        ])
        let compositor = Compositor(plan, library: Self.stage.library)
        for (number, lift) in [(14, 40), (15, -10)] {
            let luma = SyntheticFrames.bytes(of: try compositor.frame(number), plane: 0)
            #expect(luma[16 * 32 + 16] == 225, "the white square, 235, under −10")
            #expect(Int(luma[16 * 32 + 4]) == 20 + number + lift)
            #expect(Int(luma[2 * 32 + 4]) == min(255, 235 + max(0, lift + 10)) - 10, "background above the picture")
        }
    }

    @Test func overlayClipsLieWhereTheyStand() throws {
        let plan = try Self.stage.plan([
            "assetArray": [
                "b", ["path": "a", "overlay": true, "center": [0.75, 0.25], "width": 0.25, "duration": 0.5],
            ]
        ])
        let compositor = Compositor(plan, library: Self.stage.library)
        let frame = try compositor.frame(3)
        #expect(FakeMediaLibrary.mark(of: frame, x: 24, y: 8) == Mark(source: 1, frame: 3))
        #expect(FakeMediaLibrary.mark(of: frame, x: 18, y: 8).source == 2)
        #expect(FakeMediaLibrary.mark(of: frame, x: 24, y: 14).source == 2)
        #expect(FakeMediaLibrary.mark(of: try compositor.frame(15), x: 24, y: 8).source == 2)
    }

    /// Overlays are placed on the composed timeline, in any number; the last picture of a short one is held.
    @Test func overlayClipsShowInTheirTime() throws {
        let plan = try Self.stage.plan([
            "assetArray": [
                ["path": "a", "timeRange": ["start": 0.5, "duration": 1.5]],
                [
                    "path": "b", "overlay": true, "center": [0.25, 0.25], "width": 0.25,
                    "timeRange": ["start": 0.2, "end": 1.4],
                ],
                [
                    "path": "ntsc", "overlay": true, "center": [0.75, 0.75], "width": 0.25,
                    "timeRange": ["start": 1, "duration": 9], "sourceRange": ["start": 0.5, "duration": 0.1],
                ],
                ["path": "photo", "overlay": true, "center": [0.75, 0.25], "width": 0.25, "timeRange": ["end": 0.5]],
            ],
            "selectTimeRange": ["start": 0.1, "duration": 1.4],
        ])
        let compositor = Compositor(plan, library: Self.stage.library)
        for number in 0..<plan.frameCount {
            let frame = try compositor.frame(number)
            // Tenths of a second are three frames.
            let onTimeline = number + 3
            #expect(FakeMediaLibrary.mark(of: frame, x: 15, y: 15).source == 1)
            let first = FakeMediaLibrary.mark(of: frame, x: 8, y: 8)
            // 24 pictures a second from 0.2 s on, then the last.
            let expected = min((onTimeline - 6) * 24 / 30, 23)
            #expect(first == ((6..<42).contains(onTimeline) ? Mark(source: 2, frame: expected) : first), "\(number)")
            #expect((first.source == 2) == (6..<42).contains(onTimeline), "\(number)")
            let second = FakeMediaLibrary.mark(of: frame, x: 24, y: 24)
            #expect((second.source == 3) == (onTimeline >= 30), "\(number)")
            // Picture 14 shows at 0.467 to 0.5005 s; 0.6 s is in picture 17.
            if onTimeline >= 33 { #expect(second == Mark(source: 3, frame: 17), "\(number)") }
            #expect((FakeMediaLibrary.mark(of: frame, x: 24, y: 8).source == 4) == (onTimeline < 15), "\(number)")
        }
    }

    /// A keyframed overlay moves and grows by fractions of pixels: what it covers in all, and where its middle is.
    @Test func overlayClipsMoveByFractionsOfPixels() throws {
        let plan = try Self.stage.plan([
            "assetArray": [
                ["path": "a", "timeRange": ["start": 1.9, "duration": 0.05], "duration": 2],
                [
                    "path": "photo", "overlay": true, "timeRange": ["start": 0.5, "duration": 1],
                    "center": [["time": 0, "value": [0.25, 0.5]], ["time": 1, "value": [0.75, 0.375]]],
                    "width": [["time": 0, "value": 0.25], ["time": 1, "value": 0.5]],
                ],
            ]
        ])
        let compositor = Compositor(plan, library: Self.stage.library)
        for step in 0..<30 {
            let luma = SyntheticFrames.bytes(of: try compositor.frame(15 + step), plane: 0).map { Double($0) }
            let ground = luma[0]
            // The photo is black as code 20.
            let covers = luma.map { (ground - $0) / (ground - 20) }
            let (part, sum) = (Double(step) / 30, covers.reduce(0, +))
            let side = 32 * (0.25 + 0.25 * part)
            func middle(_ place: (Int) -> Int) -> Double {
                covers.indices.reduce(0.0) { $0 + covers[$1] * (Double(place($1)) + 0.5) } / sum
            }
            #expect(abs(sum.squareRoot() - side) < 0.1, "step \(step): \(sum)")
            #expect(abs(middle { $0 % 32 } - 32 * (0.25 + 0.5 * part)) < 0.1, "step \(step)")
            #expect(abs(middle { $0 / 32 } - 32 * (0.5 - 0.125 * part)) < 0.1, "step \(step)")
        }
    }

    @Test func overlaysNeedAClipUnderThem() throws {
        let overlay: JSONValue = ["path": "photo", "overlay": true]
        let error = #expect(throws: EditorError.self) { try Self.stage.plan(["assetArray": [overlay]]) }
        #expect(error?.findings.map(\.code) == ["clip.onlyOverlays"])
        let late = try Self.stage.plan([
            "assetArray": ["b", ["path": "photo", "overlay": true, "timeRange": ["start": 5, "duration": 1]]]
        ])
        #expect(late.findings.map(\.code) == ["clip.neverOn"])
        let misplaced = #expect(throws: EditorError.self) {
            try Self.stage.plan(["assetArray": [["path": "b", "sourceRange": ["start": 0, "duration": 0.5]]]])
        }
        #expect(misplaced?.findings.map(\.code) == ["clip.range"])
    }

    /// Clips that are over are closed: going forward keeps few sources open.
    @Test func everyClipIsOpenedOnce() throws {
        let stage = Stage(["a": .init(number: 1, frameCount: 6)])
        let plan = try stage.plan(["assetArray": .array(Array(repeating: "a", count: 20))])
        let compositor = Compositor(plan, library: stage.library)
        for number in 0..<plan.frameCount { _ = try compositor.frame(number) }
        #expect(stage.library.openedCount == 20)
    }

    /// A frame a line: its number, its size, and a checksum of its planes.
    @Test func theBusyMovieIsAsItWas() throws {
        let plan = try Self.stage.plan(Self.busy)
        let compositor = Compositor(plan, library: Self.stage.library)
        let lines = try (0..<plan.frameCount).map { number in
            let frame = try compositor.frame(number)
            let sums = (0..<3).map { plane in
                // Adler-32, RFC 1950.
                SyntheticFrames.bytes(of: frame, plane: plane).reduce((a: 1, b: 0)) { sum, byte in
                    let a = (sum.a + Int(byte)) % 65521
                    return (a, (sum.b + a) % 65521)
                }
            }
            return "\(number) \(frame.size) " + sums.map { String($0.b << 16 | $0.a, radix: 16) }.joined(separator: " ")
        }
        #expect(try TextReference("busy-movie.txt").difference(to: lines.joined(separator: "\n") + "\n") == nil)
    }
}
