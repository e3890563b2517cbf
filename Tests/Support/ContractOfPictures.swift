internal import EditorCore

extension ContractCheck {
    mutating func video(
        _ a: any VideoEffect, _ b: any VideoEffect, size: PixelSize, isNeutral: Bool, place: String
    ) throws {
        let format = type(of: a).pixelFormat
        var results: [VideoFrame] = []
        for (n, index) in Self.frames.enumerated() {
            let time = Self.time(ofFrame: index)
            let input = Self.noise(size, format: format, seed: UInt64(n))
            // `input` and `held` share their memory with `output` until the effect writes.
            let before = (0..<format.planeCount).map { SyntheticFrames.bytes(of: input, plane: $0) }
            let held = input
            var output = input
            try a.process(&output, at: time)
            if (0..<format.planeCount).contains(where: { SyntheticFrames.bytes(of: held, plane: $0) != before[$0] }) {
                fail("\(place), frame \(index): writes to a frame that is still in use elsewhere")
            }
            if output.size != size || output.format != format {
                fail("\(place), frame \(index): gives back a picture of another size or format")
                return
            }
            let mustStay = isNeutral || a.isIdentity(at: time)
            if mustStay, !SyntheticFrames.areEqual(output, input) {
                fail(
                    "\(place), frame \(index): changes the picture \(isNeutral ? "with neutral parameters" : "where it says it does not")"
                )
            }
            results.append(output)
        }
        // The other instance sees the frames in reverse, in memory of another shape; an effect with a memory must see them
        // in order.
        let order = Array(Self.frames.enumerated())
        for (n, index) in descriptor.isOrdered ? order : order.reversed() {
            var guarded = GuardedFrame(Self.noise(size, format: format, seed: UInt64(n)))
            try b.process(&guarded.frame, at: Self.time(ofFrame: index))
            if !guarded.isIntact { fail("\(place), frame \(index): writes outside the picture") }
            if !SyntheticFrames.areEqual(guarded.frame, results[n]) {
                fail("\(place), frame \(index): another instance, order of frames or row length gives another result")
            }
        }
    }

    mutating func transition(
        _ a: any TransitionEffect, _ b: any TransitionEffect, size: PixelSize, place: String
    ) throws {
        let from = Self.noise(size, format: .yuv420, seed: 1)
        let to = Self.noise(size, format: .yuv420, seed: 2)
        let before = [from, to].map { frame in (0..<3).map { SyntheticFrames.bytes(of: frame, plane: $0) } }
        let steps = [0, 0.1, 0.5, 0.77, 1]
        var results: [VideoFrame] = []
        for progress in steps {
            var output = from
            try a.blend(&output, to: to, progress: progress)
            results.append(output)
            if output.size != size || output.format != .yuv420 {
                fail("\(place), progress \(progress): gives back a picture of another size or format")
                return
            }
        }
        let after = [from, to].map { frame in (0..<3).map { SyntheticFrames.bytes(of: frame, plane: $0) } }
        if after != before { fail("\(place): writes to a frame that is still in use elsewhere") }
        if !SyntheticFrames.areEqual(results[0], from) { fail("\(place): does not begin with the outgoing picture") }
        if !SyntheticFrames.areEqual(results[steps.count - 1], to) {
            fail("\(place): does not end with the incoming picture")
        }
        let order = Array(steps.enumerated())
        for (n, progress) in descriptor.isOrdered ? order : order.reversed() {
            var guarded = GuardedFrame(from)
            let other = GuardedFrame(to)
            try b.blend(&guarded.frame, to: other.frame, progress: progress)
            if !guarded.isIntact || !other.isIntact {
                fail("\(place), progress \(progress): writes outside the picture")
            }
            if !SyntheticFrames.areEqual(guarded.frame, results[n]) {
                fail("\(place), progress \(progress): another instance, order or row length gives another result")
            }
        }
    }

    mutating func overlay(_ a: any OverlayEffect, _ b: any OverlayEffect, isNeutral: Bool, place: String) throws {
        var results: [Overlay?] = []
        for index in Self.frames {
            let time = Self.time(ofFrame: index)
            let overlay = try a.overlay(at: time)
            results.append(overlay)
            guard let overlay else { continue }
            if isNeutral || a.isIdentity(at: time) {
                fail(
                    "\(place), frame \(index): shows something \(isNeutral ? "with neutral parameters" : "where it says it does not")"
                )
            }
            let numbers = [
                overlay.center.x, overlay.center.y, overlay.scale.x, overlay.scale.y, overlay.rotation, overlay.opacity,
            ]
            if !numbers.allSatisfy(\.isFinite) { fail("\(place), frame \(index): stands at no finite place") }
            if !(0...1).contains(overlay.opacity) { fail("\(place), frame \(index): has opacity \(overlay.opacity)") }
            if !Self.isPremultiplied(overlay.picture) {
                fail("\(place), frame \(index): has a pixel brighter than its alpha; the picture is not premultiplied")
            }
        }
        let order = Array(Self.frames.enumerated())
        for (n, index) in descriptor.isOrdered ? order : order.reversed() {
            let other = try b.overlay(at: Self.time(ofFrame: index))
            if !Self.areEqual(other, results[n]) {
                fail("\(place), frame \(index): another instance or order of frames gives another result")
            }
        }
    }

    private static func isPremultiplied(_ picture: OverlayPicture) -> Bool {
        stride(from: 0, to: picture.pixels.count, by: 4).allSatisfy { i in
            max(picture.pixels[i], picture.pixels[i + 1], picture.pixels[i + 2]) <= picture.pixels[i + 3]
        }
    }

    private static func areEqual(_ a: Overlay?, _ b: Overlay?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return a.center == b.center && a.scale == b.scale && a.rotation == b.rotation && a.opacity == b.opacity
            && a.blendMode == b.blendMode && a.picture.width == b.picture.width
            && (a.picture === b.picture || a.picture.pixels == b.picture.pixels)
    }

    /// Noise over every byte, legal or not.
    private static func noise(_ size: PixelSize, format: PixelFormat, seed: UInt64) -> VideoFrame {
        var random = SplitMix64(seed &+ 100)
        return SyntheticFrames.frame(size, format: format) { _, _, _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}
