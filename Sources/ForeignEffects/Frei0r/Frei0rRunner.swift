internal import CForeign
internal import EditorCore
internal import Glibc
internal import Synchronization

/// Runs one frei0r effect over pictures in slots: the inputs first, the result last. Belongs to one thread.
protocol Frei0rRunner: AnyObject {
    var pictures: SharedPictures { get }
    /// Works on what lies in the inputs' slots.
    func update(time: Double, numbers: [Double]) throws
}

/// How an effect is opened.
struct Frei0rOpening {
    var path: String
    /// Multiples of eight.
    var width: Int
    var height: Int
    var inputs: Int
    var texts: [String]
    /// The numbers that count as the plugin's own.
    var defaults: [Double]

    var slotSizes: [Int] { Array(repeating: width * height * 4, count: inputs + 1) }

    func write(to payload: inout PayloadWriter) {
        payload.append(path)
        for number in [width, height, inputs, texts.count] { payload.append(number) }
        for text in texts { payload.append(text) }
        payload.append(defaults)
    }

    init(path: String, width: Int, height: Int, inputs: Int, texts: [String], defaults: [Double]) {
        (self.path, self.width, self.height, self.inputs) = (path, width, height, inputs)
        (self.texts, self.defaults) = (texts, defaults)
    }

    init(_ reader: inout PayloadReader) throws {
        path = reader.text()
        (width, height, inputs) = (reader.integer(), reader.integer(), reader.integer())
        let count = reader.integer()
        texts = (0..<max(0, min(count, 200))).map { _ in reader.text() }
        defaults = reader.numbers()
        guard reader.isWhole, width > 0, height > 0, (0...3).contains(inputs) else {
            throw ModuleFailure("was opened with garbage")
        }
    }
}

/// The plugin in this process.
final class Frei0rLocalRunner: Frei0rRunner {
    let pictures: SharedPictures
    private let library: Frei0rLibrary
    private let instance: Frei0rInstance
    private let inputs: [UnsafeMutableRawPointer]
    private let output: UnsafeMutableRawPointer

    /// - Parameter memory: the worker's shared memory; nil makes memory of its own.
    init(_ opening: Frei0rOpening, memory: Int32? = nil) throws {
        let library = try Frei0rLibrary(path: opening.path)
        self.library = library
        if let memory {
            pictures = try SharedPictures(sizes: opening.slotSizes, mapping: memory)
        } else {
            pictures = try SharedPictures(sizes: opening.slotSizes, isShared: false)
        }
        inputs = (0..<opening.inputs).map(pictures.pointer)
        output = pictures.pointer(opening.inputs)
        // Plugins that roll dice roll the same ones each time.
        srand(1)
        instance = try library.calls.withLock { _ in
            try Frei0rInstance(
                library, width: opening.width, height: opening.height, texts: opening.texts,
                defaults: opening.defaults)
        }
    }

    func update(time: Double, numbers: [Double]) throws {
        library.calls.withLock { _ in
            instance.set(numbers)
            instance.update(time: time, inputs: inputs, output: output)
        }
    }
}

/// The plugin in a worker process.
final class Frei0rRemoteRunner: Frei0rRunner {
    let pictures: SharedPictures
    private let worker: WorkerProcess
    private var request = PayloadWriter()
    private var answer: [UInt8] = []

    init(_ opening: Frei0rOpening, limits: WorkerLimits) throws {
        pictures = try SharedPictures(sizes: opening.slotSizes, isShared: true)
        worker = try WorkerProcess(sharing: pictures, limits: limits)
        opening.write(to: &request)
        try worker.call(.openFrei0r, request.bytes, answer: &answer, within: max(30, limits.seconds))
    }

    func update(time: Double, numbers: [Double]) throws {
        request.clear()
        request.append(time)
        request.append(numbers)
        try worker.call(.updateFrei0r, request.bytes, answer: &answer)
    }
}

/// The worker's end of `Frei0rRemoteRunner`.
final class Frei0rGuest: WorkerGuest {
    private let runner: Frei0rLocalRunner

    init(_ reader: inout PayloadReader, memory: Int32) throws {
        runner = try Frei0rLocalRunner(try Frei0rOpening(&reader), memory: memory)
    }

    func answer(_ message: WorkerMessage, _ request: inout PayloadReader) throws -> [UInt8] {
        guard message == .updateFrei0r else { throw ModuleFailure("was asked for what it does not do") }
        let time = request.number()
        try runner.update(time: time, numbers: request.numbers())
        return []
    }
}
