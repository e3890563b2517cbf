#include "vcam_core.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct { uint32_t w, h; } SIZES[] = {{320,240},{640,480},{1280,720}};
static const struct { uint32_t n, d; } RATES[] = {{1,30},{1,25},{1,15},{1,10},{1,5}};
static const uint32_t FMTS[] = {V4L2_PIX_FMT_YUYV, V4L2_PIX_FMT_MJPEG, V4L2_PIX_FMT_H264};
int vcam_has_h264;
static const char *const M_LED[] = {"None","Flash","Torch",NULL};
static const char *const M_EXP[] = {"Auto Mode","Manual Mode","Shutter Priority Mode","Aperture Priority Mode",NULL};
#define N(a) (sizeof(a)/sizeof((a)[0]))

uint64_t vcam_now(void){ struct timespec t; clock_gettime(CLOCK_MONOTONIC,&t); return t.tv_sec*1000000000ull+t.tv_nsec; }

static void addc(struct vcam *c, uint32_t id, uint32_t type, const char *name, int min, int max, int step, int def, uint32_t flags, const char *const *menu){
  c->ctrl[c->nctrl++] = (struct vcam_ctrl){id,type,name,min,max,step,def,def,flags,menu}; }
static void set_size(struct vcam *c, uint32_t w, uint32_t h, uint32_t f){
  c->w=w; c->h=h; c->pixfmt=f; c->sizeimage = w*h*2; }

