internal import CFFmpeg

/// What libav says of its pixel formats.
extension AVPixelFormat {
    private var descriptor: AVPixFmtDescriptor? { av_pix_fmt_desc_get(self)?.pointee }

    private func has(_ flag: Int32) -> Bool { (descriptor?.flags ?? 0) & UInt64(flag) != 0 }

    var name: String { descriptor.map { String(cString: $0.name) } ?? "unknown" }

    /// Whether its pictures may have transparent parts; palettes may.
    var hasAlpha: Bool { self == AV_PIX_FMT_PAL8 || has(AV_PIX_FMT_FLAG_ALPHA) }

    /// Whether its samples are R′G′B′, as those of palettes are.
    var isRGB: Bool { self == AV_PIX_FMT_PAL8 || has(AV_PIX_FMT_FLAG_RGB) }

    var isGray: Bool { (descriptor?.nb_components ?? 3) <= 2 }
}
