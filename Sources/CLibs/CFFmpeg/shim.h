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
#include <stdlib.h>

/* Macros that Swift does not import. */
static const int editor_AVERROR_EOF = AVERROR_EOF;
static const int editor_AVERROR_EAGAIN = AVERROR(EAGAIN);
static const int editor_AVERROR_ENOMEM = AVERROR(ENOMEM);
static const int editor_AVERROR_INVALIDDATA = AVERROR_INVALIDDATA;
static const int64_t editor_AV_NOPTS_VALUE = AV_NOPTS_VALUE;
/* Blocks of `size` bytes and more come from the system and go back to it; smaller ones stay with the process. */
static inline void editor_large_blocks_from_system(int size) {
    mallopt(M_MMAP_THRESHOLD, size);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
}
/* Whether a new block of `size` bytes is zero although one that was not has just been freed. */
static inline int editor_new_blocks_are_zero(size_t size) {
    int are_zero = 1;
    for (int round = 0; round < 2; round++) {
        volatile unsigned char *block = (volatile unsigned char *)malloc(size);
        if (!block) return 0;
        for (size_t place = 0; place < size; place += 64) {
            if (block[place]) are_zero = 0;
            block[place] = 0xA5;
        }
        free((void *)block);
    }
    return are_zero;
}
static inline int editor_averror(int posix) { return AVERROR(posix); }