void vcam_init(struct vcam *c, const char *card, const char *bus, int facing){
  memset(c,0,sizeof *c); snprintf(c->card,sizeof c->card,"%s",card); snprintf(c->bus,sizeof c->bus,"%s",bus);
  c->facing_pattern=facing; c->tpf_num=1; c->tpf_den=30; c->rnd=1; c->scratch=malloc(VCAM_BUFSPAN);
  set_size(c,640,480,V4L2_PIX_FMT_YUYV);
  /* ascending ids: NEXT_CTRL enumeration relies on it */
  addc(c,V4L2_CID_USER_CLASS,V4L2_CTRL_TYPE_CTRL_CLASS,"User Controls",0,0,0,0,V4L2_CTRL_FLAG_READ_ONLY|V4L2_CTRL_FLAG_WRITE_ONLY,NULL);
  addc(c,V4L2_CID_BRIGHTNESS,V4L2_CTRL_TYPE_INTEGER,"Brightness",0,255,1,128,V4L2_CTRL_FLAG_SLIDER,NULL);
  addc(c,V4L2_CID_HFLIP,V4L2_CTRL_TYPE_BOOLEAN,"Horizontal Flip",0,1,1,0,0,NULL);
  if(vcam_has_h264){
  addc(c,V4L2_CID_CODEC_CLASS,V4L2_CTRL_TYPE_CTRL_CLASS,"Codec Controls",0,0,0,0,V4L2_CTRL_FLAG_READ_ONLY|V4L2_CTRL_FLAG_WRITE_ONLY,NULL);
  addc(c,V4L2_CID_MPEG_VIDEO_GOP_SIZE,V4L2_CTRL_TYPE_INTEGER,"Video GOP Size",1,300,1,60,0,NULL);
  addc(c,V4L2_CID_MPEG_VIDEO_FORCE_KEY_FRAME,V4L2_CTRL_TYPE_BUTTON,"Force Key Frame",0,0,0,0,V4L2_CTRL_FLAG_WRITE_ONLY|V4L2_CTRL_FLAG_EXECUTE_ON_WRITE,NULL);
  c->code=vcam_h264; }
  addc(c,V4L2_CID_CAMERA_CLASS,V4L2_CTRL_TYPE_CTRL_CLASS,"Camera Controls",0,0,0,0,V4L2_CTRL_FLAG_READ_ONLY|V4L2_CTRL_FLAG_WRITE_ONLY,NULL);
  addc(c,V4L2_CID_EXPOSURE_AUTO,V4L2_CTRL_TYPE_MENU,"Auto Exposure",0,3,1,3,V4L2_CTRL_FLAG_UPDATE,M_EXP);
  addc(c,V4L2_CID_EXPOSURE_ABSOLUTE,V4L2_CTRL_TYPE_INTEGER,"Exposure Time, Absolute",3,2047,1,250,V4L2_CTRL_FLAG_INACTIVE,NULL);
  addc(c,V4L2_CID_FOCUS_ABSOLUTE,V4L2_CTRL_TYPE_INTEGER,"Focus, Absolute",0,250,5,0,V4L2_CTRL_FLAG_INACTIVE,NULL);
  addc(c,V4L2_CID_FOCUS_AUTO,V4L2_CTRL_TYPE_BOOLEAN,"Focus, Automatic Continuous",0,1,1,1,V4L2_CTRL_FLAG_UPDATE,NULL);
  addc(c,V4L2_CID_ZOOM_ABSOLUTE,V4L2_CTRL_TYPE_INTEGER,"Zoom, Absolute",100,500,1,100,0,NULL);
  addc(c,V4L2_CID_AUTO_FOCUS_START,V4L2_CTRL_TYPE_BUTTON,"Auto Focus, Start",0,0,0,0,V4L2_CTRL_FLAG_WRITE_ONLY|V4L2_CTRL_FLAG_EXECUTE_ON_WRITE,NULL);
  if(!facing){
  addc(c,V4L2_CID_FLASH_CLASS,V4L2_CTRL_TYPE_CTRL_CLASS,"Flash Controls",0,0,0,0,V4L2_CTRL_FLAG_READ_ONLY|V4L2_CTRL_FLAG_WRITE_ONLY,NULL);
  addc(c,V4L2_CID_FLASH_LED_MODE,V4L2_CTRL_TYPE_MENU,"LED Mode",0,2,1,0,0,M_LED);
  addc(c,V4L2_CID_FLASH_TORCH_INTENSITY,V4L2_CTRL_TYPE_INTEGER,"Intensity, Torch Mode",0,100,1,50,0,NULL); }
}
void vcam_set_mjpeg(struct vcam *c, const uint8_t *p, size_t n){
  c->mjpeg=p; c->mjpeg_len=n; c->mj_off=calloc(4096,sizeof(size_t)); c->mj_n=0;
  for(size_t i=0;i+2<n && c->mj_n<4094;i++) if(p[i]==0xff&&p[i+1]==0xd8&&p[i+2]==0xff) c->mj_off[c->mj_n++]=i;
  c->mj_off[c->mj_n]=n;
}
static struct vcam_ctrl *find(struct vcam *c, uint32_t id){ for(int i=0;i<c->nctrl;i++) if(c->ctrl[i].id==id) return &c->ctrl[i]; return NULL; }
static int cv(struct vcam *c, uint32_t id, int dflt){ struct vcam_ctrl *k=find(c,id); return k?k->val:dflt; }

/* Pattern: moving diagonal gradient (scaled by zoom, flipped by HFLIP, offset by brightness, +60 luma with torch)
 * and along the bottom 32 cells of white/black = frame sequence number, MSB first. */
