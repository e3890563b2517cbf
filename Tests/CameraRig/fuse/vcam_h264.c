/* vcam_h264: the coder of a camera that gives H.264, by libx264. One stream from the camera's start on; no picture waits in it,
 * but with B pictures (VCAM_H264 is "b"), which come out of order as they do.
 * With VCAM_DUMP set, everything it coded is appended to VCAM_DUMP/cameraN.h264. */
#include "vcam_core.h"
#include <libavcodec/avcodec.h>
#include <libavutil/opt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int setting(struct vcam *c, uint32_t id, int dflt){ for(int i=0;i<c->nctrl;i++) if(c->ctrl[i].id==id) return c->ctrl[i].val; return dflt; }

static AVCodecContext *start(struct vcam *c){
  const AVCodec *k=avcodec_find_encoder_by_name("libx264"); if(!k){ fprintf(stderr,"vcam: no libx264\n"); exit(1); }
  AVCodecContext *x=avcodec_alloc_context3(k);
  x->width=c->w; x->height=c->h; x->pix_fmt=AV_PIX_FMT_YUV420P; x->time_base=(AVRational){c->tpf_num,c->tpf_den}; x->framerate=(AVRational){c->tpf_den,c->tpf_num};
  x->gop_size=setting(c,V4L2_CID_MPEG_VIDEO_GOP_SIZE,60); x->thread_count=1;
  const char *kind=getenv("VCAM_H264"); int has_b=kind&&!strcmp(kind,"b"); x->max_b_frames=has_b?2:0;
  av_opt_set(x->priv_data,"preset","ultrafast",0); if(!has_b) av_opt_set(x->priv_data,"tune","zerolatency",0);
  av_opt_set(x->priv_data,"crf","16",0);
  av_opt_set(x->priv_data,"forced-idr","1",0); av_opt_set(x->priv_data,"x264-params","scenecut=0",0);
  if(avcodec_open2(x,k,NULL)<0){ fprintf(stderr,"vcam: libx264 does not open\n"); exit(1); }
  return x; }

size_t vcam_h264(struct vcam *c, uint32_t seq, int key, const uint8_t *yuyv, uint8_t *out, size_t room){
  static AVCodecContext *coders[2]; AVCodecContext **x=&coders[c->facing_pattern?1:0];
  if(seq==0||!*x||(*x)->width!=(int)c->w||(*x)->height!=(int)c->h){ avcodec_free_context(x); *x=start(c); }
  AVFrame *f=av_frame_alloc(); f->width=c->w; f->height=c->h; f->format=AV_PIX_FMT_YUV420P; f->pts=seq; f->pict_type=key?AV_PICTURE_TYPE_I:AV_PICTURE_TYPE_NONE;
  av_frame_get_buffer(f,0);
  for(uint32_t y=0;y<c->h;y++){ const uint8_t *row=yuyv+(size_t)y*c->w*2; uint8_t *l=f->data[0]+(size_t)y*f->linesize[0], *u=f->data[1]+(size_t)(y/2)*f->linesize[1], *v=f->data[2]+(size_t)(y/2)*f->linesize[2];
    for(uint32_t i=0;i<c->w/2;i++){ l[2*i]=row[4*i]; l[2*i+1]=row[4*i+2]; if(!(y&1)){ u[i]=row[4*i+1]; v[i]=row[4*i+3]; } } }
  AVPacket *p=av_packet_alloc(); size_t n=0;
  if(avcodec_send_frame(*x,f)>=0&&avcodec_receive_packet(*x,p)>=0&&(size_t)p->size<=room){ n=p->size; memcpy(out,p->data,n); }
  av_packet_free(&p); av_frame_free(&f);
  const char *d=getenv("VCAM_DUMP"); char path[4096];
  if(d&&n){ snprintf(path,sizeof path,"%s/camera%d.h264",d,c->facing_pattern?1:0); FILE *o=fopen(path,"ab"); if(o){ fwrite(out,1,n,o); fclose(o); } }
  return n; }
