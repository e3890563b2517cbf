import BeautyEffects
import EditorCore
import EditorTestSupport
import Testing

/// What smoothing promises, measured on drawn portraits.
@Suite("beauty on portraits")
struct BeautyQualityTests {
    private static let light = Portrait.all[1].portrait

    @Test("skin of every tone is evened out by half and features stay", arguments: Portrait.tones.map(\.name))
    func smoothsSkinOfEveryTone(_ name: String) throws {
        let portrait = try #require(Portrait.all.first { $0.name == name }).portrait
        let result = Bench.treated(portrait.frame, Bench.parameters(smooth: 0.7))
        let (before, after) = (Plane(portrait.frame), Plane(result))
        let skin = portrait.interior(of: .skin, margin: 10)
        try #require(skin.count > 200)
        #expect(after.localVariance(skin) < 0.5 * before.localVariance(skin))
        for part in [Portrait.Part.eye, .lips, .hair, .print] {
            let rim = portrait.rim(of: part)
            try #require(rim.count > 50)
            let share =
                part == .lips && portrait.lipContrast < 35
                ? averagedLips(of: name) : after.gradientEnergy(rim) / before.gradientEnergy(rim)
            #expect(share > 0.95, "\(part): \(share)")
        }
        // Chroma is not smoothing's business.
        #expect(SyntheticFrames.bytes(of: result, plane: 1) == SyntheticFrames.bytes(of: portrait.frame, plane: 1))
        #expect(SyntheticFrames.bytes(of: result, plane: 2) == SyntheticFrames.bytes(of: portrait.frame, plane: 2))
    }

    /// The share of energy that the rims of lips keep where half of it is grain, which goes: grain is averaged away over
    /// several pictures first, before and after.
    private func averagedLips(of name: String) -> Double {
        guard let tone = Portrait.tones.first(where: { $0.name == name }) else { return 0 }
        var (before, after): ([Double], [Double]) = ([], [])
        var last: Portrait?
        for seed in 1...8 {
            let portrait = Portrait(240, 400, skin: tone.color, seed: UInt64(seed))
            let pictures = [portrait.frame, Bench.treated(portrait.frame, Bench.parameters(smooth: 0.7))].map {
                Plane($0)
            }
            before = before.isEmpty ? pictures[0].values : zip(before, pictures[0].values).map { $0 + $1 }
            after = after.isEmpty ? pictures[1].values : zip(after, pictures[1].values).map { $0 + $1 }
            last = portrait
        }
        guard let last else { return 0 }
        var planes = (Plane(last.frame), Plane(last.frame))
        (planes.0.values, planes.1.values) = (before, after)
        let rim = last.rim(of: .lips)
        return planes.1.gradientEnergy(rim) / planes.0.gradientEnergy(rim)
    }

