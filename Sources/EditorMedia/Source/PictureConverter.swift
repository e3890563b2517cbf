internal import CFFmpeg
internal import EditorCore

/// Turns decoded pictures into working pictures: cropped, scaled, upright, in BT.709 limited range 4:2:0.
///
/// Belongs to one thread. Keeps its scaler as long as the pictures stay alike.
final class PictureConverter {
    private let orientation: Orientation
    private let color: ColorDescription
    private let pool: FramePool
    private var scaler: Scaler?
    private var lightChanger: (key: LightKey, graph: FilterGraph)?

    init(orientation: Orientation, color: ColorDescription, pool: FramePool) {
        self.orientation = orientation
        self.color = color
        self.pool = pool
    }

    /// The part `crop` of the displayed picture at `size` (even).
    func convert(_ frame: MediaFrame, crop: UnitRect, size: PixelSize) throws -> VideoFrame {
        if let same = passThrough(frame, crop: crop, size: size) { return same }
        let stored = orientation.swapsSides ? PixelSize(width: size.height, height: size.width) : size
        let cropped = try self.crop(frame, to: orientation.stored(crop))
        let lying =
            color.changesLight ? try changeLight(cropped, to: stored) : try scale(cropped, to: stored)
        return orientation == .up ? lying : lying.turned(orientation, pool: pool)
    }

    /// The decoder's own memory, when nothing at all has to be done to it.
    private func passThrough(_ frame: MediaFrame, crop: UnitRect, size: PixelSize) -> VideoFrame? {
        guard frame.pixelFormat == AV_PIX_FMT_YUV420P, frame.width == size.width, frame.height == size.height,
            crop == .whole, orientation == .up, color.matrix == .bt709, !color.isFullRange, !color.changesLight,
            let held = try? frame.reference()
        else { return nil }
        let picture = held.pointer.pointee
        guard picture.linesize.0 > 0, picture.linesize.1 > 0, picture.linesize.1 == picture.linesize.2,
            let y = picture.data.0, let u = picture.data.1, let v = picture.data.2
        else { return nil }
        let planes = [
            PlaneMemory(base: y, stride: Int(picture.linesize.0)),
            PlaneMemory(base: u, stride: Int(picture.linesize.1)),
            PlaneMemory(base: v, stride: Int(picture.linesize.2)),
        ]
        // `nonisolated(unsafe)`: the reference is only dropped, once, by whoever lets go of the frame last; libav
        // counts buffer references atomically.
        nonisolated(unsafe) let reference = held
        let storage = FrameStorage(planes: planes, isWritable: false) { reference.unreference() }
        return VideoFrame(format: .yuv420, size: size, storage: storage)
    }

    private func crop(_ frame: MediaFrame, to part: UnitRect) throws -> MediaFrame {
        guard part != .whole else { return frame }
        let held = try frame.reference()
        let (w, h) = (Double(frame.width), Double(frame.height))
        // libav moves the corner to whole chroma samples.
        func even(_ value: Double) -> Int { Int((value / 2).rounded()) * 2 }
        let left = min(even(part.x * w), frame.width - 2)
        let top = min(even(part.y * h), frame.height - 2)
        held.pointer.pointee.crop_left = max(0, left)
        held.pointer.pointee.crop_top = max(0, top)
        held.pointer.pointee.crop_right = max(0, frame.width - left - max(2, even(part.width * w)))
        held.pointer.pointee.crop_bottom = max(0, frame.height - top - max(2, even(part.height * h)))
        try check(av_frame_apply_cropping(held.pointer, Int32(AV_FRAME_CROP_UNALIGNED)), "av_frame_apply_cropping")
        return held
    }

    private func scale(_ frame: MediaFrame, to size: PixelSize) throws -> VideoFrame {
        let key = Scaler.Key(format: frame.pixelFormat, width: frame.width, height: frame.height, size: size)
        if scaler?.key != key { scaler = try Scaler(key, color: color) }
        return try scaler!.scale(frame, pool: pool)
    }

