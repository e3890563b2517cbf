public import EditorCore

/// How a camera hands its pictures over; those that can be recorded.
public enum CameraPixelFormat: String, Sendable, Hashable, CaseIterable {
    case nv12, yuyv, uyvy, yuv420, rgb24, mjpeg, h264

    /// Whether pictures are compressed one by one or as a stream.
    public var isCompressed: Bool { self == .mjpeg || self == .h264 }
}

/// One way in which a camera can run.
public struct CameraMode: Sendable, Hashable {
    public var pixelFormat: CameraPixelFormat
    public var size: PixelSize
    /// Pictures a second.
    public var rate: Rational

    public init(pixelFormat: CameraPixelFormat, size: PixelSize, rate: Rational) {
        (self.pixelFormat, self.size, self.rate) = (pixelFormat, size, rate)
    }
}

extension CameraMode: CustomStringConvertible {
    public var description: String { "\(pixelFormat.rawValue) \(size.width)x\(size.height) \(rate) frames/s" }
}

/// What a recording would like; nil leaves it to the choice.
public struct CameraModeWish: Sendable {
    public var pixelFormat: CameraPixelFormat?
    public var size: PixelSize?
    public var rate: Rational?
    /// What the pictures are for: the canvas they are fitted to, and how.
    public var canvas: PixelSize
    public var gravity: VideoGravity

    public init(
        canvas: PixelSize, gravity: VideoGravity, pixelFormat: CameraPixelFormat? = nil, size: PixelSize? = nil,
        rate: Rational? = nil
    ) {
        (self.canvas, self.gravity) = (canvas, gravity)
        (self.pixelFormat, self.size, self.rate) = (pixelFormat, size, rate)
    }

    /// The mode that suits best: first the rate (the one asked for, else 30), then the smallest picture that need not be
    /// enlarged, within 1920×1080 unless a size is asked for; then the format that costs least.
    ///
    /// - Returns: nil when no mode has what was asked for.
    public func best(of modes: [CameraMode]) -> CameraMode? {
        let wanted = rate?.doubleValue ?? 30
        let fitting = modes.filter { mode in
            (pixelFormat == nil || mode.pixelFormat == pixelFormat) && (size == nil || mode.size == size)
                && (rate == nil || abs(mode.rate.doubleValue - wanted) < 0.01 * wanted)
        }
        func cost(_ mode: CameraMode) -> [Double] {
            let rate = mode.rate.doubleValue
            // A little below 30, as 29.97 is, is 30; much above it is work for nothing.
            let tooSlow = max(0, wanted * 0.99 - rate)
            let tooFast = max(0, rate - wanted * 1.01)
            let area = Double(mode.size.width * mode.size.height)
            let isLarge = mode.size.width > 1920 || mode.size.height > 1920 || area > 1920 * 1080
            let scale = scale(of: mode.size)
            return [
                size == nil && isLarge ? 1 : 0, (tooSlow * 10).rounded(), scale > 1 ? scale : 1, area, tooFast,
                Self.formatCost[mode.pixelFormat] ?? 9,
            ]
        }
        return fitting.min { cost($0).lexicographicallyPrecedes(cost($1)) }
    }

    /// The mode that suits the first of several wishes that any mode fulfils.
    ///
    /// - Parameter wishes: in order of preference.
    /// - Returns: nil when no mode has what one of them asks for.
    public static func best(of modes: [CameraMode], for wishes: [CameraModeWish]) -> CameraMode? {
        for wish in wishes {
            if let mode = wish.best(of: modes) { return mode }
        }
        return nil
    }

    /// H.264 comes last: its pictures can be neither zoomed nor mirrored without being coded anew.
    private static let formatCost: [CameraPixelFormat: Double] = [
        .yuv420: 0, .nv12: 1, .yuyv: 2, .uyvy: 3, .rgb24: 4, .mjpeg: 5, .h264: 6,
    ]

    /// How many times a picture is enlarged on the canvas.
    private func scale(of size: PixelSize) -> Double {
        let (x, y) = (Double(canvas.width) / Double(size.width), Double(canvas.height) / Double(size.height))
        switch gravity {
        case .fitWidth: return x
        case .resizeAspectFill, .resize: return max(x, y)
        case .resizeAspect, .resizeAspectBlur: return min(x, y)
        }
    }
}
