internal import CRlottie
internal import EditorCore
internal import Synchronization

/// A Lottie animation in one size, drawn by librlottie picture by picture as they are asked for. Safe on any thread.
///
/// A picture depends on its number alone. Drawn pictures are kept up to some memory, so that neighbouring spans and the
/// rounds of a loop share them.
final class LottieDrawing: Sendable {
    /// The library's animation, which keeps the state of the picture drawn last. Owned; freed with its owner.
    private struct Animation: ~Copyable {
        let handle: OpaquePointer
        deinit { lottie_animation_destroy(handle) }
    }

    private struct State: ~Copyable {
        let animation: Animation
        var kept: [Int: OverlayPicture] = [:]
        /// Numbers of the kept pictures, drawn first first.
        var order: [Int] = []
    }

    private static let mostKeptBytes = 32 << 20
    /// How many animations were loaded: the library keeps some by name, and no two may share one. Its loader fills
    /// tables that all animations share, so they are loaded one by one.
    private static let loaded = Mutex(0)

    let frameCount: Int
    private let size: PixelSize
    private let mostKept: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - bytes: a checked document.
    ///   - size: of the pictures, in pixels.
    /// - Throws: `EditorError` `.invalidData` when librlottie does not understand it.
    init(_ bytes: [UInt8], size: PixelSize, path: String) throws {
        let handle = Self.loaded.withLock { loaded in
            loaded += 1
            return String(decoding: bytes, as: UTF8.self).withCString {
                // No folder to read from.
                lottie_animation_from_data($0, "animation \(loaded)", "")
            }
        }
        guard let handle else {
            throw EditorError(.invalidData, "\(path) is a Lottie animation with data that cannot be drawn")
        }
        let animation = Animation(handle: handle)
        frameCount = max(1, lottie_animation_get_totalframe(handle))
        self.size = size
        mostKept = max(2, Self.mostKeptBytes / (size.width * size.height * 4))
        state = Mutex(State(animation: animation))
    }

    /// - Parameter index: 0..<frameCount.
    func picture(at index: Int) -> OverlayPicture {
        state.withLock { state in
            if let kept = state.kept[index] { return kept }
            let picture = Self.draw(state.animation.handle, index, size)
            if state.order.count == mostKept { state.kept[state.order.removeFirst()] = nil }
            state.kept[index] = picture
            state.order.append(index)
            return picture
        }
    }

    /// Premultiplied 32-bit words, alpha in the highest byte, become R, G, B, A bytes in place.
    private static func draw(_ handle: OpaquePointer, _ index: Int, _ size: PixelSize) -> OverlayPicture {
        let count = size.width * size.height
        let pixels = [UInt8](unsafeUninitializedCapacity: count * 4) { bytes, used in
            bytes.withMemoryRebound(to: UInt32.self) { words in
                // The library draws over what is there.
                words.initialize(repeating: 0)
                lottie_animation_render(handle, index, words.baseAddress, size.width, size.height, size.width * 4)
                for i in 0..<count {
                    let word = words[i]
                    words[i] = ((word & 0xff00_ff00) | (word >> 16 & 0xff) | (word & 0xff) << 16).littleEndian
                }
            }
            used = count * 4
        }
        return OverlayPicture(width: size.width, height: size.height, pixels: pixels)
    }
}
