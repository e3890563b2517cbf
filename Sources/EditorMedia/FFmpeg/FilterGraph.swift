internal import CFFmpeg
internal import EditorCore

/// A chain of libavfilter's filters between one input and one output. Belongs to one thread.
final class FilterGraph {
    private let library: editor_filters
    private let graph: UnsafeMutablePointer<AVFilterGraph>
    private var input: UnsafeMutablePointer<AVFilterContext>?
    private var output: UnsafeMutablePointer<AVFilterContext>?

    /// A chain for pictures.
    /// - Parameter chain: filters as libavfilter writes them, `a=x,b=y`.
    convenience init(_ chain: String, like frame: MediaFrame, timeBase: AVRational) throws {
        let picture = frame.pointer.pointee
        try self.init(
            chain, source: "buffer", sink: "buffersink",
            "video_size=\(picture.width)x\(picture.height):pix_fmt=\(picture.format):time_base=\(timeBase.num)/\(timeBase.den)"
                + ":pixel_aspect=1/1")
    }

    /// A chain for the working sound: planar float, stereo, 48 kHz.
    convenience init(sound chain: String) throws {
        let rate = AudioFormat.sampleRate
        try self.init(
            chain, source: "abuffer", sink: "abuffersink",
            "sample_rate=\(rate):sample_fmt=fltp:channel_layout=stereo:time_base=1/\(rate)")
    }

    /// Whether this libavfilter has a filter.
    static func isAvailable(_ filter: String) -> Bool { FilterLibrary.installed?.get_by_name(filter) != nil }

    private init(_ chain: String, source: String, sink: String, _ arguments: String) throws {
        library = try FilterLibrary.functions()
        graph = try checkAllocated(library.graph_alloc(), "avfilter_graph_alloc")
        graph.pointee.nb_threads = 1
        FFmpegLog.forget()
        try check(
            library.graph_create_filter(&input, library.get_by_name(source), "in", arguments, nil, graph),
            "avfilter_graph_create_filter")
        try check(
            library.graph_create_filter(&output, library.get_by_name(sink), "out", nil, nil, graph),
            "avfilter_graph_create_filter")
        var outputs = library.inout_alloc()
        var inputs = library.inout_alloc()
        defer {
            library.inout_free(&outputs)
            library.inout_free(&inputs)
        }
        outputs?.pointee.name = av_strdup("in")
        outputs?.pointee.filter_ctx = input
        inputs?.pointee.name = av_strdup("out")
        inputs?.pointee.filter_ctx = output
        try check(library.graph_parse_ptr(graph, chain, &inputs, &outputs, nil), "avfilter_graph_parse_ptr")
        try check(library.graph_config(graph, nil), "avfilter_graph_config")
    }

    deinit {
        var graph: UnsafeMutablePointer<AVFilterGraph>? = graph
        library.graph_free(&graph)
    }

    /// Tells a filter of the chain something while it runs.
    func command(_ filter: String, _ word: String, _ argument: String) throws {
        try check(
            library.graph_send_command(graph, filter, word, argument, nil, 0, 0), "avfilter_graph_send_command")
    }

    /// Hands a frame over, keeping the caller's reference; nil ends the stream.
    func push(_ frame: MediaFrame?) throws {
        try check(
            library.buffersrc_add_frame_flags(input, frame?.pointer, Int32(AV_BUFFERSRC_FLAG_KEEP_REF)),
            "av_buffersrc_add_frame_flags")
    }

    /// Takes the next filtered frame; false when there is none yet, or none any more.
    func pull(into frame: MediaFrame) throws -> Bool {
        frame.unreference()
        let result = library.buffersink_get_frame(output, frame.pointer)
        if result == editor_AVERROR_EAGAIN || result == editor_AVERROR_EOF { return false }
        try check(result, "av_buffersink_get_frame")
        return true
    }
}
