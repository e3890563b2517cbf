internal import CHeif
internal import EditorCore

/// The main picture of a HEIF file (HEIC, AVIF), decoded by libheif, which is loaded when the first such file comes.
///
/// Turned, mirrored and cropped as the file says. Belongs to one thread.
final class HEIFPicture: ImageSequence {
    private let path: String
    private let library: editor_heif
    private let context: OpaquePointer
    private let handle: OpaquePointer
    /// What libheif reads from.
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let frame: MediaFrame
    private var isDecoded = false

    let size: PixelSize
    let hasAlpha: Bool
    let isDisplayP3: Bool
    let durations: [Int64] = []
    let formatName = "heif"

    /// nil when libheif is not installed.
    private static let library: editor_heif? = {
        var functions = editor_heif()
        return editor_heif_load(&functions) ? functions : nil
    }()

    static var isAvailable: Bool { library != nil }

    /// - Throws: `EditorError`: `.unavailable` without libheif or a decoder, `.invalidData` when the file is damaged or
    ///   its picture too large.
    init(_ data: [UInt8], path: String, budget: ImageBudget) throws {
        self.path = path
        guard let library = Self.library else {
            throw EditorError(
                .unavailable,
                "\(path) is a HEIF picture, which needs libheif (Debian: apt install libheif1); or save it as JPEG or PNG"
            )
        }
        guard let created = library.context_alloc() else { throw EditorError(.ioFailed, "no memory for \(path)") }
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: data.count)
        _ = copy.initialize(from: data)
        var found: OpaquePointer?
        do {
            try Self.check(
                library.context_read_from_memory_without_copy(created, copy.baseAddress, copy.count, nil), path)
            try Self.check(library.context_get_primary_image_handle(created, &found), path)
            guard let found else { throw EditorError(.invalidData, "\(path) is a HEIF file without a picture") }
            size = PixelSize(
                width: Int(library.image_handle_get_width(found)), height: Int(library.image_handle_get_height(found)))
            // Before the decoder takes memory for it.
            try budget.admit(size)
            frame = try MediaFrame()
            handle = found
        } catch {
            if let found { library.image_handle_release(found) }
            library.context_free(created)
            copy.deallocate()
            throw error
        }
        (self.library, context, bytes) = (library, created, copy)
        hasAlpha = library.image_handle_has_alpha_channel(handle) != 0
        var profile = [UInt8](repeating: 0, count: library.image_handle_get_raw_color_profile_size(handle))
        if !profile.isEmpty { _ = library.image_handle_get_raw_color_profile(handle, &profile) }
        isDisplayP3 = ColorProfile.isDisplayP3(profile)
    }

    deinit {
        library.image_handle_release(handle)
        library.context_free(context)
        bytes.deallocate()
    }

    func picture(_ index: Int) throws -> MediaFrame {
        if !isDecoded { try decode() }
        return frame
    }

    private func decode() throws {
        let options = library.decoding_options_alloc()
        defer { library.decoding_options_free(options) }
        options?.pointee.convert_hdr_to_8bit = 1
        var image: OpaquePointer?
        try Self.check(
            library.decode_image(handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, options), path)
        defer { library.image_release(image) }
        var stride: Int32 = 0
        guard let plane = library.image_get_plane_readonly(image, heif_channel_interleaved, &stride),
            library.image_get_width(image, heif_channel_interleaved) == Int32(size.width),
            library.image_get_height(image, heif_channel_interleaved) == Int32(size.height)
        else { throw EditorError(.invalidData, "\(path) is a HEIF picture that is not of the size it claims") }
        try frame.fillRGBA(plane, stride: Int(stride), size, hasAlpha: hasAlpha)
        isDecoded = true
    }

    private static func check(_ error: heif_error, _ path: String) throws {
        guard error.code != heif_error_Ok else { return }
        let reason = error.message.map { String(cString: $0) } ?? "unknown reason"
        if error.code == heif_error_Unsupported_filetype || error.code == heif_error_Unsupported_feature
            || error.code == heif_error_Decoder_plugin_error
        {
            throw EditorError(
                .unavailable, "\(path) is a HEIF picture of a kind that this libheif cannot decode: \(reason)")
        }
        throw EditorError(.invalidData, "\(path) is a damaged HEIF picture: \(reason)")
    }
}
