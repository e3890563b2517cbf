public import EditorCore

/// Something for every name: for running an effect whose files do not matter.
public struct SyntheticAssets: AssetLoading {
    private let animation: ImageAsset

    public init() {
        animation = ImageAsset(
            frames: (0..<3).map { index in
                var pixels: [UInt8] = []
                for y in 0..<17 {
                    for x in 0..<23 {
                        let alpha = UInt8((x * 11 + index * 5) & 255)
                        pixels += [UInt8(y * 15 & 255), UInt8(index * 80), 200, alpha]
                    }
                }
                return .init(picture: OverlayPicture(width: 23, height: 17, straight: pixels), duration: 0.1)
            })
    }

    /// Three half-transparent pictures of 23×17, a tenth of a second each.
    public func image(_ asset: AssetReference, width: Int?) throws -> ImageAsset { animation }

    /// Half a second of reproducible noise at half scale.
    public func audio(_ asset: AssetReference) throws -> any AudioReading {
        var random = SplitMix64(7)
        return MemoryAudio(
            AudioBuffer(
                channels: (0..<AudioFormat.channelCount).map { _ in
                    (0..<AudioFormat.sampleRate / 2).map { _ in Float.random(in: -0.5...0.5, using: &random) }
                }))
    }

    /// Two captions; for data, a colour table that exchanges red and blue.
    public func text(_ asset: AssetReference) throws -> String {
        if asset.kind == .data {
            return "LUT_3D_SIZE 2\n0 0 0\n0 0 1\n0 1 0\n0 1 1\n1 0 0\n1 0 1\n1 1 0\n1 1 1\n"
        }
        return "1\n00:00:00,000 --> 00:00:01,000\nFirst\n\n2\n00:00:01,000 --> 00:00:02,000\nSecond\n"
    }

    public func fontFamily(_ asset: AssetReference) throws -> String { "Sans" }
}
