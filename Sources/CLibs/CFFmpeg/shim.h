#pragma once
#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/cpu.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <dlfcn.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>

/* Macros that Swift does not import. */
static const int editor_AVERROR_EOF = AVERROR_EOF;
static const int editor_AVERROR_EAGAIN = AVERROR(EAGAIN);
static const int editor_AVERROR_ENOMEM = AVERROR(ENOMEM);
static const int editor_AVERROR_INVALIDDATA = AVERROR_INVALIDDATA;
static const int64_t editor_AV_NOPTS_VALUE = AV_NOPTS_VALUE;
static const unsigned editor_avfilter_version = LIBAVFILTER_VERSION_INT;
/* New blocks are zero, but for those below a kilobyte (mallopt(3): M_PERTURB fills with the complement), and large freed
   ones stay with the process. False where another allocator is at work: then a new block holds what a freed one left. */
static inline bool editor_shape_memory(void) {
    mallopt(M_PERTURB, 0xff);
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    bool is_zero = true;
    const size_t size = 1 << 16;
    for (int round = 0; round < 2; round++) {
        volatile unsigned char *block = (volatile unsigned char *)malloc(size);
        if (!block) return false;
        for (size_t place = 0; place < size; place++) {
            if (block[place]) is_zero = false;
            block[place] = 0xa5;
        }
        free((void *)block);
    }
    return is_zero;
}
/* libavfilter's functions, found at run time. */
typedef struct {
    __typeof__(&avfilter_graph_alloc) graph_alloc;
    __typeof__(&avfilter_graph_create_filter) graph_create_filter;
    __typeof__(&avfilter_graph_parse_ptr) graph_parse_ptr;
    __typeof__(&avfilter_graph_config) graph_config;
    __typeof__(&avfilter_graph_free) graph_free;
    __typeof__(&avfilter_graph_send_command) graph_send_command;
    __typeof__(&avfilter_get_by_name) get_by_name;
    __typeof__(&avfilter_inout_alloc) inout_alloc;
    __typeof__(&avfilter_inout_free) inout_free;
    __typeof__(&av_buffersrc_add_frame_flags) buffersrc_add_frame_flags;
    __typeof__(&av_buffersink_get_frame) buffersink_get_frame;
} editor_filters;
/* Loads libavfilter, which stays loaded; false when the one of these headers is not installed. */
static inline bool editor_filters_load(editor_filters *functions) {
    void *library = dlopen("libavfilter.so." AV_STRINGIFY(LIBAVFILTER_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
#define EDITOR_FILTERS_FIND(name, prefix) \
    functions->name = (__typeof__(functions->name))dlsym(library, prefix #name); \
    if (!functions->name) return false
    EDITOR_FILTERS_FIND(graph_alloc, "avfilter_");
    EDITOR_FILTERS_FIND(graph_create_filter, "avfilter_");
    EDITOR_FILTERS_FIND(graph_parse_ptr, "avfilter_");
    EDITOR_FILTERS_FIND(graph_config, "avfilter_");
    EDITOR_FILTERS_FIND(graph_free, "avfilter_");
    EDITOR_FILTERS_FIND(graph_send_command, "avfilter_");
    EDITOR_FILTERS_FIND(get_by_name, "avfilter_");
    EDITOR_FILTERS_FIND(inout_alloc, "avfilter_");
    EDITOR_FILTERS_FIND(inout_free, "avfilter_");
    EDITOR_FILTERS_FIND(buffersrc_add_frame_flags, "av_");
    EDITOR_FILTERS_FIND(buffersink_get_frame, "av_");
#undef EDITOR_FILTERS_FIND
    return true;
}
static inline int editor_averror(int posix) { return AVERROR(posix); }
