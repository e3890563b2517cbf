public import EditorCore

/// Assets from memory in place of files.
public struct FakeAssets: AssetLoading {
    public var images: [String: ImageAsset] = [:]
    /// Stereo samples at 48 kHz by path.
    public var sounds: [String: AudioBuffer] = [:]
    public var texts: [String: String] = [:]
    public var fonts: [String: String] = [:]

    public init() {}

    public func image(_ asset: AssetReference, width: Int?) throws -> ImageAsset {
        guard let image = images[asset.path] else { throw missing(asset) }
        return image
    }

    public func audio(_ asset: AssetReference) throws -> any AudioReading {
        guard let sound = sounds[asset.path] else { throw missing(asset) }
        return MemoryAudio(sound)
    }

    public func loudness(of asset: AssetReference, cancellation: Cancellation) throws -> Double? {
        try cancellation.check()
        guard let sound = sounds[asset.path] else { throw missing(asset) }
        var loudness = IntegratedLoudness()
        loudness.add(sound)
        return loudness.value
    }

    public func text(_ asset: AssetReference) throws -> String {
        guard let text = texts[asset.path] else { throw missing(asset) }
        return text
    }

    public func fontFamily(_ asset: AssetReference) throws -> String {
        guard let family = fonts[asset.path] else { throw missing(asset) }
        return family
    }

    private func missing(_ asset: AssetReference) -> EditorError {
        EditorError(.missingInput, "there is no \(asset.kind.rawValue) \(asset.path)")
    }
}

/// Sound that lies in memory.
public final class MemoryAudio: AudioReading {
    private let sound: AudioBuffer

    public init(_ sound: AudioBuffer) { self.sound = sound }

    public var sampleCount: Int? { sound.sampleCount }

    public func read(from position: Int, into buffer: inout AudioBuffer) throws -> Int {
        let count = buffer.sampleCount
        let inside = max(0, position)..<max(0, position, min(position + count, sound.sampleCount))
        for channel in buffer.channels.indices {
            for i in 0..<count { buffer.channels[channel][i] = 0 }
            if inside.isEmpty { continue }
            buffer.channels[channel].replaceSubrange(
                inside.lowerBound - position..<inside.upperBound - position, with: sound.channels[channel][inside])
        }
        return max(0, min(count, sound.sampleCount - position))
    }
}