    @Test("a textured surface of skin's colour, hair and the wall are left alone", arguments: [1.0, 0.7])
    func leavesTexture(_ smooth: Double) throws {
        for (name, portrait) in Portrait.all {
            let result = Bench.treated(portrait.frame, Bench.parameters(smooth: smooth))
            for part in [Portrait.Part.panel, .hair, .wall, .print] {
                let pixels = portrait.interior(of: part, margin: 7)
                try #require(pixels.count > 40)
                #expect(
                    Plane(portrait.frame).meanChange(Plane(result), pixels) < 1, "\(part) of a \(name) portrait")
            }
        }
    }

    @Test(
        "sand, plaster and wood of skin's colour are left alone",
        arguments: [PixelSize(width: 240, height: 400), PixelSize(width: 640, height: 720)])
    func leavesSurfaces(_ size: PixelSize) {
        let unit = Double(min(size.width, size.height)) / 240
        for tone in ["light", "olive"] {
            let color = Portrait.tones.first { $0.name == tone }!.color
            // How far spots reach across and down, in pixels. Photographs of brick deviate by 25 levels of luma, those of
            // gravel and grass by 36.
            for (name, across, down) in [
                ("sand", 0, 0), ("plaster", Int(unit), Int(unit)), ("wood", Int(unit / 2), Int(20 * unit)),
            ] {
                let surface = Portrait.surface(size, color, deviation: 30, across: across, down: down)
                let result = Bench.treated(surface, Bench.parameters(smooth: 0.7))
                let all = (0..<size.width * size.height).map { (x: $0 % size.width, y: $0 / size.width) }
                let change = Plane(surface).meanChange(Plane(result), all)
                #expect(change < 1, "\(name) of \(tone) skin's colour: \(change)")
            }
        }
    }

    @Test("more strength evens out more")
    func strengthGrows() {
        let skin = Self.light.interior(of: .skin, margin: 10)
        let variances = [0, 0.2, 0.4, 0.6, 0.8, 1].map {
            Plane(Bench.treated(Self.light.frame, Bench.parameters(smooth: $0))).localVariance(skin)
        }
        for (weak, strong) in zip(variances, variances.dropFirst()) { #expect(strong < 0.97 * weak) }
        // Some of the pores stay.
        #expect(variances.last! > 0.02 * variances[0])
    }

    @Test("grain does not move the mask")
    func isSteady() {
        func lift(_ seed: UInt64) -> [Double] {
            let portrait = Portrait(240, 400, skin: Portrait.tones[1].color, grain: 3, seed: seed)
            let result = Bench.treated(portrait.frame, Bench.parameters(whiten: 1))
            // Means over 16 × 16 pixels, in which grain cancels and what the mask does is left.
            let (before, after) = (Plane(portrait.frame), Plane(result))
            return stride(from: 0, to: 400, by: 16).flatMap { y in
                stride(from: 0, to: 240, by: 16).map { x in
                    let block = (0..<256).map { (x: x + $0 % 16, y: y + $0 / 16) }
                    return after.mean(block) - before.mean(block)
                }
            }
        }
        let (one, other) = (lift(1), lift(2))
        let full = one.max()!
        #expect(full > 15)
        let change = zip(one, other).reduce(0) { $0 + abs($1.0 - $1.1) } / Double(one.count)
        #expect(change < 0.01 * full)
    }

    @Test("whitening lifts skin, most where it is neither dark nor light, and clips nothing")
    func whitens() throws {
        for (name, portrait) in Portrait.all {
            let result = Bench.treated(portrait.frame, Bench.parameters(whiten: 0.8))
            let (before, after) = (Plane(portrait.frame), Plane(result))
            let skin = portrait.interior(of: .skin, margin: 10)
            #expect(after.mean(skin) - before.mean(skin) >= 3, "\(name)")
            let wall = portrait.interior(of: .wall, margin: 12)
            #expect(before.meanChange(after, wall) < 0.05)
            #expect(after.values.max()! <= max(235, before.values.max()!))
        }
        // The curve itself: 4 · 0.12 · x (1 - x) of the range, on flat colours, and rising throughout.
        var last = -1.0
        for y in stride(from: UInt8(16), through: 235, by: 3) {
            let flat = SyntheticFrames.plain(PixelSize(width: 8, height: 8), y: y)
            let result = Plane(Bench.treated(flat, Bench.parameters(whiten: 1, skinOnly: false)))
            let x = Double(y - 16) / 219
            #expect(abs(result[3, 3] - (Double(y) + 219 * 0.48 * x * (1 - x))) < 0.6)
            #expect(result[3, 3] >= last)
            last = result[3, 3]
        }
    }

    @Test("reddening raises Cr of skin and of nothing else")
    func reddens() {
        for (name, portrait) in Portrait.all {
            let result = Bench.treated(portrait.frame, Bench.parameters(ruddy: 0.8))
            let (before, after) = (Plane(portrait.frame, 2), Plane(result, 2))
            func half(_ part: Portrait.Part, _ margin: Int) -> [(x: Int, y: Int)] {
                portrait.interior(of: part, margin: margin).map { ($0.x / 2, $0.y / 2) }
            }
            let gain = after.mean(half(.skin, 10)) - before.mean(half(.skin, 10))
            #expect(gain > 1 && gain < 8, "\(name)")
            #expect(before.meanChange(after, half(.wall, 12)) < 0.05)
            #expect(SyntheticFrames.bytes(of: result, plane: 0) == SyntheticFrames.bytes(of: portrait.frame, plane: 0))
        }
    }

    @Test("sharpening brings out edges, spares even skin and makes no halos")
    func sharpens() {
        let result = Bench.treated(Self.light.frame, Bench.parameters(sharpen: 1))
        let (before, after) = (Plane(Self.light.frame), Plane(result))
        let hair = Self.light.interior(of: .hair, margin: 6)
        #expect(after.gradientEnergy(hair) > 1.2 * before.gradientEnergy(hair))
        let skin = Self.light.interior(of: .skin, margin: 10)
        #expect(after.localVariance(skin) < 1.2 * before.localVariance(skin))
        // Cut off at 16 levels times 1.5.
        #expect(zip(before.values, after.values).allSatisfy { abs($0 - $1) <= 24.5 })
    }

    @Test("an unsharp mask by its definition")
    func sharpensByDefinition() {
        let size = PixelSize(width: 75, height: 41)
        let frame = SyntheticFrames.noise(size, seed: 5)
        // Blue all over: no skin, full strength.
        let blue = SyntheticFrames.frame(size) { plane, x, y in
            plane == 0 ? frame.withPlane(0) { $0[y * $1.stride + x] / 2 + 60 } : plane == 1 ? 170 : 110
        }
        let result = Plane(Bench.treated(blue, Bench.parameters(sharpen: 0.6)))
        let source = Plane(blue)
        func at(_ x: Int, _ y: Int) -> Double { source[max(0, min(74, x)), max(0, min(40, y))] }
        var worst = 0.0
        for y in 0..<41 {
            for x in 0..<75 {
                var mean = 0.0
                for (dy, v) in [(-1, 1.0), (0, 2.0), (1, 1.0)] {
                    for (dx, u) in [(-1, 1.0), (0, 2.0), (1, 1.0)] { mean += at(x + dx, y + dy) * u * v / 16 }
                }
                let difference = at(x, y) - mean
                let beyond = max(0, abs(difference) - 1.5)
                let wanted = at(x, y) + (difference < 0 ? -1 : 1) * 0.6 * 1.5 * min(16, beyond)
                worst = max(worst, abs(result[x, y] - max(0, min(255, wanted))))
            }
        }
        #expect(worst < 0.6)
    }

    @Test("without skinOnly everything is evened out and edges stay")
    func treatsEverything() {
        var random = SplitMix64(3)
        let frame = SyntheticFrames.frame(PixelSize(width: 160, height: 160)) { plane, x, _ in
            let base = x < 80 ? 170 : x < 120 ? 40 : 130
            if plane == 0 { return UInt8(max(16, min(235, Double(base) + 5 * Portrait.gauss(&random)))) }
            return plane == 1 ? (x < 40 ? 110 : 190) : (x < 40 ? 150 : 110)
        }
        let result = Plane(Bench.treated(frame, Bench.parameters(smooth: 1, skinOnly: false)))
        let before = Plane(frame)
        func box(_ xs: Range<Int>) -> [(x: Int, y: Int)] { (10..<150).flatMap { y in xs.map { (x: $0, y: y) } } }
        for part in [box(8..<70), box(86..<114), box(126..<150)] {
            #expect(result.localVariance(part) < 0.5 * before.localVariance(part))
        }
        for edge in [box(79..<80), box(119..<120)] {
            #expect(result.gradientEnergy(edge) > 0.95 * before.gradientEnergy(edge))
        }
    }

    @Test("no seams: on a flat picture with skin's colour borders are like the middle")
    func noSeams() {
        for size in [PixelSize(width: 121, height: 67), PixelSize(width: 640, height: 603)] {
            let flat = SyntheticFrames.plain(size, y: 150, u: 110, v: 148)
            let result = Bench.treated(flat, Bench.parameters(smooth: 1, whiten: 1, ruddy: 1, sharpen: 1))
            for plane in 0..<3 {
                let bytes = SyntheticFrames.bytes(of: result, plane: plane)
                #expect(bytes.allSatisfy { $0 == bytes[0] })
                #expect((bytes[0] > [150, 110, 148][plane]))
            }
        }
    }

    @Test("on a small picture eyes and mouth survive")
    func smallFace() throws {
        let portrait = Portrait(144, 176, skin: Portrait.tones[3].color, grain: 2)
        let result = Bench.treated(portrait.frame, Bench.parameters(smooth: 1))
        for part in [Portrait.Part.eye, .lips] {
            let rim = portrait.rim(of: part)
            try #require(rim.count > 30)
            #expect(Plane(result).gradientEnergy(rim) > 0.9 * Plane(portrait.frame).gradientEnergy(rim))
        }
    }
}