static size_t render(struct vcam *c, uint32_t seq){
  if(c->pixfmt==V4L2_PIX_FMT_MJPEG && c->mj_n){
    size_t a=c->mj_off[seq%c->mj_n], b=c->mj_off[seq%c->mj_n+1]; if(b-a>VCAM_BUFSPAN) return 0; memcpy(c->scratch,c->mjpeg+a,b-a); return b-a; }
  int w=c->w,h=c->h, zoom=cv(c,V4L2_CID_ZOOM_ABSOLUTE,100), br=cv(c,V4L2_CID_BRIGHTNESS,128)-128, flip=cv(c,V4L2_CID_HFLIP,0);
  int torch=cv(c,V4L2_CID_FLASH_LED_MODE,0)==2?60:0; uint8_t u=c->facing_pattern?170:90, v=c->facing_pattern?90:170;
  int bar=h/15, cell=w/32;
  static __thread uint8_t lut[4096]; 
  for(int i=0;i<w&&i<4096;i++){ int x=flip?w-1-i:i; lut[i]=(uint8_t)(((x-w/2)*100/zoom)); }
  for(int y=0;y<h;y++){ uint8_t *o=c->scratch+(size_t)y*w*2; 
    if(y>=h-bar){ for(int x=0;x<w;x+=2){ int k=x/cell; uint8_t l=k<32&&(seq>>(31-k)&1)?235:16; o[0]=l;o[1]=128;o[2]=l;o[3]=128;o+=4; } continue; }
    int base=(y-h/2)*100/zoom+(int)seq*4;
    for(int x=0;x<w;x+=2){ int a=(((lut[x]+base)&127)+50+br+torch), b=(((lut[x+1]+base)&127)+50+br+torch);
      o[0]=a<16?16:a>235?235:a; o[1]=u; o[2]=b<16?16:b>235?235:b; o[3]=v; o+=4; } }
  return (size_t)w*h*2;
}
static uint64_t period(struct vcam *c){ return 1000000000ull*c->tpf_num/c->tpf_den; }
uint64_t vcam_next_due(struct vcam *c){ return c->streaming&&!c->stalled ? c->t0+(uint64_t)(c->next_seq+1)*period(c) : 0; }
void vcam_advance(struct vcam *c, uint64_t now){
  while(c->streaming && !c->stalled && !c->disconnected && vcam_next_due(c)<=now){
    uint32_t seq=c->next_seq++; uint64_t ts=c->t0+(uint64_t)(seq+1)*period(c);
    /* A coder codes every picture, whether it is lost on its way or not. */
    size_t coded=0; if(c->pixfmt==V4L2_PIX_FMT_H264){ static uint8_t yuyv[VCAM_BUFSPAN]; size_t n=render(c,seq); memcpy(yuyv,c->scratch,n); int key=c->wants_key&&!c->ignores_keys; c->wants_key=0; coded=c->code(c,seq,key,yuyv,c->scratch,VCAM_BUFSPAN); }
    int drop = c->drop_pct && (int)((c->rnd=c->rnd*1103515245u+12345u)>>16)%100 < c->drop_pct;
    if(drop || !c->qn){ c->dropped++; continue; }
    int i=c->q[0]; memmove(c->q,c->q+1,--c->qn*sizeof(int));
    size_t n=coded?coded:render(c,seq); struct vcam_buf *b=&c->buf[i];
    b->flags=0; if(c->err_frames>0){ c->err_frames--; b->flags=V4L2_BUF_FLAG_ERROR; n/=2; }
    c->store(c->opaque,i,c->scratch,n);
    b->state=2;b->seq=seq;b->ts=ts;b->bytesused=n; c->d[c->dn++]=i; c->produced++;
  }
}
void vcam_reset_file(struct vcam *c){ c->streaming=0;c->nbuf=0;c->qn=c->dn=0; }

static void fill_buf(struct vcam *c, struct v4l2_buffer *b){
  struct vcam_buf *k=&c->buf[b->index]; 
  b->length=(c->sizeimage+4095)&~4095u; b->m.offset=b->index*VCAM_BUFSPAN; b->memory=V4L2_MEMORY_MMAP; b->field=V4L2_FIELD_NONE;
  b->flags=V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC|(k->state==1?V4L2_BUF_FLAG_QUEUED:k->state==2?V4L2_BUF_FLAG_DONE:0);
  b->bytesused=k->state==2?k->bytesused:0; b->sequence=k->seq; b->timestamp.tv_sec=k->ts/1000000000ull; b->timestamp.tv_usec=k->ts%1000000000ull/1000;
}
static void fill_pix(struct v4l2_pix_format *p, uint32_t w, uint32_t h, uint32_t f){
  memset(p,0,sizeof *p); p->width=w;p->height=h;p->pixelformat=f;p->field=V4L2_FIELD_NONE;p->sizeimage=w*h*2;
  p->bytesperline=f==V4L2_PIX_FMT_YUYV?w*2:0; p->colorspace=f==V4L2_PIX_FMT_MJPEG?V4L2_COLORSPACE_JPEG:V4L2_COLORSPACE_SRGB; p->priv=V4L2_PIX_FMT_PRIV_MAGIC; }
