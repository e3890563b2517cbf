#!/bin/bash
# Runs inside the virtual machine of deep-rig.sh: records from the kernel's own drivers, vivid and snd-aloop.
# usage: EDITOR=/path/to/editor deep-rig.sh deep-guest.sh   (the path is baked in below by deep-check.sh)
set -u
cd /tmp
export HOME=/tmp/home XDG_CACHE_HOME=/tmp/cache
EDITOR=$(cat /out/editor)
v4l2-ctl --list-devices
ffmpeg -nostdin -v error -y -f lavfi -i 'anoisesrc=d=30:c=pink:r=48000:a=0.5:seed=7' -ac 2 noise.wav
aplay -q -D hw:Loopback,0,0 noise.wav &
player=$!
echo '{"renderSize": {"width": 320, "height": 240}, "export": {"preset": "ultrafast"}}' >cfg.json
"$EDITOR" doctor | grep -E '^[a-z]+ *(camera|microphone hw:Loopback|microphone plughw)' | cut -c1-300
{ echo start 2; echo wait; echo flip; echo start 1; echo wait; echo finish; } |
    "$EDITOR" --config cfg.json record --size 640x480 --microphone plughw:Loopback,1,0 --progress json --output /out/movie.mp4 2>log
status=$?
echo "record: $status"
cp log /out/log
grep '"event": "segment"' log
grep -E '"event": "(error|warning|camera|microphone)"' log
# A fault of the kernel's own: the driver unregisters the device.
{ echo start; sleep 2; v4l2-ctl -d /dev/video0 -c disconnect=1 >/dev/null 2>&1; sleep 2; echo quit; } |
    "$EDITOR" --config cfg.json record --size 640x480 --microphone none --device /dev/video0 --progress json 2>log2
echo "disconnect: $?"
grep -E '"event": "(error|segment)"' log2
kill $player
for file in /tmp/SD_Record_Video*.mp4 /out/movie.mp4; do
    echo "$file $(ffprobe -v error -count_frames -select_streams v -show_entries stream=nb_read_frames,r_frame_rate -of csv=p=0 "$file") $(ffmpeg -nostdin -hide_banner -i "$file" -vn -af astats=measure_overall=RMS_level:measure_perchannel=none -f null - 2>&1 | grep -o 'RMS level dB: .*')"
done
exit $status
