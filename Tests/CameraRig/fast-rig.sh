#!/bin/bash
# fast-rig.sh CMD…: runs CMD with two cameras (/dev/video0 back, /dev/video1 front) and a microphone (ALSA "default" and "mic"),
# all private to CMD; nothing is installed and the real /dev is untouched. Needs root, libfuse3-dev, libasound2-dev, libavcodec-dev, gcc, ffmpeg.
# In CMD, $VCAM_CTL is a folder: cat $VCAM_CTL/ctl0 tells state and controls, echo FAULT > $VCAM_CTL/ctl0 makes one (see README.md);
# $VSPK_RAW.1, .2 … is what was played (s16le, 48 kHz, stereo), a file for each start, and $VSPK_RAW.1.t0 when it began (ns, CLOCK_MONOTONIC);
# With VCAM_H264 set the cameras code H.264 too, a key picture every 60 and whenever one is asked for, with B pictures in between if it
# is "b"; VCAM_DUMP is a folder that gets what they coded, camera0.h264 and camera1.h264;
# $VMIC_RAW is the looped microphone sound (s16le, 48 kHz, mono), echo unplug > $VMIC_RAW.ctl unplugs it.
set -eu
H=$(cd "$(dirname "$0")" && pwd)
B=${CAMERA_BUILD:-${TMPDIR:-/tmp}/editor-camera-rig}; mkdir -p "$B"
if [ ! -x "$B/fusecam" ] || [ -n "$(find "$H/fuse" -name '*.[ch]' -newer "$B/fusecam")" ]; then
  gcc -O2 -o "$B/fusecam.$$" "$H"/fuse/*.c $(pkg-config --cflags --libs fuse3 libavcodec libavutil) -lpthread && mv "$B/fusecam.$$" "$B/fusecam"
fi
[ -e "$B/libvmic.so" ] && [ "$B/libvmic.so" -nt "$H/mic/pcm_vmic.c" ] || gcc -O2 -fPIC -shared -DPIC -o "$B/libvmic.so" "$H/mic/pcm_vmic.c" -lasound
[ -e "$B/libvspk.so" ] && [ "$B/libvspk.so" -nt "$H/mic/pcm_vspk.c" ] || gcc -O2 -fPIC -shared -DPIC -o "$B/libvspk.so" "$H/mic/pcm_vspk.c" -lasound
[ -e "$B/test.mjpeg" ] || ffmpeg -v error -y -f lavfi -i testsrc2=s=640x480:r=30:d=2 -c:v mjpeg -q:v 4 "$B/test.mjpeg"
R=$(mktemp -d "$B/run.XXXX"); mkdir "$R/cam"
"$B/fusecam" "$R/cam" "$B/test.mjpeg" 2>"$R/fusecam.log" & P=$!
# Whoever started this may have signals blocked, and so has the camera: it ends with its mount, or else by force.
trap 'if mountpoint -q "$R/cam"; then umount -l "$R/cam"; fi; kill -9 $P 2>/dev/null || true; wait $P 2>/dev/null || true; rm -rf "$R"' EXIT
for i in $(seq 400); do [ -e "$R/cam/video0" ] && break; sleep 0.005; done
if [ -n "${MIC_RAW:-}" ]; then cp "$MIC_RAW" "$R/mic.raw"; else ffmpeg -v error -y -f lavfi -i "aevalsrc='0.4*sin(2*PI*(300+40*floor(t))*t)':s=48000:d=12" -f s16le "$R/mic.raw"; fi
cat >"$R/asound.conf" <<CONF
</usr/share/alsa/alsa.conf>
pcm_type.vmic { lib "$B/libvmic.so" }
pcm_type.vspk { lib "$B/libvspk.so" }
pcm.mic { type vmic file "$R/mic.raw" channels 1 rate 48000 hint { show on description "Virtual microphone" } }
pcm.spk { type vspk file "$R/spk.raw" hint { show on description "Virtual speaker" } }
pcm.!default { type asym capture.pcm { type plug slave.pcm "mic" } playback.pcm { type plug slave.pcm "spk" } }
CONF
ALSA_CONFIG_PATH=$R/asound.conf VCAM_CTL=$R/cam VMIC_RAW=$R/mic.raw VSPK_RAW=$R/spk.raw "$H/fuse/dev_ns.sh" "$R/cam" "$@"
