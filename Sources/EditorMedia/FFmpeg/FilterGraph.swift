internal import CFFmpeg
internal import EditorCore

/// A chain of libavfilter's video filters between one input and one output. Belongs to one thread.
final class FilterGraph {
    private let graph: UnsafeMutablePointer<AVFilterGraph>
    private var input: UnsafeMutablePointer<AVFilterContext>?
    private var output: UnsafeMutablePointer<AVFilterContext>?

    /// - Parameter chain: filters as libavfilter writes them, `a=x,b=y`.
    init(_ chain: String, like frame: MediaFrame, timeBase: AVRational) throws {
        graph = try checkAllocated(avfilter_graph_alloc(), "avfilter_graph_alloc")
        graph.pointee.nb_threads = 1
        let picture = frame.pointer.pointee
        let arguments =
            "video_size=\(picture.width)x\(picture.height):pix_fmt=\(picture.format):time_base=\(timeBase.num)/\(timeBase.den)"
            + ":pixel_aspect=1/1"
        try check(
            avfilter_graph_create_filter(&input, avfilter_get_by_name("buffer"), "in", arguments, nil, graph),
            "avfilter_graph_create_filter")
        try check(
            avfilter_graph_create_filter(&output, avfilter_get_by_name("buffersink"), "out", nil, nil, graph),
            "avfilter_graph_create_filter")
        var outputs = avfilter_inout_alloc()
        var inputs = avfilter_inout_alloc()
        defer {
            avfilter_inout_free(&outputs)
            avfilter_inout_free(&inputs)
        }
        outputs?.pointee.name = av_strdup("in")
        outputs?.pointee.filter_ctx = input
        inputs?.pointee.name = av_strdup("out")
        inputs?.pointee.filter_ctx = output
        try check(avfilter_graph_parse_ptr(graph, chain, &inputs, &outputs, nil), "avfilter_graph_parse_ptr")
        try check(avfilter_graph_config(graph, nil), "avfilter_graph_config")
    }

    deinit {
        var graph: UnsafeMutablePointer<AVFilterGraph>? = graph
        avfilter_graph_free(&graph)
    }

    /// Hands a frame over, keeping the caller's reference; nil ends the stream.
    func push(_ frame: MediaFrame?) throws {
        try check(
            av_buffersrc_add_frame_flags(input, frame?.pointer, Int32(AV_BUFFERSRC_FLAG_KEEP_REF)),
            "av_buffersrc_add_frame_flags")
    }

    /// Takes the next filtered frame; false when there is none yet, or none any more.
    func pull(into frame: MediaFrame) throws -> Bool {
        frame.unreference()
        let result = av_buffersink_get_frame(output, frame.pointer)
        if result == editor_AVERROR_EAGAIN || result == editor_AVERROR_EOF { return false }
        try check(result, "av_buffersink_get_frame")
        return true
    }
}
