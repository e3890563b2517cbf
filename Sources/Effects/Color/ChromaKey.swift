public import EditorCore

/// Makes the parts of a picture that have one colour transparent, and takes that colour's light off the rest.
///
/// For clips that lie over others; what is behind shows through. On the whole movie it shows the background colour.
public final class ChromaKey: VideoEffect {
    public struct Parameters: ParameterSet {
        public var color = Color(red: 0, green: 255, blue: 0)
        public var similarity = 0.4
        public var softness = 0.45
        public var spill = 1.0

        public init() {}

        public static let specs: [ParameterSpec<Self>] = [
            .init("color", \.color, .color, help: "The colour of the screen behind; best taken from the picture."),
            .init(
                "similarity", \.similarity, .number(in: 0...1),
                help: "How far a colour may be from it and still be all transparent; 0 keys nothing."),
            .init(
                "softness", \.softness, .number(in: 0...1),
                help: "How much further away colours become opaque: 0 is a hard edge."),
            .init(
                "spill", \.spill, .number(in: 0...1),
                help: "How much of the screen's light is taken off edges and off what stands before it; 0 is nothing."),
        ]

        public func check(given: Set<String>, at pointer: JSONPointer, into reading: inout ParameterReading) {
            if KeyColor(color).excess < KeyColor.leastExcess {
                reading.error(
                    "chromaKey.grey", at: pointer.appending("color"),
                    "color \(color) is nearly grey, and so is much else in a picture",
                    hint: "name a saturated colour, such as the green \"00b140\"")
            }
        }
    }

    public static let id = "chromaKey"
    public static let summary = "Makes a screen of one colour transparent; for clips that lie over others."
    public static let example: JSONValue = ["color": "00b140", "similarity": 0.4, "spill": 1]
    public static var pixelFormat: PixelFormat { .yuva420 }

    private let isOff: Bool
    private let table: KeyTable
    private let walk = ChromaWalk()
    private var matte = Scratch<UInt8>(0, zero: 0)

    public init(_ parameters: Parameters, context: EffectContext) {
        isOff = parameters.similarity == 0 && parameters.spill == 0
        table = KeyTable(parameters)
    }

    public func isIdentity(at time: EffectTime) -> Bool { isOff }

    public func process(_ frame: inout VideoFrame, at time: EffectTime) {
        guard !isOff, frame.format == .yuva420, frame.width > 0, frame.height > 0 else { return }
        let (width, height) = (frame.width, frame.height)
        if matte.count != width * height { matte = Scratch(width * height, zero: 0) }
        let matte = matte.base
        frame.withPlanarPicture { picture in
            walk.apply(
                KeyRows(table: table, matte: matte, width: width, samples: picture.cb.width), to: picture)
        }
        frame.withMutablePlane(3) { alpha, layout in
            alpha.withUnsafeMutableBufferPointer { alpha in
                for y in 0..<height {
                    Self.combine(alpha.baseAddress! + y * layout.stride, matte + y * width, count: width)
                }
            }
        }
    }

    /// `a · b / 255` to nearest.
    private static func combine(_ alpha: UnsafeMutablePointer<UInt8>, _ matte: UnsafePointer<UInt8>, count: Int) {
        for x in 0..<count {
            let product = UInt16(alpha[x]) &* UInt16(matte[x]) &+ 128
            alpha[x] = UInt8(truncatingIfNeeded: (product &+ product &>> 8) &>> 8)
        }
    }
}

/// Looks every sample up in a `KeyTable`.
private struct KeyRows: RowTransform {
    let table: KeyTable
    let matte: UnsafeMutablePointer<UInt8>
    let width: Int
    let samples: Int

    func luma(_ pixels: UnsafeMutablePointer<UInt8>, row y: Int, _ pairs: UnsafePointer<UInt16>) {
        let (alphas, lights, out) = (table.alpha.base, table.light.base, matte + y &* width)
        for x in 0..<width {
            let pair = Int(pairs[x])
            out[x] = alphas[pair]
            let light = lights[pair]
            // In 1/128 of a level.
            let level = (Int32(pixels[x]) &* Int32(light.x) &+ Int32(light.y) &* 16 &+ 64) &>> 7
            pixels[x] = UInt8(truncatingIfNeeded: max(0, min(255, level)))
        }
    }

    func chroma(
        _ cb: UnsafeMutablePointer<UInt8>, _ cr: UnsafeMutablePointer<UInt8>, row y: Int,
        _ pairs: UnsafePointer<UInt16>, _ luma: UnsafePointer<UInt8>
    ) {
        let colors = table.color.base
        for x in 0..<samples {
            let color = colors[Int(pairs[x])]
            cb[x] = color.x
            cr[x] = color.y
        }
    }
}
