internal import CFFmpeg
internal import EditorCore

/// The first picture of a stream that decodes, and what it says about the rest.
struct FirstPicture {
    var timestamp: Int64?
    var size: PixelSize
    var pixelAspect: Rational
    var pixelFormatName: String
    var hasAlpha: Bool
    var isInterlaced: Bool
    var orientation: Orientation
    var hasUnusableMatrix: Bool
    var dolbyVisionOnlyProfile: Int?
    var color: ColorDescription
    /// Packets of the stream that gave no picture before this one, beyond what reordering explains.
    var skippedPackets: Int

    fileprivate init(_ frame: MediaFrame, stream: UnsafeMutablePointer<AVStream>, skipped: Int) {
        let picture = frame.pointer.pointee
        let parameters = stream.pointee.codecpar.pointee
        timestamp = frame.pts
        size = PixelSize(width: frame.width, height: frame.height)
        let aspect =
            picture.sample_aspect_ratio.num > 0
            ? picture.sample_aspect_ratio
            : parameters.sample_aspect_ratio.num > 0
                ? parameters.sample_aspect_ratio : stream.pointee.sample_aspect_ratio
        // The container's aspect, where it has one, is what players follow.
        let container = stream.pointee.sample_aspect_ratio
        pixelAspect =
            container.num > 0 && container.den > 0
            ? container.rational : aspect.num > 0 && aspect.den > 0 ? aspect.rational : .one
        pixelFormatName = frame.pixelFormat.name
        hasAlpha = frame.pixelFormat.hasAlpha
        isInterlaced = picture.interlaced_frame != 0
        frame.completeColorTags(from: parameters)
        color = ColorDescription(frame)
        skippedPackets = skipped
        dolbyVisionOnlyProfile = stream.dolbyVisionOnlyProfile
        let found = frame.displayOrientation ?? stream.displayOrientation
        orientation = found?.orientation ?? .up
        hasUnusableMatrix = found != nil && found?.orientation == nil
    }
}

/// Looks for the first picture of a stream that decodes, in packets that come one by one.
final class FirstPictureSearch {
    private(set) var found: FirstPicture?
    private let path: String
    private let stream: UnsafeMutablePointer<AVStream>
    private let decoder: Decoder
    private let frame: MediaFrame
    private var packets = 0
    private var refused = 0

    /// No decoder needs more packets than this before its first picture.
    private static let mostPackets = 1_000

    init(_ demuxer: Demuxer, stream index: Int) throws {
        path = demuxer.path
        stream = demuxer.stream(index)
        decoder = try Decoder(stream: stream, path: path)
        frame = try MediaFrame()
    }

    /// - Throws: `EditorError` `.invalidData` when too many were sent in vain.
    func send(_ packet: Packet) throws {
        guard found == nil, packet.streamIndex == Int(stream.pointee.index) else { return }
        packets += 1
        if try !decoder.send(packet) { refused += 1 }
        try receive(acceptsDamage: false)
        if found == nil, packets >= Self.mostPackets { throw failure }
    }

    /// Takes what the decoder still holds.
    /// - Throws: `EditorError` `.invalidData` when nothing decodes.
    func finish() throws -> FirstPicture {
        if found == nil {
            _ = try decoder.send(nil)
            try receive(acceptsDamage: true)
        }
        guard let found else { throw failure }
        return found
    }

    private func receive(acceptsDamage: Bool) throws {
        while found == nil, case .frame = try decoder.receive(into: frame) {
            let isDamaged = frame.pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
            if isDamaged, !acceptsDamage {
                refused += 1
            } else if frame.width > 0, frame.height > 0 {
                found = FirstPicture(frame, stream: stream, skipped: refused)
            }
        }
    }

    private var failure: EditorError {
        UnreadablePicture(path: path)?.refusal(of: path)
            ?? EditorError(.invalidData, "\(path) has a video stream, but no picture of it can be decoded")
    }
}

