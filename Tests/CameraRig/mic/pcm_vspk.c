/* ALSA external I/O plugin "vspk": a playback PCM paced by CLOCK_MONOTONIC that keeps what is played in a file (a virtual speaker).
 * asound.conf:  pcm_type.vspk { lib "/path/libvspk.so" }   pcm.spk { type vspk file "/x/spk.raw" }
 * Each start writes a file of its own, <file>.1, <file>.2 … (s16le, 48 kHz, stereo), and beside it <file>.N.t0: when its sample 0 is heard,
 * in nanoseconds of CLOCK_MONOTONIC. Underrun gives a real -EPIPE. */
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#define RATE 48000
#define FRAME 4
typedef struct { snd_pcm_ioplug_t io; char path[512]; int file, number; uint64_t t0; int running; } vspk;
static uint64_t now(void){ struct timespec t; clock_gettime(CLOCK_MONOTONIC,&t); return t.tv_sec*1000000000ull+t.tv_nsec; }
static uint64_t played(vspk*v){ return v->running?(now()-v->t0)*RATE/1000000000ull:0; }
static int v_prepare(snd_pcm_ioplug_t*io){ vspk*v=io->private_data; char p[600]; v->running=0; if(v->file>=0) close(v->file); snprintf(p,sizeof p,"%s.%d",v->path,++v->number); v->file=open(p,O_WRONLY|O_CREAT|O_TRUNC,0666); return v->file<0?-errno:0; }
static int v_start(snd_pcm_ioplug_t*io){ vspk*v=io->private_data; char p[600]; v->t0=now(); v->running=1; snprintf(p,sizeof p,"%s.%d.t0",v->path,v->number); int f=open(p,O_WRONLY|O_CREAT|O_TRUNC,0666); if(f>=0){ dprintf(f,"%llu\n",(unsigned long long)v->t0); close(f); } struct itimerspec s={{0,2000000},{0,1}}; return timerfd_settime(io->poll_fd,0,&s,NULL); }
static int v_stop(snd_pcm_ioplug_t*io){ vspk*v=io->private_data; struct itimerspec s={{0,0},{0,0}}; timerfd_settime(io->poll_fd,0,&s,NULL); v->running=0; return 0; }
static snd_pcm_sframes_t v_pointer(snd_pcm_ioplug_t*io){ vspk*v=io->private_data; uint64_t a=played(v); if(v->running&&a>io->appl_ptr) return -EPIPE; return a%io->buffer_size; }
static snd_pcm_sframes_t v_transfer(snd_pcm_ioplug_t*io,const snd_pcm_channel_area_t*ar,snd_pcm_uframes_t off,snd_pcm_uframes_t n){ vspk*v=io->private_data; const uint8_t*p=(const uint8_t*)ar->addr+(ar->first+ar->step*off)/8; return pwrite(v->file,p,n*FRAME,(off_t)io->appl_ptr*FRAME)<0?-errno:(snd_pcm_sframes_t)n; }
static int v_revents(snd_pcm_ioplug_t*io,struct pollfd*p,unsigned n,unsigned short*r){ vspk*v=io->private_data; (void)n; *r=0; uint64_t x; if(p[0].revents&POLLIN){ if(read(io->poll_fd,&x,8)<0){} } int64_t filled=(int64_t)(io->appl_ptr-played(v)); if(!v->running||filled<0||(int64_t)io->buffer_size-filled>=(int64_t)io->period_size) *r=POLLOUT; return 0; }
static int v_close(snd_pcm_ioplug_t*io){ vspk*v=io->private_data; if(v->file>=0) close(v->file); close(io->poll_fd); free(v); return 0; }
static const snd_pcm_ioplug_callback_t cb={.start=v_start,.stop=v_stop,.prepare=v_prepare,.pointer=v_pointer,.transfer=v_transfer,.poll_revents=v_revents,.close=v_close};
SND_PCM_PLUGIN_DEFINE_FUNC(vspk){ (void)root; snd_config_iterator_t i,nx; const char*file=NULL; int e;
 snd_config_for_each(i,nx,conf){ snd_config_t*n=snd_config_iterator_entry(i); const char*id; if(snd_config_get_id(n,&id)<0) continue; if(!strcmp(id,"comment")||!strcmp(id,"type")||!strcmp(id,"hint")) continue; if(!strcmp(id,"file")){snd_config_get_string(n,&file);continue;} SNDERR("vspk: unknown field %s",id); return -EINVAL; }
 if(stream!=SND_PCM_STREAM_PLAYBACK||!file) return -EINVAL; vspk*v=calloc(1,sizeof*v); v->file=-1; snprintf(v->path,sizeof v->path,"%s",file);
 v->io.version=SND_PCM_IOPLUG_VERSION; v->io.name="virtual speaker"; v->io.callback=&cb; v->io.private_data=v; v->io.poll_fd=timerfd_create(CLOCK_MONOTONIC,TFD_NONBLOCK|TFD_CLOEXEC); v->io.poll_events=POLLIN; v->io.mmap_rw=0;
 if((e=snd_pcm_ioplug_create(&v->io,name,stream,mode))<0){ free(v); return e; }
 unsigned acc[]={SND_PCM_ACCESS_RW_INTERLEAVED}, fm[]={SND_PCM_FORMAT_S16_LE};
 snd_pcm_ioplug_set_param_list(&v->io,SND_PCM_IOPLUG_HW_ACCESS,1,acc); snd_pcm_ioplug_set_param_list(&v->io,SND_PCM_IOPLUG_HW_FORMAT,1,fm); snd_pcm_ioplug_set_param_minmax(&v->io,SND_PCM_IOPLUG_HW_CHANNELS,2,2); snd_pcm_ioplug_set_param_minmax(&v->io,SND_PCM_IOPLUG_HW_RATE,RATE,RATE); snd_pcm_ioplug_set_param_minmax(&v->io,SND_PCM_IOPLUG_HW_PERIODS,2,64); snd_pcm_ioplug_set_param_minmax(&v->io,SND_PCM_IOPLUG_HW_PERIOD_BYTES,256,65536); snd_pcm_ioplug_set_param_minmax(&v->io,SND_PCM_IOPLUG_HW_BUFFER_BYTES,1024,1<<20);
 *pcmp=v->io.pcm; return 0; }
SND_PCM_PLUGIN_SYMBOL(vspk);
