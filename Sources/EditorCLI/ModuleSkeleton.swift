internal import EditorCore
internal import EditorKit
internal import Glibc

/// A package that holds one new effect: source, test, README.
struct ModuleSkeleton {
    private let name: String
    private let kind: EffectKind
    /// The id of the effect: the name with a small first letter.
    private var id: String { name.prefix(1).lowercased() + name.dropFirst() }

    /// - Throws: `EditorError` `.usage` for a name that is no Swift type's.
    init(name: String, kind: EffectKind) throws {
        guard let first = name.unicodeScalars.first, ("A"..."Z").contains(first) || ("a"..."z").contains(first),
            name.unicodeScalars.allSatisfy({
                ("A"..."Z").contains($0) || ("a"..."z").contains($0) || ("0"..."9").contains($0)
            }),
            name.count <= 40
        else {
            throw EditorError(.usage, "\"\(name)\" cannot name a module: use letters and digits, such as Glow")
        }
        self.name = name.prefix(1).uppercased() + name.dropFirst()
        self.kind = kind
    }

    /// Writes the files into a new folder of the module's name. Returns their paths.
    func write() throws -> [String] {
        guard access(name, F_OK) != 0 else {
            throw EditorError(.cannotCreateOutput, "\(name) exists already; name another module or remove it")
        }
        let files = [
            ("Package.swift", package), ("Sources/\(name)/\(name).swift", source),
            ("Tests/\(name)Tests/\(name)Tests.swift", test), ("README.md", readme),
        ]
        do {
            for (path, text) in files { try TextOutput.write(text, to: "\(name)/\(path)") }
        } catch {
            for (path, _) in files { unlink("\(name)/\(path)") }
            for folder in ["Sources/\(name)", "Sources", "Tests/\(name)Tests", "Tests"] { rmdir("\(name)/\(folder)") }
            rmdir(name)
            throw error
        }
        return files.map { "\(name)/\($0.0)" }
    }

    private var package: String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "\(name)",
            products: [.library(name: "\(name)", targets: ["\(name)"])],
            // Where the editor's checkout lies.
            dependencies: [.package(name: "editor", path: "../editor")],
            targets: [
                .target(name: "\(name)", dependencies: [.product(name: "EditorCore", package: "editor")]),
                .testTarget(
                    name: "\(name)Tests",
                    dependencies: ["\(name)", .product(name: "EditorTestSupport", package: "editor")]),
            ]
        )

        """
    }

    private var source: String {
        let (conformance, body): (String, String) =
            switch kind {
            case .video:
                (
                    "VideoEffect",
                    """
                        public func process(_ frame: inout VideoFrame, at time: EffectTime) throws {
                            let gain = 1 + parameters.amount.value(at: time.seconds) * 0.2
                            frame.withMutablePlane(0) { luma, layout in
                                for y in 0..<layout.height {
                                    for x in 0..<layout.width {
                                        let i = y * layout.stride + x
                                        luma[i] = UInt8(max(0, min(255, 16 + (Double(luma[i]) - 16) * gain)))
                                    }
                                }
                            }
                        }
                    """
                )
            case .overlay:
                (
                    "OverlayEffect",
                    """
                        private let picture = OverlayPicture(
                            width: 64, height: 64, pixels: Array(repeating: 255, count: 64 * 64 * 4))

                        public func overlay(at time: EffectTime) throws -> Overlay? {
                            let opacity = parameters.amount.value(at: time.seconds)
                            return opacity == 0 ? nil : Overlay(picture, center: Point(80, 80), opacity: opacity)
                        }
                    """
                )
            case .transition:
                (
                    "TransitionEffect",
                    """
                        public func blend(_ from: inout VideoFrame, to: VideoFrame, progress: Double) throws {
                            let middle = Double(from.height) * progress
                            for plane in 0..<3 {
                                to.withPlane(plane) { source, _ in
                                    from.withMutablePlane(plane) { target, layout in
                                        let rows = Int((middle * Double(layout.height) / Double(to.height)).rounded())
                                        for y in 0..<rows {
                                            for x in 0..<layout.width {
                                                target[y * layout.stride + x] = source[y * to.layout(ofPlane: plane).stride + x]
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    """
                )
            case .audio:
                (
                    "AudioEffect",
                    """
                        public func process(_ buffer: inout AudioBuffer, at time: EffectTime) throws {
                            buffer.scale(by: Float(1 - parameters.amount.value(at: time.seconds)))
                        }
                    """
                )
            }
        return """
            public import EditorCore

            public enum \(name)Module: EffectModule {
                public static let name = "\(id)"
                public static var effects: [EffectDescriptor] { [.\(kind.rawValue)(\(name).self)] }
            }

            public final class \(name): \(conformance) {
                public struct Parameters: ParameterSet {
                    public var amount: AnimatedNumber = 0.5

                    public init() {}

                    public static let specs: [ParameterSpec<Self>] = [
                        .init("amount", \\.amount, .animated(.number(in: 0...1)), help: "How strong it is; 0 changes nothing.")
                    ]
                }

                public static let id = "\(id)"
                public static let summary = "says in one sentence what it does"
                public static let example: JSONValue = ["amount": 0.8]

                private let parameters: Parameters

                public init(_ parameters: Parameters, context: EffectContext) throws {
                    self.parameters = parameters
                }

                public func isIdentity(at time: EffectTime) -> Bool { parameters.amount.value(at: time.seconds) == 0 }

            \(body)
            }

            """
    }

    private var test: String {
        """
        import EditorCore
        import EditorTestSupport
        import Testing
        import \(name)

        @Suite struct \(name)Tests {
            @Test func keepsTheContract() throws {
                var registry = EffectRegistry()
                try registry.register(\(name)Module.self)
                #expect(EffectContract.failures(of: registry, neutral: ["\(id)": ["amount": 0]]) == [])
            }
        }

        """
    }

    private var readme: String {
        """
        # \(name)

        An effect module for `editor`. In the folder that this one lies in:

            editor effects build \(name)
            editor effects check \(id)

        The module is in `effects` then, where the editor looks for it; `{"type": "\(id)"}` in a config uses it.

        For the tests set the folder of the editor's checkout in `Package.swift`, and run

            swift test

        It can be compiled into an editor of your own, too, a program of three lines:

            import EditorCLI
            import \(name)
            EditorCommand.main(modules: [\(name)Module.self])

        """
    }
}
