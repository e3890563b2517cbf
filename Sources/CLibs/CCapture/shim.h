#pragma once
#include <alsa/asoundlib.h>
#include <libv4l2.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <stdio.h>
#include <sys/eventfd.h>

/* Requests and four-letter codes are macros that Swift does not import. */
static const unsigned long editor_VIDIOC_QUERYCAP = VIDIOC_QUERYCAP;
static const unsigned long editor_VIDIOC_ENUM_FMT = VIDIOC_ENUM_FMT;
static const unsigned long editor_VIDIOC_ENUM_FRAMESIZES = VIDIOC_ENUM_FRAMESIZES;
static const unsigned long editor_VIDIOC_ENUM_FRAMEINTERVALS = VIDIOC_ENUM_FRAMEINTERVALS;
static const unsigned long editor_VIDIOC_S_FMT = VIDIOC_S_FMT;
static const unsigned long editor_VIDIOC_S_PARM = VIDIOC_S_PARM;
static const unsigned long editor_VIDIOC_REQBUFS = VIDIOC_REQBUFS;
static const unsigned long editor_VIDIOC_QUERYBUF = VIDIOC_QUERYBUF;
static const unsigned long editor_VIDIOC_QBUF = VIDIOC_QBUF;
static const unsigned long editor_VIDIOC_DQBUF = VIDIOC_DQBUF;
static const unsigned long editor_VIDIOC_STREAMON = VIDIOC_STREAMON;
static const unsigned long editor_VIDIOC_STREAMOFF = VIDIOC_STREAMOFF;
static const unsigned long editor_VIDIOC_QUERYCTRL = VIDIOC_QUERYCTRL;
static const unsigned long editor_VIDIOC_QUERYMENU = VIDIOC_QUERYMENU;
static const unsigned long editor_VIDIOC_G_CTRL = VIDIOC_G_CTRL;
static const unsigned long editor_VIDIOC_S_CTRL = VIDIOC_S_CTRL;

static const unsigned editor_V4L2_PIX_FMT_YUYV = V4L2_PIX_FMT_YUYV;
static const unsigned editor_V4L2_PIX_FMT_UYVY = V4L2_PIX_FMT_UYVY;
static const unsigned editor_V4L2_PIX_FMT_NV12 = V4L2_PIX_FMT_NV12;
static const unsigned editor_V4L2_PIX_FMT_YUV420 = V4L2_PIX_FMT_YUV420;
static const unsigned editor_V4L2_PIX_FMT_RGB24 = V4L2_PIX_FMT_RGB24;
static const unsigned editor_V4L2_PIX_FMT_MJPEG = V4L2_PIX_FMT_MJPEG;
static const unsigned editor_V4L2_PIX_FMT_JPEG = V4L2_PIX_FMT_JPEG;
static const unsigned editor_V4L2_PIX_FMT_H264 = V4L2_PIX_FMT_H264;

static const unsigned editor_V4L2_CTRL_FLAG_NEXT_CTRL = V4L2_CTRL_FLAG_NEXT_CTRL;
static const unsigned editor_V4L2_CID_HFLIP = V4L2_CID_HFLIP;
static const unsigned editor_V4L2_CID_EXPOSURE_AUTO = V4L2_CID_EXPOSURE_AUTO;
static const unsigned editor_V4L2_CID_EXPOSURE_ABSOLUTE = V4L2_CID_EXPOSURE_ABSOLUTE;
static const unsigned editor_V4L2_CID_3A_LOCK = V4L2_CID_3A_LOCK;
static const unsigned editor_V4L2_CID_FOCUS_ABSOLUTE = V4L2_CID_FOCUS_ABSOLUTE;
static const unsigned editor_V4L2_CID_FOCUS_AUTO = V4L2_CID_FOCUS_AUTO;
static const unsigned editor_V4L2_CID_AUTO_FOCUS_START = V4L2_CID_AUTO_FOCUS_START;
static const unsigned editor_V4L2_CID_ZOOM_ABSOLUTE = V4L2_CID_ZOOM_ABSOLUTE;
static const unsigned editor_V4L2_CID_IMAGE_STABILIZATION = V4L2_CID_IMAGE_STABILIZATION;
static const unsigned editor_V4L2_CID_MPEG_VIDEO_B_FRAMES = V4L2_CID_MPEG_VIDEO_B_FRAMES;
static const unsigned editor_V4L2_CID_MPEG_VIDEO_FORCE_KEY_FRAME = V4L2_CID_MPEG_VIDEO_FORCE_KEY_FRAME;
static const unsigned editor_V4L2_CID_MPEG_VIDEO_REPEAT_SEQ_HEADER = V4L2_CID_MPEG_VIDEO_REPEAT_SEQ_HEADER;
static const unsigned editor_V4L2_CID_FLASH_LED_MODE = V4L2_CID_FLASH_LED_MODE;
static const unsigned editor_V4L2_CID_FLASH_STROBE = V4L2_CID_FLASH_STROBE;

/* Variadic functions and a global variable. */
static inline int editor_v4l2_open(const char *path, int flags) { return v4l2_open(path, flags); }
static inline int editor_v4l2_ioctl(int file, unsigned long request, void *argument) {
    return v4l2_ioctl(file, request, argument);
}
static inline void editor_v4l2_log_to(FILE *file) { v4l2_log_file = file; }

/* ALSA prints to standard error unless it has a handler, and the handler is variadic. */
static inline void editor_alsa_ignore(const char *file, int line, const char *function, int code, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)code, (void)format;
}
static inline void editor_alsa_be_quiet(void) { snd_lib_error_set_handler(editor_alsa_ignore); }