static int offers(struct vcam *c, uint32_t f){ return f==FMTS[0]||(f==FMTS[1]&&c->mj_n)||(f==FMTS[2]&&c->code); }
static void nearest(struct vcam *c, uint32_t *w, uint32_t *h, uint32_t *f){
  size_t best=0; long bd=1L<<60; for(size_t i=0;i<N(SIZES);i++){ long d=labs((long)SIZES[i].w-(long)*w)+labs((long)SIZES[i].h-(long)*h); if(d<bd){bd=d;best=i;} }
  *w=SIZES[best].w;*h=SIZES[best].h; if(!offers(c,*f))*f=FMTS[0]; }
static int set_ctrl(struct vcam *c, struct vcam_ctrl *k, int64_t v, int doit){
  if(k->type==V4L2_CTRL_TYPE_CTRL_CLASS||k->flags&V4L2_CTRL_FLAG_READ_ONLY) return -EACCES;
  if(k->type==V4L2_CTRL_TYPE_MENU){ if(v<k->min||v>k->max) return -ERANGE; }
  else if(k->type!=V4L2_CTRL_TYPE_BUTTON){ if(v<k->min)v=k->min; if(v>k->max)v=k->max; v=k->min+(v-k->min+k->step/2)/k->step*k->step; }
  if(!doit) return 0;
  k->val=(int)v; struct vcam_ctrl *o;
  if(k->id==V4L2_CID_MPEG_VIDEO_FORCE_KEY_FRAME) c->wants_key=1;
  if(k->id==V4L2_CID_EXPOSURE_AUTO&&(o=find(c,V4L2_CID_EXPOSURE_ABSOLUTE))) o->flags=v==1?0:V4L2_CTRL_FLAG_INACTIVE;
  if(k->id==V4L2_CID_FOCUS_AUTO&&(o=find(c,V4L2_CID_FOCUS_ABSOLUTE))) o->flags=v?V4L2_CTRL_FLAG_INACTIVE:0;
  if(k->id==V4L2_CID_AUTO_FOCUS_START&&(o=find(c,V4L2_CID_FOCUS_ABSOLUTE))) o->val=120;
  return 0; }
int vcam_ext_ctrls(struct vcam *c, unsigned cmd, struct v4l2_ext_controls *h, struct v4l2_ext_control *a){
  if(c->disconnected) return -ENODEV;
  int by_class=h->which!=V4L2_CTRL_WHICH_CUR_VAL&&h->which!=V4L2_CTRL_WHICH_DEF_VAL; h->error_idx=h->count;
  if(h->which==V4L2_CTRL_WHICH_REQUEST_VAL) return -EINVAL;
  if(h->which==V4L2_CTRL_WHICH_DEF_VAL&&cmd!=VIDIOC_G_EXT_CTRLS) return -EINVAL;
  if(!h->count&&by_class){ for(int i=0;i<c->nctrl;i++) if(V4L2_CTRL_ID2WHICH(c->ctrl[i].id)==h->which) return 0; return -EINVAL; }
  for(uint32_t i=0;i<h->count;i++){ struct vcam_ctrl *k=find(c,a[i].id); if(by_class&&V4L2_CTRL_ID2WHICH(a[i].id)!=h->which) k=NULL; if(!k){ h->error_idx=cmd==VIDIOC_TRY_EXT_CTRLS?i:h->count; return -EINVAL; }
    if(cmd==VIDIOC_G_EXT_CTRLS){ if(k->flags&V4L2_CTRL_FLAG_WRITE_ONLY){h->error_idx=h->count;return -EACCES;} a[i].value=h->which==V4L2_CTRL_WHICH_DEF_VAL?k->def:k->val; }
    else { int r=set_ctrl(c,k,a[i].value,0); if(r){ h->error_idx=cmd==VIDIOC_TRY_EXT_CTRLS?i:h->count; return r; } } }
  if(cmd==VIDIOC_S_EXT_CTRLS) for(uint32_t i=0;i<h->count;i++){ struct vcam_ctrl *k=find(c,a[i].id); set_ctrl(c,k,a[i].value,1); a[i].value=k->val; }
  return 0; }

