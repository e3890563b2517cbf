#!/bin/bash
# Runs inside the virtual machine of deep-rig.sh with a disk: cuts the power while a segment runs. The second time, with the file "again"
# beside it, it goes on with what is on the disk.
set -u
mkdir -p /tmp/disk; mount /dev/vda /tmp/disk || exit 1
cd /tmp/disk
export HOME=/tmp/disk/home XDG_CACHE_HOME=/tmp/cache TMPDIR=/tmp/disk
EDITOR=$(cat /out/editor)
mode=(--size 320x180 --rate 15 --camera-format yuyv --microphone plughw:Loopback,1,0 --progress json)
if [ -e /out/again ]; then
    ls -l /tmp/disk/*.mp4
    { echo start 1; echo wait; echo finish; } | "$EDITOR" --config cfg.json record --resume "${mode[@]}" --output /out/movie.mp4 2>/out/log
    status=$?
    cp /tmp/disk/SD_Record_Video*.mp4 /out/
    exit $status
fi
echo '{"renderSize": {"width": 320, "height": 180}, "maxVideoDuration": 120, "frameRate": 15, "export": {"preset": "ultrafast"}}' >cfg.json
sync
aplay -q -D hw:Loopback,0,0 /dev/zero -f dat -d 60 &
{
    until grep -q '"duration": 5' /out/log; do sleep 0.05; done 2>/dev/null
    sync -d /out/log; echo b >/proc/sysrq-trigger
} &
{ echo start 1; echo wait; sleep 3; echo start; sleep 60; } | "$EDITOR" --config cfg.json record "${mode[@]}" 2>/out/log
