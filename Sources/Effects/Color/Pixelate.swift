public import EditorCore

/// Hides what is in a region, or the whole picture, behind a mosaic.
public final class Pixelate: VideoEffect {
    public struct Parameters: ParameterSet {
        public var size = Animated(Length(fraction: 0.04))
        public var region: Region?

        public init() {}

        public static let specs: [ParameterSpec<Self>] = [
            .init(
                "size", \.size, .animated(.length(in: 0...1)),
                help: "How large a tile is, as a fraction of the canvas width; 0 changes nothing."),
            .init(
                "region", \.region, .optional(.object(Region.self)),
                help: "The part that is hidden, a rectangle or an ellipse; null is the whole picture."),
        ]
    }

    public static let id = "pixelate"
    public static let summary = "Hides a region, or everything, behind a mosaic."
    public static let example: JSONValue = [
        "size": 0.04, "region": ["shape": "ellipse", "center": [0.5, 0.3], "width": 0.4, "height": 0.5],
    ]

    private let stage: RegionStage
    private let mosaic = Mosaic()

    public init(_ parameters: Parameters, context: EffectContext) {
        stage = RegionStage(parameters.size, region: parameters.region, canvas: context.canvas, least: 1)
    }

    public func isIdentity(at time: EffectTime) -> Bool { stage.isIdentity(at: time) }

    public func process(_ frame: inout VideoFrame, at time: EffectTime) {
        guard !isIdentity(at: time) else { return }
        mosaic.side = max(2, 2 * Int((stage.pixels(at: time) / 2).rounded()))
        stage.paint(mosaic, onto: &frame, at: time)
    }
}

/// A plane whose tiles have their mean. The tiles lie still when a region moves over them.
final class Mosaic: PlaneVersion {
    /// Pixels along a tile's side, even, so that chroma has the same tiles.
    var side = 2
    private var cells = CellMeans()

    func read(_ plane: PlaneRows, index: Int, area: RegionMask.Area) {
        let side = index == 0 ? side : side / 2
        cells.read(
            plane, side: side,
            area: RegionMask.Area(
                columns: area.columns.lowerBound / side..<(area.columns.upperBound + side - 1) / side,
                rows: area.rows.lowerBound / side..<(area.rows.upperBound + side - 1) / side), extends: false)
    }

    func write(row y: Int, columns: Range<Int>, into out: UnsafeMutablePointer<UInt8>) {
        let side = cells.side
        let line = cells.values.base + (y / side - cells.area.rows.lowerBound) * cells.width
        var x = columns.lowerBound
        while x < columns.upperBound {
            let cell = x / side
            let end = min((cell + 1) * side, columns.upperBound)
            let value = FloatLanes.byte(line[cell - cells.area.columns.lowerBound])
            (out + (x - columns.lowerBound)).update(repeating: value, count: end - x)
            x = end
        }
    }
}
