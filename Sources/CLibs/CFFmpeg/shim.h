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
#include <malloc.h>

/* Macros that Swift does not import. */
static const int editor_AVERROR_EOF = AVERROR_EOF;
static const int editor_AVERROR_EAGAIN = AVERROR(EAGAIN);
static const int editor_AVERROR_ENOMEM = AVERROR(ENOMEM);
static const int editor_AVERROR_INVALIDDATA = AVERROR_INVALIDDATA;
static const int64_t editor_AV_NOPTS_VALUE = AV_NOPTS_VALUE;
/* Large freed blocks stay with the process. */
static inline void editor_keep_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
}
static inline int editor_averror(int posix) { return AVERROR(posix); }
