internal import CForeign
internal import EditorCore
internal import Glibc
internal import Synchronization

/// A loaded frei0r plugin: one shared library with the functions of frei0r.h. It stays loaded until the process ends,
/// as many plugins do not survive being unloaded.
///
/// `Sendable`: the pointers never change. frei0r says nothing about threads beyond one for each instance, and many
/// plugins keep variables of the whole library, so every call is made under `calls`.
final class Frei0rLibrary: Sendable {
    enum Kind: Int, Sendable {
        case filter, source, mixer2, mixer3
    }

    struct Parameter: Sendable {
        enum Kind: Int, Sendable {
            case flag, number, color, point, text
        }

        var name: String
        var kind: Kind
        var explanation: String
    }

    let path: String
    let name: String
    let author: String
    let explanation: String
    let kind: Kind
    /// Whether its pixels are B, G, R, A.
    let isBGR: Bool
    let version: Int
    let parameters: [Parameter]
    /// Held during every call into the library.
    let calls = Mutex(())

    typealias Instance = UnsafeMutableRawPointer
    typealias Pixels = UnsafeMutablePointer<UInt32>
    fileprivate typealias Update = @convention(c) (Instance, Double, Pixels?, Pixels?) -> Void
    fileprivate typealias Update2 = @convention(c) (Instance, Double, Pixels?, Pixels?, Pixels?, Pixels?) -> Void
    fileprivate let construct: @convention(c) (UInt32, UInt32) -> Instance?
    fileprivate let destruct: @convention(c) (Instance) -> Void
    fileprivate let setValue: @convention(c) (Instance, UnsafeMutableRawPointer, Int32) -> Void
    fileprivate let getValue: @convention(c) (Instance, UnsafeMutableRawPointer, Int32) -> Void
    fileprivate let update: Update?
    fileprivate let update2: Update2?

    /// - Throws: `ModuleFailure`.
    init(path: String) throws {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            throw ModuleFailure("cannot be loaded: \(dlerror().map { String(cString: $0) } ?? path)")
        }
        func symbol(_ name: String) -> UnsafeMutableRawPointer? { dlsym(handle, name) }
        func function<F>(_ name: String, as type: F.Type) throws -> F {
            guard let found = symbol(name) else { throw ModuleFailure("is no frei0r plugin: it has no \(name)") }
            return unsafeBitCast(found, to: type)
        }
        typealias Start = @convention(c) () -> Int32
        typealias Describe = @convention(c) (UnsafeMutablePointer<f0r_plugin_info_t>) -> Void
        typealias DescribeParameter = @convention(c) (UnsafeMutablePointer<f0r_param_info_t>, Int32) -> Void
        construct = try function("f0r_construct", as: (@convention(c) (UInt32, UInt32) -> Instance?).self)
        destruct = try function("f0r_destruct", as: (@convention(c) (Instance) -> Void).self)
        typealias Value = @convention(c) (Instance, UnsafeMutableRawPointer, Int32) -> Void
        setValue = try function("f0r_set_param_value", as: Value.self)
        getValue = try function("f0r_get_param_value", as: Value.self)
        update = symbol("f0r_update").map { unsafeBitCast($0, to: Update.self) }
        update2 = symbol("f0r_update2").map { unsafeBitCast($0, to: Update2.self) }
        guard try function("f0r_init", as: Start.self)() != 0 else { throw ModuleFailure("refuses to start") }
        var info = f0r_plugin_info_t()
        try function("f0r_get_plugin_info", as: Describe.self)(&info)
        guard info.frei0r_version == FREI0R_MAJOR_VERSION else {
            throw ModuleFailure("speaks frei0r \(info.frei0r_version), this editor \(FREI0R_MAJOR_VERSION)")
        }
        guard let kind = Kind(rawValue: Int(info.plugin_type)), (0...200).contains(info.num_params) else {
            throw ModuleFailure("is of a kind that frei0r does not have")
        }
        guard kind == .mixer2 || kind == .mixer3 ? update2 != nil : update != nil || update2 != nil else {
            throw ModuleFailure("is no frei0r plugin: it has no f0r_update")
        }
        func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
        self.path = path
        self.kind = kind
        (name, author, explanation) = (text(info.name), text(info.author), text(info.explanation))
        isBGR = info.color_model == F0R_COLOR_MODEL_BGRA8888
        version = max(1, Int(info.major_version) * 1000 + Int(info.minor_version))
        let describe = try function("f0r_get_param_info", as: DescribeParameter.self)
        parameters = try (0..<info.num_params).map { index in
            var info = f0r_param_info_t()
            describe(&info, index)
            guard let kind = Parameter.Kind(rawValue: Int(info.type)) else {
                throw ModuleFailure("has a parameter of a kind that frei0r does not have")
            }
            return Parameter(name: text(info.name), kind: kind, explanation: text(info.explanation))
        }
    }
}

