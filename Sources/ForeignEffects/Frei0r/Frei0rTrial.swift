internal import EditorCore
internal import Glibc
internal import Synchronization

/// Tries a plugin on small pictures, in a worker: whether it works at all, remembers earlier frames, and does the same
/// twice.
struct Frei0rTrial {
    private static let width = 64
    private static let height = 48
    /// Plugins that pick an earlier frame by chance now and then pick the one that they were given.
    private static let frames = 8

    let library: Frei0rLibrary
    private let inputs: Int

    init(_ library: Frei0rLibrary) {
        self.library = library
        inputs = [.filter: 1, .source: 0, .mixer2: 2, .mixer3: 3][library.kind] ?? 0
    }

    /// What the plugin says of itself, and its defaults.
    func describe() throws -> Frei0rDescription {
        let values = try library.calls.withLock { _ in
            try Frei0rInstance(library, width: Self.width, height: Self.height, texts: nil).values()
        }
        return Frei0rDescription(library, numbers: values.numbers, texts: values.texts)
    }

    /// - Returns: the description with what the trial showed.
    func examine(_ description: Frei0rDescription) throws -> Frei0rDescription {
        var result = description
        var other = description.numbers
        for (index, value) in other.enumerated() { other[index] = value == 0 ? 0.4 : value * 0.5 }
        for numbers in [description.numbers, other] {
            let whole = try run(Array(0..<Self.frames), numbers, description)
            for frame in 1..<Self.frames where !result.hasMemory {
                result.hasMemory = try run([frame], numbers, description)[0] != whole[frame]
            }
            if try run(Array(0..<Self.frames), numbers, description) != whole { result.isRepeatable = false }
        }
        return result
    }

    /// The pictures of some frames, from a fresh instance.
    private func run(_ frames: [Int], _ numbers: [Double], _ description: Frei0rDescription) throws -> [[UInt32]] {
        let (texts, defaults) = (description.texts, description.numbers)
        let count = Self.width * Self.height
        let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: count * (inputs + 1))
        // A plugin that leaves pixels alone shows what was there before.
        memory.initialize(repeating: 0x5a5a_5a5a, count: count * (inputs + 1))
        defer { memory.deallocate() }
        let pictures = (0..<inputs).map { memory + $0 * count }
        let output = memory + inputs * count
        srand(1)
        return try library.calls.withLock { _ in
            let instance = try Frei0rInstance(
                library, width: Self.width, height: Self.height, texts: texts, defaults: defaults)
            instance.set(numbers)
            return frames.map { frame in
                for (input, picture) in pictures.enumerated() {
                    for i in 0..<count {
                        picture[i] = Self.pixel(i % Self.width, i / Self.width, frame: frame, input: input)
                    }
                }
                instance.update(
                    time: Double(frame) / 30, inputs: pictures.map { UnsafeMutableRawPointer($0) }, output: output)
                return Array(UnsafeBufferPointer(start: output, count: count))
            }
        }
    }

    /// A gradient with a moving bright square and some noise.
    private static func pixel(_ x: Int, _ y: Int, frame: Int, input: Int) -> UInt32 {
        var hash = UInt32(truncatingIfNeeded: (x &* 73_856_093) ^ (y &* 19_349_663) ^ (frame &* 83_492_791) ^ input)
        hash = (hash ^ (hash >> 13)) &* 0x5bd1_e995
        let isSquare = abs(x - 10 - 8 * frame) < 6 && abs(y - 20) < 6
        let red = isSquare ? 250 : x * 3 + Int(hash & 31)
        let green = isSquare ? 240 : y * 4 + Int((hash >> 8) & 31)
        let blue = isSquare ? 230 : 60 + input * 80 + Int((hash >> 16) & 31)
        return UInt32(min(255, red)) | UInt32(min(255, green)) << 8 | UInt32(min(255, blue)) << 16 | 0xff00_0000
    }
}
