/* ALSA external I/O plugin "vmic": a capture PCM fed from a raw S16_LE/48k file, paced by CLOCK_MONOTONIC (a virtual microphone).
 * asound.conf:  pcm_type.vmic { lib "/path/libasound_module_pcm_vmic.so" }   pcm.mic { type vmic file "/x/mic.raw" channels 1 rate 48000 }
 * Loops the file. Position 0 = snd_pcm_start. Overrun (reader too slow for a whole buffer) gives a real -EPIPE.
 * <file>.ctl: "unplug" -> -ENODEV. */
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
typedef struct { snd_pcm_ioplug_t io; const uint8_t *d; size_t frames; unsigned ch, rate; uint64_t t0; int running; char ctl[512]; } vmic;
static uint64_t now(void){ struct timespec t; clock_gettime(CLOCK_MONOTONIC,&t); return t.tv_sec*1000000000ull+t.tv_nsec; }
static int unplugged(vmic*v){ char b[16]={0}; int f=open(v->ctl,O_RDONLY); if(f<0) return 0; ssize_t n=read(f,b,15); close(f); return n>=6&&!strncmp(b,"unplug",6); }
/* the hardware pointer moves a whole period at a time, as with a DMA engine that interrupts per period */
static uint64_t avail_total(vmic*v){ uint64_t a=v->running?(now()-v->t0)*v->rate/1000000000ull:0; snd_pcm_uframes_t p=v->io.period_size; return p?a/p*p:a; }
static int arm(vmic*v){ struct itimerspec s={{0,2000000},{0,1}}; return timerfd_settime(v->io.poll_fd,0,&s,NULL); }
/* <file>.t0 tells when sample 0 was taken, in nanoseconds of CLOCK_MONOTONIC */
static void tell_start(vmic*v){ char p[512]; snprintf(p,sizeof p,"%.*s.t0",(int)strlen(v->ctl)-4,v->ctl); int f=open(p,O_WRONLY|O_CREAT|O_TRUNC,0666); if(f<0) return; dprintf(f,"%llu\n",(unsigned long long)v->t0); close(f); }
static int v_start(snd_pcm_ioplug_t*io){ vmic*v=io->private_data; if(unplugged(v)) return -ENODEV; v->t0=now(); v->running=1; tell_start(v); return arm(v); }
static int v_stop(snd_pcm_ioplug_t*io){ vmic*v=io->private_data; struct itimerspec s={{0}}; timerfd_settime(io->poll_fd,0,&s,NULL); v->running=0; return 0; }
static int v_prepare(snd_pcm_ioplug_t*io){ vmic*v=io->private_data; if(unplugged(v)) return -ENODEV; v->running=0; return 0; }
static snd_pcm_sframes_t v_pointer(snd_pcm_ioplug_t*io){ vmic*v=io->private_data; if(unplugged(v)){ snd_pcm_ioplug_set_state(io,SND_PCM_STATE_DISCONNECTED); return io->appl_ptr%io->buffer_size; } uint64_t a=avail_total(v); if((int64_t)(a-io->appl_ptr)>(int64_t)io->buffer_size) return -EPIPE; return a%io->buffer_size; }
static snd_pcm_sframes_t v_transfer(snd_pcm_ioplug_t*io,const snd_pcm_channel_area_t*ar,snd_pcm_uframes_t off,snd_pcm_uframes_t n){ vmic*v=io->private_data; if(unplugged(v)) return -ENODEV; size_t fs=2*v->ch; uint8_t*o=(uint8_t*)ar->addr+(ar->first+ar->step*off)/8; for(snd_pcm_uframes_t i=0;i<n;i++) memcpy(o+i*fs,v->d+((io->appl_ptr+i)%v->frames)*fs,fs); return n; /* stateless: alsa-lib calls it again for the same frames on the mmap path */ }
static int v_revents(snd_pcm_ioplug_t*io,struct pollfd*p,unsigned n,unsigned short*r){ vmic*v=io->private_data; (void)n; *r=0; uint64_t x; if(p[0].revents&POLLIN){ if(read(io->poll_fd,&x,8)<0){} } snd_pcm_sw_params_t*sw; snd_pcm_uframes_t am=1; snd_pcm_sw_params_alloca(&sw); if(!snd_pcm_sw_params_current(io->pcm,sw)) snd_pcm_sw_params_get_avail_min(sw,&am); int64_t a=(int64_t)(avail_total(v)-io->appl_ptr); if(unplugged(v)) *r=POLLERR; else if(v->running&&a>=(int64_t)am) *r=POLLIN; return 0; }
static int v_close(snd_pcm_ioplug_t*io){ vmic*v=io->private_data; close(io->poll_fd); free(v); return 0; }
static const snd_pcm_ioplug_callback_t cb={.start=v_start,.stop=v_stop,.prepare=v_prepare,.pointer=v_pointer,.transfer=v_transfer,.poll_revents=v_revents,.close=v_close};
SND_PCM_PLUGIN_DEFINE_FUNC(vmic){ (void)root; snd_config_iterator_t i,nx; const char*file=NULL; long ch=1,rate=48000; int e;
 snd_config_for_each(i,nx,conf){ snd_config_t*n=snd_config_iterator_entry(i); const char*id; if(snd_config_get_id(n,&id)<0) continue; if(!strcmp(id,"comment")||!strcmp(id,"type")||!strcmp(id,"hint")) continue; if(!strcmp(id,"file")){snd_config_get_string(n,&file);continue;} if(!strcmp(id,"channels")){snd_config_get_integer(n,&ch);continue;} if(!strcmp(id,"rate")){snd_config_get_integer(n,&rate);continue;} SNDERR("vmic: unknown field %s",id); return -EINVAL; }
 if(stream!=SND_PCM_STREAM_CAPTURE||!file) return -EINVAL; int f=open(file,O_RDONLY); struct stat st; if(f<0||fstat(f,&st)) return -errno; vmic*v=calloc(1,sizeof*v); v->d=mmap(NULL,st.st_size,PROT_READ,MAP_PRIVATE,f,0); close(f); v->ch=ch;v->rate=rate;v->frames=st.st_size/(2*ch); snprintf(v->ctl,sizeof v->ctl,"%s.ctl",file); if(unplugged(v)){free(v);return -ENODEV;}
 v->io.version=SND_PCM_IOPLUG_VERSION; v->io.name="virtual microphone"; v->io.callback=&cb; v->io.private_data=v; v->io.poll_fd=timerfd_create(CLOCK_MONOTONIC,TFD_NONBLOCK|TFD_CLOEXEC); v->io.poll_events=POLLIN; v->io.mmap_rw=0;
 if((e=snd_pcm_ioplug_create(&v->io,name,stream,mode))<0){ free(v); return e; }
 unsigned acc[]={SND_PCM_ACCESS_RW_INTERLEAVED,SND_PCM_ACCESS_MMAP_INTERLEAVED}, fm[]={SND_PCM_FORMAT_S16_LE};
 snd_pcm_ioplug_set_param_list(&v->io,SND_PCM_IOPLUG_HW_ACCESS,2,acc); snd_pcm_ioplug_set_param_list(&v->io,SND_PCM_IOPLUG_HW_FORMAT,1,fm); snd_pcm_ioplug_set_param_minmax(&v->io,SND_PCM_IOPLUG_HW_CHANNELS,ch,ch); snd_pcm_ioplug_set_param_minmax(&v->io,SND_PCM_IOPLUG_HW_RATE,rate,rate); snd_pcm_ioplug_set_param_minmax(&v->io,SND_PCM_IOPLUG_HW_PERIODS,2,64); snd_pcm_ioplug_set_param_minmax(&v->io,SND_PCM_IOPLUG_HW_PERIOD_BYTES,256,65536); snd_pcm_ioplug_set_param_minmax(&v->io,SND_PCM_IOPLUG_HW_BUFFER_BYTES,1024,1<<20);
 *pcmp=v->io.pcm; return 0; }
SND_PCM_PLUGIN_SYMBOL(vmic);