    private struct LightKey: Equatable {
        var format: AVPixelFormat
        var width: Int
        var height: Int
        var size: PixelSize
    }

    /// By way of linear light, in zimg.
    private func changeLight(_ frame: MediaFrame, to size: PixelSize) throws -> VideoFrame {
        let key = LightKey(format: frame.pixelFormat, width: frame.width, height: frame.height, size: size)
        let isAlpha = frame.pixelFormat.hasAlpha && !color.isHDR
        let output = try MediaFrame()
        if lightChanger?.key != key {
            let chain = color.isHDR ? toneMapping(to: size) : primariesChange(to: size, isAlpha: isAlpha)
            lightChanger = (key, try FilterGraph(chain, like: frame, timeBase: AVRational(num: 1, den: 1)))
        }
        try lightChanger!.graph.push(frame)
        guard try lightChanger!.graph.pull(into: output) else {
            throw FFmpegError(code: editor_AVERROR_INVALIDDATA, function: "zscale", lastLogLine: nil)
        }
        return copy(output, size: size, isAlpha: isAlpha)
    }

    /// HDR to SDR by zimg and libavfilter's tone curve. Diffuse white is 203 nits (ITU-R BT.2408-7, table 1); light up
    /// to 1000 nits keeps detail.
    private func toneMapping(to size: PixelSize) -> String {
        let primaries = color.primaries == .displayP3 ? "smpte432" : "bt2020"
        return zscale(to: size, transfer: color.transfer == .pq ? "smpte2084" : "arib-std-b67", primaries: primaries)
            + ":t=linear:npl=203,format=gbrpf32le,zscale=p=709,"
            + "tonemap=mobius:param=0.3:peak=4.926:desat=0,zscale=t=709:m=709:r=limited,format=yuv420p"
    }

    private func primariesChange(to size: PixelSize, isAlpha: Bool) -> String {
        let primaries =
            switch color.primaries {
            case .bt601: "smpte170m"
            case .bt470bg: "bt470bg"
            case .bt709: "bt709"
            case .bt2020: "bt2020"
            case .displayP3: "smpte432"
            }
        // The zscale filter takes no packed pixels.
        let unpacked = color.matrix == .rgb ? "format=\(isAlpha ? "gbrap" : "gbrp")," : ""
        return unpacked
            + zscale(to: size, transfer: color.transfer == .linear ? "linear" : "bt709", primaries: primaries)
            + ":t=709:p=709:m=709:r=limited,format=\(isAlpha ? "yuva420p" : "yuv420p")"
    }

    private func zscale(to size: PixelSize, transfer: String, primaries: String) -> String {
        let matrix =
            switch color.matrix {
            case .rgb: "gbr"
            case .bt601: "smpte170m"
            case .bt709: "bt709"
            case .bt2020: "bt2020nc"
            }
        return "zscale=w=\(size.width):h=\(size.height):filter=bicubic:tin=\(transfer):min=\(matrix):pin=\(primaries):"
            + "rin=\(color.isFullRange ? "full" : "limited")"
    }

    private func copy(_ output: MediaFrame, size: PixelSize, isAlpha: Bool) -> VideoFrame {
        let result = pool.frame(isAlpha ? .yuva420 : .yuv420, size)
        let source = output.pointer.pointee
        var data: [UnsafeMutablePointer<UInt8>?] = result.planes.map(\.base)
        var strides: [Int32] = result.planes.map { Int32($0.stride) }
        while data.count < 4 {
            data.append(nil)
            strides.append(0)
        }
        var sourceData: [UnsafePointer<UInt8>?] = [
            UnsafePointer(source.data.0), UnsafePointer(source.data.1), UnsafePointer(source.data.2),
            UnsafePointer(source.data.3),
        ]
        var sourceStrides: [Int32] = [source.linesize.0, source.linesize.1, source.linesize.2, source.linesize.3]
        av_image_copy(
            &data, &strides, &sourceData, &sourceStrides, isAlpha ? AV_PIX_FMT_YUVA420P : AV_PIX_FMT_YUV420P,
            Int32(size.width), Int32(size.height))
        return result
    }
}
