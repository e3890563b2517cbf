internal import EditorCore
internal import Synchronization

/// An effect of a Swift module at work in a worker: the worker's end of `ModuleRemote`.
final class ModuleGuest: WorkerGuest {
    private let instance: EffectInstance
    private let size: PixelSize
    private let memory: SharedPictures
    /// The overlay's picture that the editor has already.
    private var sent: OverlayPicture?
    /// What making the effect warned of.
    let warnings: [Finding]

    init(
        _ json: JSONValue, memory file: Int32,
        assets: (String, [AssetReference.Kind: [String: String]]) -> any AssetLoading
    ) throws {
        guard let opening = json["opening"], let context = json["context"] else {
            throw ModuleFailure("was opened with garbage")
        }
        let reports = FindingCollector()
        let module = try ModuleOpening(opening)
        let made = try EffectContext(context, pointer: module.pointer, assets: assets) { reports.add($0) }
        let (prepared, reading) = try module.read()
        guard let prepared, !reading.findings.contains(where: { $0.severity == .error }) else {
            throw ModuleFailure("does not read what it read before")
        }
        instance = try prepared.make(made)
        size = made.canvas
        warnings = reports.findings
        memory = try SharedPictures(sizes: ModuleSlots.sizes(for: instance.kind, canvas: size), mapping: file)
    }

    /// What the editor is told first: how a video effect wants its pixels, and the warnings.
    var introduction: JSONValue {
        var format = PixelFormat.yuv420
        if case .video(let video) = instance { format = type(of: video).pixelFormat }
        return ["format": .string(format.rawValue), "warnings": .array(warnings.map(\.json))]
    }

    func answer(_ message: WorkerMessage, _ request: inout PayloadReader) throws -> [UInt8] {
        guard message == .runModule else { throw ModuleFailure("was asked for what it does not do") }
        let time = try request.effectTime()
        var answer = PayloadWriter()
        switch instance {
        case .video(let video):
            guard !video.isIdentity(at: time) else {
                answer.append(0)
                break
            }
            try change(slot: 0, try format(&request)) { try video.process(&$0, at: time) }
            answer.append(1)
        case .transition(let transition):
            let format = try format(&request)
            let progress = request.number()
            let to = frame(slot: 1, format, isWritable: false)
            try change(slot: 0, format) { try transition.blend(&$0, to: to, progress: progress) }
            answer.append(1)
        case .overlay(let overlay):
            try answerOverlay(overlay.isIdentity(at: time) ? nil : try overlay.overlay(at: time), &answer)
        case .audio(let audio):
            guard !audio.isIdentity(at: time) else {
                answer.append(0)
                break
            }
            try change(count: request.integer()) { try audio.process(&$0, at: time) }
            answer.append(1)
        }
        return answer.bytes
    }

    private func format(_ request: inout PayloadReader) throws -> PixelFormat {
        let number = request.integer()
        guard ModuleSlots.formats.indices.contains(number) else { throw ModuleFailure("was asked with garbage") }
        return ModuleSlots.formats[number]
    }

    private func frame(slot: Int, _ format: PixelFormat, isWritable: Bool) -> VideoFrame {
        let planes = ModuleSlots.planes(format, size, at: memory.pointer(slot))
        return VideoFrame(
            format: format, size: size, storage: FrameStorage(planes: planes, isWritable: isWritable) {})
    }

    private func change(slot: Int, _ format: PixelFormat, _ body: (inout VideoFrame) throws -> Void) throws {
        let planes = ModuleSlots.planes(format, size, at: memory.pointer(slot))
        var frame = frame(slot: slot, format, isWritable: true)
        try body(&frame)
        guard frame.size == size, frame.format == format else {
            throw ModuleFailure(
                "gave back a picture of \(frame.size) pixels in the format \(frame.format.rawValue) in place of \(size) in \(format.rawValue)"
            )
        }
        if frame.planes[0].base != planes[0].base { ModuleSlots.copy(frame.planes, to: planes, format, size) }
    }

    private func answerOverlay(_ overlay: Overlay?, _ answer: inout PayloadWriter) throws {
        guard let overlay else {
            answer.append(0)
            return
        }
        let picture = overlay.picture
        answer.append(picture === sent ? 1 : 2)
        answer.append([
            overlay.center.x, overlay.center.y, overlay.scale.x, overlay.scale.y, overlay.rotation, overlay.opacity,
        ])
        answer.append(overlay.blendMode.rawValue)
        guard picture !== sent else { return }
        guard picture.pixels.count <= ModuleSlots.overlayLimit else {
            throw ModuleFailure("gave a picture of \(picture.width)×\(picture.height) pixels, which is too large")
        }
        answer.append(picture.width)
        answer.append(picture.height)
        picture.pixels.withUnsafeBytes { memory.pointer(0).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        sent = picture
    }

    private func change(count: Int, _ body: (inout AudioBuffer) throws -> Void) throws {
        guard (0...LadspaBlock.length).contains(count) else { throw ModuleFailure("was asked with garbage") }
        let slots = (0..<2).map { memory.pointer($0).assumingMemoryBound(to: Float.self) }
        var buffer = AudioBuffer(channels: slots.map { Array(UnsafeBufferPointer(start: $0, count: count)) })
        try body(&buffer)
        guard buffer.channels.count == 2, buffer.channels.allSatisfy({ $0.count == count }) else {
            throw ModuleFailure("gave back a block of sound of another shape")
        }
        for channel in 0..<2 { slots[channel].update(from: buffer.channels[channel], count: count) }
    }
}

extension EffectInstance {
    var kind: EffectKind {
        switch self {
        case .video: .video
        case .overlay: .overlay
        case .audio: .audio
        case .transition: .transition
        }
    }
}
