/* clapper DEVICE PCM COUNT SECONDS [CAPTURE-PCM]: a clapperboard for devices without a scene. COUNT times, SECONDS apart, it makes the pictures of a camera
 * bright and a burst of noise heard at one instant, for a fifth of a second. The sound that it plays meanwhile is silence.
 * Each line of its output: the instant on CLOCK_MONOTONIC at which both were due, and by how many milliseconds the picture's control came late.
 * With CAPTURE-PCM it also takes pictures and sound itself, 320x180 YUYV and 48 kHz, and tells what the drivers' stamps are worth: "picture" and
 * "sound" with the milliseconds from that instant to the stamp of the first bright picture, and to the time of the first sample of noise. */
#include <alsa/asoundlib.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#define RATE 48000
#define PERIOD 480
static int camera;
static double now(void){ struct timespec t; clock_gettime(CLOCK_MONOTONIC,&t); return t.tv_sec+t.tv_nsec/1e9; }
static void until(double t){ struct timespec s={(time_t)t,(long)((t-(time_t)t)*1e9)}; while(clock_nanosleep(CLOCK_MONOTONIC,TIMER_ABSTIME,&s,NULL)); }
static void brightness(int v){ struct v4l2_control c={V4L2_CID_BRIGHTNESS,v}; if(ioctl(camera,VIDIOC_S_CTRL,&c)) perror("brightness"); }
static double due;
static void tell(const char *what, double t){ printf("%s %.3f\n",what,(t-due)*1e3); fflush(stdout); }
static void *look(void *x){ (void)x;
  struct v4l2_format f={.type=V4L2_BUF_TYPE_VIDEO_CAPTURE}; f.fmt.pix.width=320; f.fmt.pix.height=180; f.fmt.pix.pixelformat=V4L2_PIX_FMT_YUYV; ioctl(camera,VIDIOC_S_FMT,&f);
  struct v4l2_streamparm r={.type=V4L2_BUF_TYPE_VIDEO_CAPTURE}; r.parm.capture.timeperframe=(struct v4l2_fract){1,15}; ioctl(camera,VIDIOC_S_PARM,&r);
  struct v4l2_requestbuffers q={.count=4,.type=V4L2_BUF_TYPE_VIDEO_CAPTURE,.memory=V4L2_MEMORY_MMAP}; if(ioctl(camera,VIDIOC_REQBUFS,&q)){ perror("buffers"); return NULL; }
  unsigned char *m[8]; for(unsigned i=0;i<q.count;i++){ struct v4l2_buffer b={.index=i,.type=q.type,.memory=q.memory}; ioctl(camera,VIDIOC_QUERYBUF,&b); m[i]=mmap(NULL,b.length,PROT_READ,MAP_SHARED,camera,b.m.offset); ioctl(camera,VIDIOC_QBUF,&b); }
  int on=V4L2_BUF_TYPE_VIDEO_CAPTURE; ioctl(camera,VIDIOC_STREAMON,&on);
  double dark=-1; int bright=0;
  for(;;){ struct pollfd p={camera,POLLIN,0}; poll(&p,1,-1); struct v4l2_buffer b={.type=q.type,.memory=q.memory}; if(ioctl(camera,VIDIOC_DQBUF,&b)) continue;
    long sum=0; for(unsigned i=0;i<b.bytesused;i+=2) sum+=m[b.index][i]; double mean=2.0*sum/b.bytesused; if(dark<0) dark=mean;
    int was=bright; bright=mean>dark+30; if(bright&&!was) tell("picture",b.timestamp.tv_sec+b.timestamp.tv_usec/1e6);
    ioctl(camera,VIDIOC_QBUF,&b); } }
static void *listen(void *name){ snd_pcm_t *p; if(snd_pcm_open(&p,name,SND_PCM_STREAM_CAPTURE,0)<0||snd_pcm_set_params(p,SND_PCM_FORMAT_S16_LE,SND_PCM_ACCESS_RW_INTERLEAVED,2,RATE,1,100000)<0) return NULL;
  short b[240*2]; int quiet=RATE; snd_pcm_start(p);
  for(;;){ snd_pcm_sframes_t n=snd_pcm_readi(p,b,240), left=0; if(n<0){ snd_pcm_recover(p,(int)n,1); snd_pcm_start(p); continue; } snd_pcm_delay(p,&left); double t=now();
    for(int i=0;i<n;i++){ if(abs(b[2*i])>3000){ if(quiet>RATE/4) tell("sound",t-(double)(left+n-i)/RATE); quiet=0; } else quiet++; } } }
static void *light(void *x){ double at=*(double*)x; free(x); until(at); brightness(255); double late=now()-at; until(at+0.2); brightness(128);
  printf("%.6f %.2f\n",at,late*1e3); fflush(stdout); return NULL; }

int main(int n, char **a){
  if(n<5) return 2;
  int count=atoi(a[3]); double apart=atof(a[4]);
  if((camera=open(a[1],O_RDWR))<0){ perror(a[1]); return 1; }
  snd_pcm_t *p; int e=snd_pcm_open(&p,a[2],SND_PCM_STREAM_PLAYBACK,0);
  if(e<0||(e=snd_pcm_set_params(p,SND_PCM_FORMAT_S16_LE,SND_PCM_ACCESS_RW_INTERLEAVED,2,RATE,1,200000))<0){ fprintf(stderr,"%s: %s\n",a[2],snd_strerror(e)); return 1; }
  if(n>5){ pthread_t t; pthread_create(&t,NULL,look,NULL); pthread_create(&t,NULL,listen,a[5]); }
  short block[PERIOD*2]; double next=now()+apart; int left=0; unsigned noise=7;
  for(int claps=0;claps<count||left>0;){
    if(left<=0&&claps<count&&now()>=next){
      snd_pcm_sframes_t wait=0; if(snd_pcm_delay(p,&wait)>=0&&snd_pcm_state(p)==SND_PCM_STATE_RUNNING){
        double *at=malloc(sizeof *at); due=*at=now()+(double)wait/RATE; pthread_t t; pthread_create(&t,NULL,light,at); pthread_detach(t);
        left=RATE/5; claps++; next+=apart; } }
    for(int i=0;i<PERIOD;i++){ short v=0; if(left>0){ noise=noise*1103515245u+12345u; v=(short)((noise>>16)%20000-10000); left--; } block[2*i]=block[2*i+1]=v; }
    snd_pcm_sframes_t w=snd_pcm_writei(p,block,PERIOD); if(w<0&&snd_pcm_recover(p,(int)w,1)<0) return 1;
  }
  usleep(600000); return 0; }
