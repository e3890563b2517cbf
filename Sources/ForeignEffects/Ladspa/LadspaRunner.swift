internal import EditorCore
internal import Glibc

/// How a plugin's channels meet the movie's two.
enum LadspaWiring: Int, Sendable {
    /// An instance for each channel.
    case twice
    /// One instance. A single input gets the middle of both channels, a single output goes to both.
    case once
    /// Without inputs: what it makes is added to the sound.
    case added
}

/// Runs one LADSPA effect over blocks in slots: left and right in, left and right out. Belongs to one thread.
protocol LadspaRunner: AnyObject {
    var blocks: SharedPictures { get }
    func run(_ count: Int, controls: [Double]) throws
}

enum LadspaBlock {
    /// Samples in a slot.
    static let length = 4096
    static let slotSizes = Array(repeating: length * MemoryLayout<Float>.size, count: 4)
}

/// The plugin in this process.
final class LadspaLocalRunner: LadspaRunner {
    let blocks: SharedPictures
    private let wiring: LadspaWiring
    private let library: LadspaLibrary
    private let instances: [LadspaInstance]
    private let inputs: Int
    private let outputs: Int

    /// - Parameter memory: the worker's shared memory; nil makes memory of its own.
    init(path: String, index: Int, wiring: LadspaWiring, memory: Int32? = nil) throws {
        library = try LadspaLibrary(path: path)
        guard let plugin = library.plugins.first(where: { $0.index == index }) else {
            throw ModuleFailure("is no longer in \(path)")
        }
        self.wiring = wiring
        inputs = plugin.ports.filter { $0.kind == .audioIn }.count
        outputs = plugin.ports.filter { $0.kind == .audioOut }.count
        instances = try (0..<(wiring == .twice ? 2 : 1)).map { [library] _ in try library.instantiate(plugin) }
        blocks =
            if let memory {
                try SharedPictures(sizes: LadspaBlock.slotSizes, mapping: memory)
            } else {
                try SharedPictures(sizes: LadspaBlock.slotSizes, isShared: false)
            }
    }

    private func slot(_ index: Int) -> UnsafeMutablePointer<Float> {
        blocks.pointer(index).assumingMemoryBound(to: Float.self)
    }

    // It must not throw: where a throwing function ends in a call of memcpy, Swift 6.3.1 jumps there without putting the
    // error's register back, and the caller finds an error that nobody threw.
    func run(_ count: Int, controls: [Double]) {
        if wiring == .twice {
            for channel in 0..<2 {
                instances[channel].run(count, controls: controls, inputs: [slot(channel)], outputs: [slot(2 + channel)])
            }
            return
        }
        if inputs == 1 {
            let (left, right) = (slot(0), slot(1))
            for i in 0..<count { left[i] = (left[i] + right[i]) * 0.5 }
        }
        instances[0].run(
            count, controls: controls, inputs: (0..<inputs).map { slot($0) },
            outputs: (0..<outputs).map { slot(2 + $0) })
        if outputs == 1 { memcpy(slot(3), slot(2), count * MemoryLayout<Float>.size) }
    }
}

/// The plugin in a worker process.
final class LadspaRemoteRunner: LadspaRunner {
    let blocks: SharedPictures
    private let worker: WorkerProcess
    private var request = PayloadWriter()
    private var answer: [UInt8] = []

    init(path: String, index: Int, wiring: LadspaWiring, limits: WorkerLimits) throws {
        blocks = try SharedPictures(sizes: LadspaBlock.slotSizes, isShared: true)
        worker = try WorkerProcess(sharing: blocks, limits: limits)
        request.append(path)
        request.append(index)
        request.append(wiring.rawValue)
        try worker.call(.openLadspa, request.bytes, answer: &answer, within: max(30, limits.seconds))
    }

    func run(_ count: Int, controls: [Double]) throws {
        request.clear()
        request.append(count)
        request.append(controls)
        try worker.call(.runLadspa, request.bytes, answer: &answer)
    }
}

