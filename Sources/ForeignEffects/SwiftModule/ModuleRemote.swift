internal import EditorCore
internal import Synchronization

/// An effect of a Swift module that works in a worker process. Belongs to one thread.
final class ModuleRemote {
    let memory: SharedPictures
    let size: PixelSize
    /// How the module's video effect wants its pixels.
    let format: PixelFormat
    private let worker: WorkerProcess
    private var answer: [UInt8] = []

    /// - Throws: `ModuleFailure`, or `EditorError` when no worker can be had.
    init(
        _ opening: ModuleOpening, kind: EffectKind, context: EffectContext, place: AssetPlace, limits: WorkerLimits
    ) throws {
        size = context.canvas
        memory = try SharedPictures(sizes: ModuleSlots.sizes(for: kind, canvas: size), isShared: true)
        worker = try WorkerProcess(sharing: memory, limits: limits)
        let request: JSONValue = ["opening": opening.json, "context": context.json(place)]
        try worker.call(.openModule, Array(request.text().utf8), answer: &answer, within: max(30, limits.seconds))
        guard let introduction = try? ConfigurationDocument.parse(utf8: answer, name: opening.path),
            let format = introduction.text("format").flatMap(PixelFormat.init(rawValue:)),
            case .array(let warnings)? = introduction["warnings"]
        else { throw ModuleFailure("sent garbage when it was opened") }
        self.format = format
        for warning in warnings { if let finding = Finding(json: warning) { context.report(finding) } }
    }

    /// Asks once; the reader stands behind the first number of the answer, which is returned.
    func ask(_ request: PayloadWriter) throws -> (Int, PayloadReader) {
        try worker.call(.runModule, request.bytes, answer: &answer)
        var reader = PayloadReader(answer)
        let first = reader.integer()
        guard reader.isWhole else { throw ModuleFailure("sent garbage") }
        return (first, reader)
    }

    func planes(_ format: PixelFormat, slot: Int) -> [PlaneMemory] {
        ModuleSlots.planes(format, size, at: memory.pointer(slot))
    }
}

/// What all effects in workers begin with.
struct ModuleStart {
    var opening: ModuleOpening
    var kind: EffectKind
    var context: EffectContext
    var place: AssetPlace
    var limits: WorkerLimits

    func remote() throws -> ModuleRemote {
        try ModuleRemote(opening, kind: kind, context: context, place: place, limits: limits)
    }
}

final class RemoteVideoEffect: VideoEffect {
    static let id = "module"
    static let summary = "An effect of a module."

    private let remote: ModuleRemote
    private let pool = FramePool()
    private var request = PayloadWriter()

    init(_ parameters: NoParameters, context: EffectContext) throws {
        throw EditorError(.internalBug, "a module's effect needs its module")
    }

    init(_ start: ModuleStart) throws { remote = try start.remote() }

    func process(_ frame: inout VideoFrame, at time: EffectTime) throws {
        if remote.format == .yuva420, frame.format == .yuv420 {
            var picture = pool.frame(.yuva420, frame.size)
            PictureBlit.copy(frame, into: &picture, x: 0, y: 0)
            frame = picture
        }
        let format = remote.format == .rgba ? .rgba : frame.format
        let planes = remote.planes(format, slot: 0)
        if format == .rgba {
            ColorConversion.rgba(from: frame, into: planes[0])
        } else {
            ModuleSlots.copy(frame.planes, to: planes, format, frame.size)
        }
        request.clear()
        request.append(time)
        request.append(ModuleSlots.formats.firstIndex(of: format) ?? 0)
        guard try remote.ask(request).0 == 1 else { return }
        if format == .rgba {
            frame = ColorConversion.yuv420(from: planes[0], size: frame.size, pool: pool)
        } else {
            let result = pool.frame(format, frame.size)
            ModuleSlots.copy(planes, to: result.planes, format, frame.size)
            frame = result
        }
    }
}

final class RemoteTransitionEffect: TransitionEffect {
    static let id = "module"
    static let summary = "A transition of a module."

    private let remote: ModuleRemote
    private let duration: MediaTime
    private let activeRange: TimeRange
    private let pool = FramePool()
    private var request = PayloadWriter()