#define CAP V4L2_BUF_TYPE_VIDEO_CAPTURE
int vcam_ioctl(struct vcam *c, unsigned cmd, void *arg){
  if(c->disconnected) return -ENODEV;
  vcam_advance(c,vcam_now());
  switch(cmd){
  case VIDIOC_QUERYCAP: { struct v4l2_capability *p=arg; memset(p,0,sizeof *p); strcpy((char*)p->driver,"vcam"); memcpy(p->card,c->card,32); memcpy(p->bus_info,c->bus,32);
    p->version=0x060100; p->device_caps=V4L2_CAP_VIDEO_CAPTURE|V4L2_CAP_STREAMING|V4L2_CAP_EXT_PIX_FORMAT; p->capabilities=p->device_caps|V4L2_CAP_DEVICE_CAPS; return 0; }
  case VIDIOC_ENUM_FMT: { struct v4l2_fmtdesc *p=arg; uint32_t i=p->index; if(p->type!=CAP||i>=(c->code?3u:c->mj_n?2u:1u)) return -EINVAL;
    memset(p,0,sizeof *p); p->index=i;p->type=CAP;p->pixelformat=FMTS[i]; strcpy((char*)p->description,i==2?"H.264":i?"Motion-JPEG":"YUYV 4:2:2"); p->flags=i?V4L2_FMT_FLAG_COMPRESSED:0; return 0; }
  case VIDIOC_ENUM_FRAMESIZES: { struct v4l2_frmsizeenum *p=arg; uint32_t f=p->pixel_format,i=p->index; if(i>=N(SIZES)||!offers(c,f)) return -EINVAL;
    memset(p,0,sizeof *p); p->index=i;p->pixel_format=f; p->type=V4L2_FRMSIZE_TYPE_DISCRETE;p->discrete.width=SIZES[i].w;p->discrete.height=SIZES[i].h; return 0; }
  case VIDIOC_ENUM_FRAMEINTERVALS: { struct v4l2_frmivalenum *p=arg; uint32_t i=p->index,f=p->pixel_format,w=p->width,h=p->height; int ok=0; for(size_t j=0;j<N(SIZES);j++) ok|=SIZES[j].w==w&&SIZES[j].h==h; if(i>=N(RATES)||!ok||!offers(c,f)) return -EINVAL;
    memset(p,0,sizeof *p); p->index=i;p->pixel_format=f;p->width=w;p->height=h; p->type=V4L2_FRMIVAL_TYPE_DISCRETE;p->discrete.numerator=RATES[i].n;p->discrete.denominator=RATES[i].d; return 0; }
  case VIDIOC_G_FMT: { struct v4l2_format *p=arg; if(p->type!=CAP) return -EINVAL; fill_pix(&p->fmt.pix,c->w,c->h,c->pixfmt); return 0; }
  case VIDIOC_TRY_FMT: case VIDIOC_S_FMT: { struct v4l2_format *p=arg; if(p->type!=CAP) return -EINVAL; uint32_t w=p->fmt.pix.width,h=p->fmt.pix.height,f=p->fmt.pix.pixelformat;
    nearest(c,&w,&h,&f); if(cmd==VIDIOC_S_FMT){ if(c->nbuf) return -EBUSY; set_size(c,w,h,f); } fill_pix(&p->fmt.pix,w,h,f); return 0; }
  case VIDIOC_G_PARM: case VIDIOC_S_PARM: { struct v4l2_streamparm *p=arg; if(p->type!=CAP) return -EINVAL; struct v4l2_captureparm *q=&p->parm.capture;
    if(cmd==VIDIOC_S_PARM){ if(c->streaming) return -EBUSY; double want=q->timeperframe.denominator?(double)q->timeperframe.numerator/q->timeperframe.denominator:1/30.,bd=9e9; size_t b=0;
      for(size_t i=0;i<N(RATES);i++){ double d=(double)RATES[i].n/RATES[i].d-want; if(d<0)d=-d; if(d<bd){bd=d;b=i;} } c->tpf_num=RATES[b].n;c->tpf_den=RATES[b].d; }
    memset(q,0,sizeof *q); q->capability=V4L2_CAP_TIMEPERFRAME; q->timeperframe.numerator=c->tpf_num; q->timeperframe.denominator=c->tpf_den; return 0; }
  case VIDIOC_ENUMINPUT: { struct v4l2_input *p=arg; if(p->index) return -EINVAL; memset(p,0,sizeof *p); strcpy((char*)p->name,"Camera 1"); p->type=V4L2_INPUT_TYPE_CAMERA; return 0; }
  case VIDIOC_G_INPUT: *(int*)arg=0; return 0;
  case VIDIOC_S_INPUT: return *(int*)arg?-EINVAL:0;
  case VIDIOC_G_PRIORITY: *(uint32_t*)arg=c->prio?c->prio:V4L2_PRIORITY_DEFAULT; return 0;
  case VIDIOC_S_PRIORITY: { uint32_t p=*(uint32_t*)arg; if(p<V4L2_PRIORITY_BACKGROUND||p>V4L2_PRIORITY_RECORD) return -EINVAL; c->prio=p; return 0; }
  case VIDIOC_QUERYCTRL: { struct v4l2_queryctrl *p=arg; uint32_t id=p->id&~(V4L2_CTRL_FLAG_NEXT_CTRL|V4L2_CTRL_FLAG_NEXT_COMPOUND); struct vcam_ctrl *k=NULL;
    if(p->id&V4L2_CTRL_FLAG_NEXT_CTRL){ for(int i=0;i<c->nctrl;i++) if(c->ctrl[i].id>id){k=&c->ctrl[i];break;} } else if(p->id&V4L2_CTRL_FLAG_NEXT_COMPOUND) k=NULL; else k=find(c,id);
    if(!k) return -EINVAL; memset(p,0,sizeof *p); p->id=k->id;p->type=k->type; snprintf((char*)p->name,32,"%s",k->name); p->minimum=k->min;p->maximum=k->max;p->step=k->step;p->default_value=k->def;p->flags=k->flags; return 0; }
  case VIDIOC_QUERY_EXT_CTRL: { struct v4l2_query_ext_ctrl *p=arg; struct v4l2_queryctrl q={.id=p->id}; int r=vcam_ioctl(c,VIDIOC_QUERYCTRL,&q); if(r) return r;
    memset(p,0,sizeof *p); p->id=q.id;p->type=q.type; memcpy(p->name,q.name,32); p->minimum=q.minimum;p->maximum=q.maximum;p->step=q.step;p->default_value=q.default_value;p->flags=q.flags;p->elem_size=4;p->elems=1; return 0; }
  case VIDIOC_QUERYMENU: { struct v4l2_querymenu *p=arg; struct vcam_ctrl *k=find(c,p->id); if(!k||!k->menu||(int)p->index>k->max) return -EINVAL; memset(p->name,0,32); snprintf((char*)p->name,32,"%s",k->menu[p->index]); p->reserved=0; return 0; }
  case VIDIOC_G_CTRL: { struct v4l2_control *p=arg; struct vcam_ctrl *k=find(c,p->id); if(!k) return -EINVAL; if(k->flags&V4L2_CTRL_FLAG_WRITE_ONLY) return -EACCES; p->value=k->val; return 0; }
  case VIDIOC_S_CTRL: { struct v4l2_control *p=arg; struct vcam_ctrl *k=find(c,p->id); if(!k) return -EINVAL; int r=set_ctrl(c,k,p->value,1); p->value=k->val; return r; }
  case VIDIOC_REQBUFS: { struct v4l2_requestbuffers *p=arg; if(p->type!=CAP||p->memory!=V4L2_MEMORY_MMAP) return -EINVAL; if(c->fail_reqbufs){c->fail_reqbufs--;return -EINVAL;} if(c->streaming&&p->count) return -EBUSY;
    c->streaming=0; c->qn=c->dn=0; if(p->count>VCAM_MAXBUF)p->count=VCAM_MAXBUF; if(p->count==1)p->count=2; c->nbuf=p->count; memset(c->buf,0,sizeof c->buf); p->capabilities=V4L2_BUF_CAP_SUPPORTS_MMAP; p->flags=0; return 0; }
  case VIDIOC_QUERYBUF: { struct v4l2_buffer *b=arg; if(b->type!=CAP||b->index>=c->nbuf) return -EINVAL; fill_buf(c,b); return 0; }
  case VIDIOC_QBUF: { struct v4l2_buffer *b=arg; if(b->flags&V4L2_BUF_FLAG_REQUEST_FD) return -EBADR; if(b->type!=CAP||b->index>=c->nbuf||b->memory!=V4L2_MEMORY_MMAP||c->buf[b->index].state) return -EINVAL; if(c->fail_qbuf){c->fail_qbuf--;return -EINVAL;}
    c->buf[b->index].state=1; c->q[c->qn++]=b->index; fill_buf(c,b); return 0; }
  case VIDIOC_DQBUF: { struct v4l2_buffer *b=arg; if(b->type!=CAP||!c->nbuf||b->memory!=V4L2_MEMORY_MMAP) return -EINVAL; if(!c->streaming) return -EINVAL; if(!c->dn) return -EAGAIN;
    int i=c->d[0]; memmove(c->d,c->d+1,--c->dn*sizeof(int)); b->index=i; fill_buf(c,b); b->flags=(b->flags&~V4L2_BUF_FLAG_DONE)|c->buf[i].flags; c->buf[i].state=0; return 0; }
  case VIDIOC_STREAMON: if(*(int*)arg!=CAP||!c->nbuf) return -EINVAL; if(c->fail_streamon){c->fail_streamon--;return -EIO;} if(!c->streaming){c->streaming=1;c->t0=vcam_now();c->next_seq=0;c->produced=c->dropped=0;} return 0;
  case VIDIOC_STREAMOFF: if(*(int*)arg!=CAP) return -EINVAL; c->streaming=0;c->qn=c->dn=0; for(unsigned i=0;i<c->nbuf;i++)c->buf[i].state=0; return 0;
  default: return -ENOTTY; }
}
int vcam_command(struct vcam *c, const char *l){ int n;
  if(!strncmp(l,"disconnect",10)) c->disconnected=1;
  else if(!strncmp(l,"reconnect",9)){ c->disconnected=0; vcam_reset_file(c); }
  else if(!strncmp(l,"stall",5)){ vcam_advance(c,vcam_now()); c->stalled=1; c->stall_from=vcam_now(); }
  else if(!strncmp(l,"resume",6)){ if(c->stalled){c->t0+=vcam_now()-c->stall_from; c->stalled=0;} }
  else if(sscanf(l,"drop %d",&n)==1) c->drop_pct=n;
  else if(sscanf(l,"ignore_keys %d",&n)==1) c->ignores_keys=n;
  else if(sscanf(l,"error_frames %d",&n)==1) c->err_frames=n;
  else if(sscanf(l,"fail_qbuf %d",&n)==1) c->fail_qbuf=n;
  else if(sscanf(l,"fail_streamon %d",&n)==1) c->fail_streamon=n;
  else if(sscanf(l,"fail_reqbufs %d",&n)==1) c->fail_reqbufs=n;
  else return -EINVAL;
  return 0; }
int vcam_dump(struct vcam *c, char *o, size_t n){ int k=snprintf(o,n,"streaming %d\nfmt %ux%u %.4s\nfps %u/%u\nproduced %u\ndropped %u\nqueued %d\ndone %d\ndisconnected %d\nt0 %llu\n",c->streaming,c->w,c->h,(char*)&c->pixfmt,c->tpf_den,c->tpf_num,c->produced,c->dropped,c->qn,c->dn,c->disconnected,(unsigned long long)c->t0);
  for(int i=0;i<c->nctrl&&k<(int)n;i++) k+=snprintf(o+k,n-k,"ctrl 0x%08x %d %s\n",c->ctrl[i].id,c->ctrl[i].val,c->ctrl[i].name); return k<(int)n?k:(int)n; }
