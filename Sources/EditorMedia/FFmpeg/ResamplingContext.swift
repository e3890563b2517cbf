internal import CFFmpeg

/// libswresample between two formats; owns its SwrContext. Belongs to one thread.
final class ResamplingContext {
    struct Format {
        var layout: AVChannelLayout
        var sample: AVSampleFormat
        var rate: Int32
    }

    private let pointer: OpaquePointer

    /// - Parameter matrix: rows of the output's channels, one factor for each of the input's; nil is libswresample's own.
    init(from input: Format, to output: Format, matrix: [Double]? = nil) throws {
        var (inputLayout, outputLayout) = (input.layout, output.layout)
        var created: OpaquePointer?
        try check(
            swr_alloc_set_opts2(
                &created, &outputLayout, output.sample, output.rate, &inputLayout, input.sample, input.rate, 0, nil),
            "swr_alloc_set_opts2")
        pointer = try checkAllocated(created, "swr_alloc_set_opts2")
        if let matrix { try check(swr_set_matrix(pointer, matrix, inputLayout.nb_channels), "swr_set_matrix") }
        try check(swr_init(pointer), "swr_init")
    }

    // Runs also when `init` throws once `pointer` is set.
    deinit {
        var pointer: OpaquePointer? = pointer
        swr_free(&pointer)
    }

    /// Samples that `count` more would give at most, with what is left inside.
    func room(for count: Int32) -> Int32 { swr_get_out_samples(pointer, count) }

    /// Samples at `rate` that are inside and not given out yet.
    func delay(at rate: Int) -> Int { Int(swr_get_delay(pointer, Int64(rate))) }

    /// - Parameters:
    ///   - input: planes of `count` samples; nil lets out what is left inside.
    ///   - room: samples that the planes of `output` have place for.
    /// - Returns: samples written.
    func convert(
        _ input: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int32,
        into output: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, room: Int32
    ) throws -> Int32 {
        try check(swr_convert(pointer, output, room, input, count), "swr_convert")
    }
}