    init(_ parameters: NoParameters, context: EffectContext) throws {
        throw EditorError(.internalBug, "a module's effect needs its module")
    }

    init(_ start: ModuleStart) throws {
        (duration, activeRange) = (start.context.duration, start.context.activeRange)
        remote = try start.remote()
    }

    func blend(_ from: inout VideoFrame, to: VideoFrame, progress: Double) throws {
        let format = from.format
        for (slot, frame) in [from, to].enumerated() {
            ModuleSlots.copy(frame.planes, to: remote.planes(format, slot: slot), format, from.size)
        }
        request.clear()
        request.append(EffectTime(time: .zero, index: 0, activeRange: activeRange))
        request.append(ModuleSlots.formats.firstIndex(of: format) ?? 0)
        request.append(progress)
        _ = try remote.ask(request)
        let result = pool.frame(format, from.size)
        ModuleSlots.copy(remote.planes(format, slot: 0), to: result.planes, format, from.size)
        from = result
    }
}

final class RemoteOverlayEffect: OverlayEffect {
    static let id = "module"
    static let summary = "An overlay of a module."

    private let remote: ModuleRemote
    private var request = PayloadWriter()
    private var picture: OverlayPicture?

    init(_ parameters: NoParameters, context: EffectContext) throws {
        throw EditorError(.internalBug, "a module's effect needs its module")
    }

    init(_ start: ModuleStart) throws { remote = try start.remote() }

    func overlay(at time: EffectTime) throws -> Overlay? {
        request.clear()
        request.append(time)
        var (kind, reader) = try remote.ask(request)
        guard kind != 0 else { return nil }
        let place = reader.numbers()
        let mode = BlendMode(rawValue: reader.text())
        if kind == 2 {
            let (width, height) = (reader.integer(), reader.integer())
            guard (1...1 << 16).contains(width), (1...1 << 16).contains(height),
                width * height * 4 <= ModuleSlots.overlayLimit
            else { throw ModuleFailure("gave a picture of \(width)×\(height) pixels") }
            let bytes = UnsafeRawBufferPointer(start: remote.memory.pointer(0), count: width * height * 4)
            picture = OverlayPicture(width: width, height: height, pixels: Array(bytes))
        }
        guard let picture, let mode, place.count == 6, reader.isWhole, place.allSatisfy(\.isFinite) else {
            throw ModuleFailure("gave an overlay that stands nowhere")
        }
        return Overlay(
            picture, center: Point(place[0], place[1]), scale: Point(place[2], place[3]), rotation: place[4],
            opacity: min(1, max(0, place[5])), blendMode: mode)
    }
}

final class RemoteAudioEffect: AudioEffect {
    static let id = "module"
    static let summary = "A sound effect of a module."

    private let remote: ModuleRemote
    private var request = PayloadWriter()

    init(_ parameters: NoParameters, context: EffectContext) throws {
        throw EditorError(.internalBug, "a module's effect needs its module")
    }

    init(_ start: ModuleStart) throws { remote = try start.remote() }

    func process(_ buffer: inout AudioBuffer, at time: EffectTime) throws {
        let slots = (0..<2).map { remote.memory.pointer($0).assumingMemoryBound(to: Float.self) }
        var done = 0
        while done < buffer.sampleCount {
            let count = min(LadspaBlock.length, buffer.sampleCount - done)
            for channel in 0..<2 {
                buffer.channels[channel].withUnsafeBufferPointer {
                    slots[channel].update(from: $0.baseAddress! + done, count: count)
                }
            }
            let index = time.index + done
            let offset = MediaTime(value: Int64(done), timescale: Int64(AudioFormat.sampleRate))
            request.clear()
            request.append(EffectTime(time: time.time + offset, index: index, activeRange: time.activeRange))
            request.append(count)
            if try remote.ask(request).0 == 1 {
                for channel in 0..<2 {
                    let result = UnsafeBufferPointer(start: slots[channel], count: count)
                    guard result.allSatisfy(\.isFinite) else {
                        throw ModuleFailure("gave numbers that are none, or infinite,")
                    }
                    buffer.channels[channel].withUnsafeMutableBufferPointer {
                        ($0.baseAddress! + done).update(from: result.baseAddress!, count: count)
                    }
                }
            }
            done += count
        }
    }
}
