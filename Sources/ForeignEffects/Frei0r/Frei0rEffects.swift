internal import EditorCore

/// What an effect of a frei0r plugin was asked for.
struct Frei0rSettings: Sendable {
    var description: Frei0rDescription
    var options: ForeignOptions
    var values: [DynamicValue]

    var texts: [String] {
        values.compactMap { if case .text(let text) = $0 { text } else { nil } }
    }

    /// The numbers of all parameters but texts at a time.
    func numbers(at seconds: Double, into numbers: inout [Double]) {
        numbers.removeAll(keepingCapacity: true)
        for value in values {
            switch value {
            case .number(let number): numbers.append(number.value(at: seconds))
            case .flag(let flag): numbers.append(flag ? 1 : 0)
            case .color(let color):
                for part in [color.red, color.green, color.blue] { numbers.append(Double(part) / 255) }
            case .point(let point):
                let place = point.value(at: seconds)
                numbers.append(place.x)
                numbers.append(place.y)
            case .text: break
            }
        }
    }
}

/// Pictures of one size on their way to a plugin and back. frei0r wants sizes that are multiples of eight: the last
/// column and row are repeated as far as that takes.
final class Frei0rBench {
    let size: PixelSize
    private let settings: Frei0rSettings
    private let inputs: Int
    private let padded: PixelSize
    private var runner: (any Frei0rRunner)?
    private var numbers: [Double] = []
    private let pool = FramePool()

    /// Plugins that look at neighbouring pixels fail on pictures smaller than their reach.
    private static let smallest = 16

    init(_ settings: Frei0rSettings, size: PixelSize, inputs: Int) {
        (self.settings, self.size, self.inputs) = (settings, size, inputs)
        padded = PixelSize(
            width: max(Self.smallest, (size.width + 7) & ~7), height: max(Self.smallest, (size.height + 7) & ~7))
    }

    private func started() throws -> any Frei0rRunner {
        if let runner { return runner }
        let opening = Frei0rOpening(
            path: settings.description.path, width: padded.width, height: padded.height, inputs: inputs,
            texts: settings.texts, defaults: settings.description.numbers)
        let made: any Frei0rRunner =
            settings.options.isolate
            ? try Frei0rRemoteRunner(opening, limits: settings.options.limits) : try Frei0rLocalRunner(opening)
        runner = made
        return made
    }

    private func memory(_ slot: Int, of runner: any Frei0rRunner) -> PlaneMemory {
        PlaneMemory(
            base: runner.pictures.pointer(slot).assumingMemoryBound(to: UInt8.self), stride: padded.width * 4)
    }

    /// The plugin's picture of some frames of this bench's size.
    /// - Parameter override: puts another value in place of one number.
    func picture(of frames: [VideoFrame], at seconds: Double, override: (index: Int, value: Double)? = nil) throws
        -> VideoFrame
    {
        let output = try run(frames, at: seconds, override: override)
        return ColorConversion.yuv420(from: output, size: size, isBGR: settings.description.isBGR, pool: pool)
    }

    /// The pixels of a source, R, G, B and straight A, row after row.
    func pixels(at seconds: Double) throws -> [UInt8] {
        let output = try run([], at: seconds, override: nil)
        let isBGR = settings.description.isBGR
        return [UInt8](unsafeUninitializedCapacity: size.width * size.height * 4) { bytes, count in
            for y in 0..<size.height {
                let row = output.base + y * output.stride
                for x in 0..<size.width {
                    let (from, to) = (row + 4 * x, (y * size.width + x) * 4)
                    bytes[to] = from[isBGR ? 2 : 0]
                    bytes[to + 1] = from[1]
                    bytes[to + 2] = from[isBGR ? 0 : 2]
                    bytes[to + 3] = from[3]
                }
            }
            count = size.width * size.height * 4
        }
    }

    private func run(_ frames: [VideoFrame], at seconds: Double, override: (index: Int, value: Double)?) throws
        -> PlaneMemory
    {
        let runner = try started()
        for (slot, frame) in frames.enumerated() {
            let target = memory(slot, of: runner)
            ColorConversion.rgba(from: frame, into: target, isBGR: settings.description.isBGR)
            pad(target)
        }
        settings.numbers(at: seconds, into: &numbers)
        if let override { numbers[override.index] = override.value }
        try runner.update(time: seconds, numbers: numbers)
        return memory(inputs, of: runner)
    }

    private func pad(_ plane: PlaneMemory) {
        guard padded != size else { return }
        for y in 0..<size.height {
            (plane.base + y * plane.stride).withMemoryRebound(to: UInt32.self, capacity: padded.width) { row in
                (row + size.width).update(repeating: row[size.width - 1], count: padded.width - size.width)
            }
        }
        let last = plane.base + (size.height - 1) * plane.stride
        for y in size.height..<padded.height { (plane.base + y * plane.stride).update(from: last, count: plane.stride) }
    }
}