/// The worker's end of `LadspaRemoteRunner`.
final class LadspaGuest: WorkerGuest {
    private let runner: LadspaLocalRunner

    init(_ reader: inout PayloadReader, memory: Int32) throws {
        let (path, index) = (reader.text(), reader.integer())
        guard let wiring = LadspaWiring(rawValue: reader.integer()), reader.isWhole else {
            throw ModuleFailure("was opened with garbage")
        }
        runner = try LadspaLocalRunner(path: path, index: index, wiring: wiring, memory: memory)
    }

    func answer(_ message: WorkerMessage, _ request: inout PayloadReader) throws -> [UInt8] {
        let count = request.integer()
        guard message == .runLadspa, (0...LadspaBlock.length).contains(count) else {
            throw ModuleFailure("was asked for what it does not do")
        }
        runner.run(count, controls: request.numbers())
        return []
    }
}

/// A LADSPA plugin as an effect on sound.
final class LadspaEffect: AudioEffect {
    static let id = "ladspa"
    static let summary = "A LADSPA plugin."

    private let description: LadspaDescription
    private let wiring: LadspaWiring
    private let options: ForeignOptions
    private let values: [DynamicValue]
    /// Whether its controls move.
    private let isMoving: Bool
    private var runner: (any LadspaRunner)?
    private var controls: [Double] = []

    /// Samples for which a moving control stands still, counted from the start of the sound.
    private static let step = 256

    init(_ parameters: NoParameters, context: EffectContext) throws {
        throw EditorError(.internalBug, "a LADSPA effect needs a plugin")
    }

    init(_ description: LadspaDescription, wiring: LadspaWiring, options: ForeignOptions, values: [DynamicValue]) {
        (self.description, self.wiring, self.options, self.values) = (description, wiring, options, values)
        isMoving = values.contains { if case .number(let number) = $0 { !number.isConstant } else { false } }
    }

    private func started() throws -> any LadspaRunner {
        if let runner { return runner }
        let made: any LadspaRunner =
            options.isolate
            ? try LadspaRemoteRunner(
                path: description.path, index: description.index, wiring: wiring, limits: options.limits)
            : try LadspaLocalRunner(path: description.path, index: description.index, wiring: wiring)
        runner = made
        return made
    }

    func process(_ buffer: inout AudioBuffer, at time: EffectTime) throws {
        let runner = try started()
        var done = 0
        while done < buffer.sampleCount {
            let index = time.index + done
            let room = isMoving ? Self.step - index % Self.step : LadspaBlock.length
            let count = min(LadspaBlock.length, room, buffer.sampleCount - done)
            setControls(at: Double(index) / Double(AudioFormat.sampleRate))
            for channel in 0..<2 {
                buffer.channels[channel].withUnsafeBufferPointer {
                    slot(channel, of: runner).update(from: $0.baseAddress! + done, count: count)
                }
            }
            try runner.run(count, controls: controls)
            for channel in 0..<2 { try take(&buffer.channels[channel], at: done, count, slot(2 + channel, of: runner)) }
            done += count
        }
    }

    private func take(_ samples: inout [Float], at start: Int, _ count: Int, _ output: UnsafeMutablePointer<Float>)
        throws
    {
        var isFinite = true
        samples.withUnsafeMutableBufferPointer { samples in
            for i in 0..<count {
                let value = output[i]
                isFinite = isFinite && value.isFinite
                samples[start + i] = wiring == .added ? samples[start + i] + value : value
            }
        }
        guard isFinite else { throw ModuleFailure("gave numbers that are none, or infinite,") }
    }

    private func slot(_ index: Int, of runner: any LadspaRunner) -> UnsafeMutablePointer<Float> {
        runner.blocks.pointer(index).assumingMemoryBound(to: Float.self)
    }

    private func setControls(at seconds: Double) {
        controls.removeAll(keepingCapacity: true)
        for value in values {
            switch value {
            case .number(let number): controls.append(number.value(at: seconds))
            case .flag(let flag): controls.append(flag ? 1 : 0)
            default: break
            }
        }
    }
}
