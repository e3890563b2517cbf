internal import CForeign
internal import EditorCore
internal import Glibc

/// A loaded LADSPA library: one shared library with one or more plugins. It stays loaded until the process ends.
final class LadspaLibrary {
    struct Port {
        enum Kind: Int {
            case audioIn, audioOut, controlIn, controlOut
        }

        var name: String
        var kind: Kind
        /// The bits of ladspa.h, and the bounds they speak of.
        var hints: Int
        var lower: Double
        var upper: Double
    }

    struct Plugin {
        var index: Int
        var label: String
        var name: String
        var maker: String
        var ports: [Port]
    }

    private typealias Lookup = @convention(c) (UInt) -> UnsafePointer<LADSPA_Descriptor>?
    private let lookup: Lookup
    private(set) var plugins: [Plugin] = []

    /// A file has no more plugins.
    private static let most = 200

    /// - Throws: `ModuleFailure`.
    init(path: String) throws {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            throw ModuleFailure("cannot be loaded: \(dlerror().map { String(cString: $0) } ?? path)")
        }
        guard let symbol = dlsym(handle, "ladspa_descriptor") else {
            throw ModuleFailure("is no LADSPA plugin: it has no ladspa_descriptor")
        }
        lookup = unsafeBitCast(symbol, to: Lookup.self)
        for index in 0..<Self.most {
            guard let descriptor = lookup(UInt(index)) else { break }
            plugins.append(try Self.plugin(index, descriptor.pointee))
        }
    }

    private static func plugin(_ index: Int, _ descriptor: LADSPA_Descriptor) throws -> Plugin {
        func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
        guard descriptor.PortCount <= 512 else { throw ModuleFailure("has \(descriptor.PortCount) ports") }
        let ports = (0..<Int(descriptor.PortCount)).map { number in
            let bits = descriptor.PortDescriptors[number]
            let isInput = bits & LADSPA_PORT_INPUT != 0
            let isAudio = bits & LADSPA_PORT_AUDIO != 0
            let hint = descriptor.PortRangeHints[number]
            return Port(
                name: text(descriptor.PortNames[number]),
                kind: isAudio ? isInput ? .audioIn : .audioOut : isInput ? .controlIn : .controlOut,
                hints: Int(hint.HintDescriptor), lower: Double(hint.LowerBound), upper: Double(hint.UpperBound))
        }
        return Plugin(
            index: index, label: text(descriptor.Label), name: text(descriptor.Name), maker: text(descriptor.Maker),
            ports: ports)
    }

    /// - Throws: `ModuleFailure`.
    func instantiate(_ plugin: Plugin) throws -> LadspaInstance {
        guard let descriptor = lookup(UInt(plugin.index)),
            let handle = descriptor.pointee.instantiate(descriptor, UInt(AudioFormat.sampleRate))
        else { throw ModuleFailure("does not work at \(AudioFormat.sampleRate) Hz") }
        return LadspaInstance(descriptor.pointee, handle, plugin.ports)
    }
}

/// One LADSPA effect at work. Belongs to one thread. Its library must stay loaded.
final class LadspaInstance {
    private let descriptor: LADSPA_Descriptor
    private let handle: LADSPA_Handle
    private let ports: [LadspaLibrary.Port]
    /// A value for each port; audio ports leave theirs alone.
    private let values: UnsafeMutablePointer<Float>
    private var isActive = false

    fileprivate init(_ descriptor: LADSPA_Descriptor, _ handle: LADSPA_Handle, _ ports: [LadspaLibrary.Port]) {
        (self.descriptor, self.handle, self.ports) = (descriptor, handle, ports)
        values = .allocate(capacity: max(1, ports.count))
        values.initialize(repeating: 0, count: max(1, ports.count))
        for (index, port) in ports.enumerated() where port.kind == .controlIn || port.kind == .controlOut {
            descriptor.connect_port(handle, UInt(index), values + index)
        }
    }

    deinit {
        if isActive { descriptor.deactivate?(handle) }
        descriptor.cleanup(handle)
        values.deallocate()
    }

    /// - Parameters:
    ///   - controls: the values of its input controls, in order.
    ///   - inputs, outputs: memory of `count` samples for each of its audio ports, in order.
    func run(
        _ count: Int, controls: [Double], inputs: [UnsafeMutablePointer<Float>],
        outputs: [UnsafeMutablePointer<Float>]
    ) {
        var (control, input, output) = (0, 0, 0)
        for (index, port) in ports.enumerated() {
            switch port.kind {
            case .controlIn:
                values[index] = control < controls.count ? Float(controls[control]) : 0
                control += 1
            case .controlOut: break
            case .audioIn:
                descriptor.connect_port(handle, UInt(index), inputs[input])
                input += 1
            case .audioOut:
                descriptor.connect_port(handle, UInt(index), outputs[output])
                output += 1
            }
        }
        if !isActive {
            descriptor.activate?(handle)
            isActive = true
        }
        descriptor.run(handle, UInt(count))
    }

    /// What its output control of that name says; nil when there is none.
    func output(named name: String) -> Double? {
        ports.firstIndex { $0.kind == .controlOut && $0.name.lowercased() == name }.map { Double(values[$0]) }
    }
}