/// Effects that descriptors of plugins make have no parameters of the type's own.
struct NoParameters: ParameterSet {
    static let specs: [ParameterSpec<Self>] = []
}

/// A filter: changes the picture.
final class Frei0rFilter: VideoEffect {
    static let id = "frei0r"
    static let summary = "A frei0r filter."

    private let bench: Frei0rBench

    /// Filters are made by the descriptors of their plugins.
    init(_ parameters: NoParameters, context: EffectContext) throws {
        throw EditorError(.internalBug, "a frei0r effect needs a plugin")
    }

    init(_ settings: Frei0rSettings, _ context: EffectContext) {
        bench = Frei0rBench(settings, size: context.canvas, inputs: 1)
    }

    func process(_ frame: inout VideoFrame, at time: EffectTime) throws {
        let picture = try bench.picture(of: [frame], at: time.seconds)
        guard frame.format == .yuva420 else {
            frame = picture
            return
        }
        // A clip's own transparency stays.
        frame.makeWritable()
        for plane in 0..<3 {
            let extent = picture.format.planeSize(plane, of: picture.size)
            let (target, source) = (frame.planes[plane], picture.planes[plane])
            for y in 0..<extent.height {
                (target.base + y * target.stride).update(from: source.base + y * source.stride, count: extent.width)
            }
        }
    }
}

/// A mixer of two pictures as a transition: the outgoing picture moves to what the mixer makes of both, and from there
/// to the incoming one. A mixer that fades by itself is swept from one end to the other.
final class Frei0rMixer: TransitionEffect {
    static let id = "frei0r"
    static let summary = "A frei0r mixer."

    private let bench: Frei0rBench
    private let settings: Frei0rSettings
    private let frameRate: Rational
    private let duration: MediaTime

    init(_ parameters: NoParameters, context: EffectContext) throws {
        throw EditorError(.internalBug, "a frei0r effect needs a plugin")
    }

    init(_ settings: Frei0rSettings, _ context: EffectContext) {
        self.settings = settings
        (frameRate, duration) = (context.frameRate, context.duration)
        bench = Frei0rBench(settings, size: context.canvas, inputs: 2)
    }

    func blend(_ from: inout VideoFrame, to: VideoFrame, progress: Double) throws {
        guard progress > 0 else { return }
        guard progress < 1 else {
            from = to
            return
        }
        let seconds = progress * duration.seconds
        if let fader = settings.description.fader {
            from = try bench.picture(of: [from, to], at: seconds, override: (fader, progress))
            return
        }
        let mixed = try bench.picture(of: [from, to], at: seconds)
        if progress < 0.5 {
            Dissolve.mix(&from, with: mixed, weight: 2 * progress)
        } else {
            var result = mixed
            Dissolve.mix(&result, with: to, weight: 2 * progress - 1)
            from = result
        }
    }
}

/// A source: a picture of its own, laid over the movie.
final class Frei0rSource: OverlayEffect {
    static let id = "frei0r"
    static let summary = "A frei0r source."

    private let bench: Frei0rBench
    private let placement: OverlayPlacement
    private let canvas: PixelSize

    init(_ parameters: NoParameters, context: EffectContext) throws {
        throw EditorError(.internalBug, "a frei0r effect needs a plugin")
    }

    /// - Parameter placement: its scale is the share of the canvas that it covers.
    init(_ settings: Frei0rSettings, placement: OverlayPlacement, _ context: EffectContext) {
        self.placement = placement
        canvas = context.canvas
        bench = Frei0rBench(settings, size: canvas, inputs: 0)
    }

    func overlay(at time: EffectTime) throws -> Overlay? {
        let picture = OverlayPicture(
            width: canvas.width, height: canvas.height, straight: try bench.pixels(at: time.seconds))
        return placement.overlay(of: picture, at: time, canvas: canvas)
    }
}

/// Mixes pictures by weight.
enum Dissolve {
    /// - Parameter weight: 0…1 of `other`.
    static func mix(_ frame: inout VideoFrame, with other: VideoFrame, weight: Double) {
        let share = UInt16((min(1, max(0, weight)) * 256).rounded())
        frame.makeWritable()
        for plane in 0..<3 {
            let extent = frame.format.planeSize(plane, of: frame.size)
            let (target, source) = (frame.planes[plane], other.planes[plane])
            for y in 0..<extent.height {
                let (a, b) = (target.base + y * target.stride, source.base + y * source.stride)
                for x in 0..<extent.width {
                    a[x] = UInt8(
                        truncatingIfNeeded: (UInt16(a[x]) &* (256 &- share) &+ UInt16(b[x]) &* share &+ 128) &>> 8)
                }
            }
        }
    }
}