extension ColorDescription {
    /// From the tags of a decoded picture; an untagged one is BT.601 below 720 lines, else BT.709.
    init(_ frame: MediaFrame) {
        let picture = frame.pointer.pointee
        let isRGB = frame.pixelFormat.isRGB
        let tagged: Matrix? =
            switch picture.colorspace {
            case AVCOL_SPC_BT709: .bt709
            case AVCOL_SPC_SMPTE170M, AVCOL_SPC_BT470BG, AVCOL_SPC_FCC, AVCOL_SPC_SMPTE240M: .bt601
            case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: .bt2020
            default: nil
            }
        let transfer: Transfer =
            switch picture.color_trc {
            case AVCOL_TRC_SMPTE2084: .pq
            case AVCOL_TRC_ARIB_STD_B67: .hlg
            case AVCOL_TRC_LINEAR: .linear
            default: .sdr
            }
        let primaries: Primaries =
            switch picture.color_primaries {
            case AVCOL_PRI_BT2020: .bt2020
            case AVCOL_PRI_SMPTE170M, AVCOL_PRI_SMPTE240M: .bt601
            case AVCOL_PRI_BT470BG: .bt470bg
            case AVCOL_PRI_SMPTE432: .displayP3
            case AVCOL_PRI_UNSPECIFIED: frame.hasDisplayP3Profile ? .displayP3 : .bt709
            default: .bt709
            }
        let guessed: Matrix = transfer == .pq || transfer == .hlg ? .bt2020 : frame.height < 720 ? .bt601 : .bt709
        // Stills in JPEG's own colours are always BT.601 (JFIF).
        let isJPEG = Self.jpegFormats.contains(frame.pixelFormat)
        self.init(
            matrix: isRGB
                ? .rgb : tagged ?? (isJPEG && picture.color_primaries == AVCOL_PRI_UNSPECIFIED ? .bt601 : guessed),
            isFullRange: isRGB || isJPEG || picture.color_range == AVCOL_RANGE_JPEG,
            transfer: transfer, primaries: primaries, isTagged: isRGB || tagged != nil)
    }

    private static let jpegFormats: [AVPixelFormat] = [
        AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P,
    ]
}

/// A display matrix that was found; the orientation is nil when it is none of the eight.
struct DisplayMatrix {
    var orientation: Orientation?

    init(_ matrix: UnsafePointer<Int32>) {
        orientation = Orientation(
            a: Double(matrix[0]), b: Double(matrix[1]), c: Double(matrix[3]), d: Double(matrix[4]))
    }
}

extension MediaFrame {
    /// Photos carry their colours as an ICC profile.
    fileprivate var hasDisplayP3Profile: Bool {
        guard let data = av_frame_get_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE) else { return false }
        return ColorProfile.isDisplayP3(
            Array(UnsafeBufferPointer(start: data.pointee.data, count: data.pointee.size)))
    }

    /// What the pictures do not say of their colours the container may.
    fileprivate func completeColorTags(from parameters: AVCodecParameters) {
        let picture = pointer
        if picture.pointee.colorspace == AVCOL_SPC_UNSPECIFIED { picture.pointee.colorspace = parameters.color_space }
        if picture.pointee.color_trc == AVCOL_TRC_UNSPECIFIED { picture.pointee.color_trc = parameters.color_trc }
        if picture.pointee.color_range == AVCOL_RANGE_UNSPECIFIED {
            picture.pointee.color_range = parameters.color_range
        }
        if picture.pointee.color_primaries == AVCOL_PRI_UNSPECIFIED {
            picture.pointee.color_primaries = parameters.color_primaries
        }
    }

    /// From the picture itself: stills carry their EXIF orientation here.
    var displayOrientation: DisplayMatrix? {
        guard let data = av_frame_get_side_data(pointer, AV_FRAME_DATA_DISPLAYMATRIX), data.pointee.size >= 36 else {
            return nil
        }
        return data.pointee.data.withMemoryRebound(to: Int32.self, capacity: 9) { DisplayMatrix($0) }
    }
}

extension UnsafeMutablePointer<AVStream> {
    /// The profile of a Dolby Vision stream that has no picture for other decoders; nil for any other stream.
    var dolbyVisionOnlyProfile: Int? {
        for index in 0..<Int(pointee.nb_side_data) {
            let entry = pointee.side_data[index]
            guard entry.type == AV_PKT_DATA_DOVI_CONF,
                entry.size >= MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
            else { continue }
            return entry.data.withMemoryRebound(to: AVDOVIDecoderConfigurationRecord.self, capacity: 1) {
                // A compatibility of 0 is none (Dolby Vision streams within ISO base media files, 3.2).
                $0.pointee.dv_bl_signal_compatibility_id == 0 ? Int($0.pointee.dv_profile) : nil
            }
        }
        return nil
    }

    /// From the container, in whatever place of the side data.
    var displayOrientation: DisplayMatrix? {
        for index in 0..<Int(pointee.nb_side_data) {
            let entry = pointee.side_data[index]
            guard entry.type == AV_PKT_DATA_DISPLAYMATRIX, entry.size >= 36 else { continue }
            return entry.data.withMemoryRebound(to: Int32.self, capacity: 9) { DisplayMatrix($0) }
        }
        return nil
    }
}
