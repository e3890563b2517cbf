public import EditorCore

/// Changes colours by a look-up table from a .cube file.
///
/// Tables work on full-range BT.709 R′G′B′, as those made for finished pictures do; 3D ones are read by tetrahedral
/// interpolation. Stateless; not Sendable.
public final class LookUpTable: VideoEffect {
    public struct Parameters: ParameterSet {
        public var file = AssetReference(path: "", kind: .data)
        public var strength: AnimatedNumber = 1

        public init() {}

        public static let specs: [ParameterSpec<Self>] = [
            .init(
                "file", \.file, .file(.data), required: true,
                help: "A look-up table: a .cube file, 1D or 3D, as Adobe's and Blackmagic's programs write it."),
            .init(
                "strength", \.strength, .animated(.number(in: 0...1)),
                help: "How much of the table's colours the picture takes; 0 changes nothing."),
        ]
    }

    public static let id = "lut"
    public static let summary = "Changes colours by a look-up table (.cube)."
    public static let example: JSONValue = ["file": "film.cube", "strength": 0.8]

    private let stage: MapStage<TableMap>

    /// Reads the table.
    /// - Throws: `EditorError` with the file and the line when it is no table.
    public init(_ parameters: Parameters, context: EffectContext) throws {
        let path = parameters.file.path
        let text = try context.assets.text(parameters.file)
        let file: CubeFile
        do throws(CubeFile.Problem) {
            file = try CubeFile(text)
        } catch {
            throw EditorError(.invalidData, "\(path), line \(error.line): \(error.message)")
        }
        for warning in file.warnings {
            context.warn("lut.unknownWord", "\(path), line \(warning.line): \(warning.message)")
        }
        stage = MapStage(file.map, strength: parameters.strength, canvas: context.canvas)
    }

    public func isIdentity(at time: EffectTime) -> Bool { stage.isIdentity(at: time) }

    public func process(_ frame: inout VideoFrame, at time: EffectTime) { stage.apply(to: &frame, at: time) }
}
