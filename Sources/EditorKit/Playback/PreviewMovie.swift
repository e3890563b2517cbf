internal import EditorCore

/// A composition at the sizes that a preview composes it in. Belongs to one thread.
///
/// A reduced one is the same config on a smaller canvas, lengths in pixels made smaller with it.
final class PreviewMovie {
    /// By what the canvas' sides are divided.
    static let divisors = [1, 2, 4]

    private let composition: Composition
    private let options: Composition.Options
    private let whole: RenderPlan
    private var compositors: [Int: Compositor] = [:]

    init(_ composition: Composition, _ options: Composition.Options, plan: RenderPlan) {
        self.composition = composition
        self.options = options
        whole = plan
    }

    /// The finished picture of a frame, on a canvas divided by `divisor`.
    func frame(_ number: Int, divisor: Int) throws -> VideoFrame {
        if compositors[divisor] == nil {
            // One of them is enough besides the whole.
            compositors = compositors.filter { $0.key == 1 }
            let plan = divisor == 1 ? whole : try composition.reduced(by: divisor).picturePlan(options)
            compositors[divisor] = Compositor(plan, library: composition.library(.exact))
        }
        return try compositors[divisor]!.frame(number)
    }
}

extension Composition {
    func picturePlan(_ options: Options) throws -> RenderPlan {
        try plan(options, output: nil, opensEncoders: false)
    }

    /// The same on a canvas whose sides are divided, even, and at least 16 pixels long.
    func reduced(by divisor: Int) -> Composition {
        var document = document
        document.value = document.value.withPixels(dividedBy: Double(divisor), under: nil)
        var smaller = Composition(document, baseDirectory: baseDirectory, registry: registry)
        func reduced(_ length: Int) -> Int { max(16, Int((Double(length / divisor) / 2).rounded()) * 2) }
        let size = configuration.renderSize
        smaller.configuration.renderSize = PixelSize(width: reduced(size.width), height: reduced(size.height))
        return smaller.sharing(library)
    }
}

extension JSONValue {
    /// Every length in pixels, such as `"120px"`, divided; texts are left alone.
    fileprivate func withPixels(dividedBy divisor: Double, under key: String?) -> JSONValue {
        switch self {
        case .object(let members):
            return .object(
                Dictionary(
                    uniqueKeysWithValues: members.map { ($0, $1.withPixels(dividedBy: divisor, under: $0)) }))
        case .array(let elements):
            return .array(elements.map { $0.withPixels(dividedBy: divisor, under: key) })
        case .string(let text) where text.hasSuffix("px") && key != "text" && key != "markup":
            guard let pixels = Double(text.dropLast(2)) else { return self }
            return .string("\(JSONValue.number(pixels / divisor).text())px")
        default:
            return self
        }
    }
}