/// An effect of a frei0r plugin for pictures of one size. Belongs to one thread; the caller holds the library's `calls`.
final class Frei0rInstance {
    private let library: Frei0rLibrary
    private let instance: Frei0rLibrary.Instance
    /// The numbers that were set last, so that what rests is not set again.
    private var current: [Double] = []

    /// - Parameters:
    ///   - width, height: multiples of eight.
    ///   - texts: the values of its text parameters, in order.
    ///   - defaults: numbers as in `set` that are not set: what a plugin begins with may depend on the picture's size.
    init(_ library: Frei0rLibrary, width: Int, height: Int, texts: [String]?, defaults: [Double] = []) throws {
        current = defaults
        self.library = library
        guard let instance = library.construct(UInt32(width), UInt32(height)) else {
            throw ModuleFailure("does not work on pictures of \(width)×\(height)")
        }
        self.instance = instance
        guard let texts else { return }
        for (index, text) in zip(library.parameters.indices.filter { library.parameters[$0].kind == .text }, texts) {
            text.withCString { characters in
                var value: UnsafeMutablePointer<CChar>? = UnsafeMutablePointer(mutating: characters)
                library.setValue(instance, &value, Int32(index))
            }
        }
    }

    deinit { library.destruct(instance) }

    /// Sets all parameters but texts: a number each for flags and numbers, three for a colour, two for a point.
    func set(_ numbers: [Double]) {
        guard numbers != current else { return }
        var position = 0
        func take() -> Double {
            defer { position += 1 }
            return position < numbers.count ? numbers[position] : 0
        }
        for (index, parameter) in library.parameters.enumerated() {
            let start = position
            switch parameter.kind {
            case .flag, .number:
                var value = take()
                if changed(start..<position, numbers) { library.setValue(instance, &value, Int32(index)) }
            case .color:
                var value = f0r_param_color_t(r: Float(take()), g: Float(take()), b: Float(take()))
                if changed(start..<position, numbers) { library.setValue(instance, &value, Int32(index)) }
            case .point:
                var value = f0r_param_position_t(x: take(), y: take())
                if changed(start..<position, numbers) { library.setValue(instance, &value, Int32(index)) }
            case .text: break
            }
        }
        current = numbers
    }

    private func changed(_ range: Range<Int>, _ numbers: [Double]) -> Bool {
        current.count != numbers.count || range.upperBound > numbers.count || current[range] != numbers[range]
    }

    /// The values of all parameters as they are: numbers as in `set`, and the texts.
    func values() -> (numbers: [Double], texts: [String]) {
        var (numbers, texts): ([Double], [String]) = ([], [])
        for (index, parameter) in library.parameters.enumerated() {
            switch parameter.kind {
            case .flag, .number:
                var value = 0.0
                library.getValue(instance, &value, Int32(index))
                numbers.append(value)
            case .color:
                var value = f0r_param_color_t()
                library.getValue(instance, &value, Int32(index))
                numbers += [Double(value.r), Double(value.g), Double(value.b)]
            case .point:
                var value = f0r_param_position_t()
                library.getValue(instance, &value, Int32(index))
                numbers += [value.x, value.y]
            case .text:
                var value: UnsafeMutablePointer<CChar>?
                library.getValue(instance, &value, Int32(index))
                texts.append(value.map { String(cString: $0) } ?? "")
            }
        }
        return (numbers, texts)
    }

    /// Makes a picture of `inputs`: none for a source, one for a filter, two for a mixer.
    func update(time: Double, inputs: [UnsafeMutableRawPointer], output: UnsafeMutableRawPointer) {
        func pixels(_ index: Int) -> Frei0rLibrary.Pixels? {
            index < inputs.count ? inputs[index].assumingMemoryBound(to: UInt32.self) : nil
        }
        let target = output.assumingMemoryBound(to: UInt32.self)
        if library.kind == .mixer2 || library.kind == .mixer3 || library.update == nil {
            library.update2?(instance, time, pixels(0), pixels(1), pixels(2), target)
        } else {
            library.update?(instance, time, pixels(0), target)
        }
    }
}
