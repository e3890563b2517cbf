#!/bin/bash
# Runs inside the virtual machine of deep-rig.sh, beside clapper and a file that names the program: records from the kernel's own drivers,
# vivid and snd-aloop. What it records is left in /out for deep-check.py to judge.
set -u
cd /tmp
export HOME=/tmp/home XDG_CACHE_HOME=/tmp/cache
EDITOR=$(cat /out/editor)
# An emulated processor takes its time: small pictures, few of them.
mode=(--size 320x180 --rate 15 --camera-format yuyv)
echo '{"renderSize": {"width": 320, "height": 180}, "maxVideoDuration": 120, "frameRate": 15, "export": {"preset": "ultrafast"}}' >cfg.json
record() { "$EDITOR" --config cfg.json record "${mode[@]}" --progress json "$@"; }
until_event() { for i in $(seq 600); do [ "$(grep -c "$1" "$log")" -ge "${2:-1}" ] && return 0; sleep 0.1; done; echo "no $1" >&2; return 1; }
keep() { mkdir -p "/out/$1"; cp "$log" "/out/$1/log"; cp /tmp/SD_Record_Video*.mp4 movie.mp4 "/out/$1/" 2>/dev/null; rm -f /tmp/SD_Record_Video* movie.mp4; }

echo "kernel $(uname -r), $(nproc) processors"
v4l2-ctl -d /dev/video0 --list-ctrls | awk '{print $1}' | tr '\n' ' ' >/out/controls
"$EDITOR" doctor | grep -E '^[a-z]+ *(camera|microphone plughw)' | cut -c1-160

# Once for nothing: whatever is run is in memory then.
log=/tmp/log0; : >$log
{ until_event idle; /out/clapper /dev/video0 hw:Loopback,0,0 1 0.1; echo zoom 2; echo start 1; echo wait; echo flip; echo start 0.5; echo wait; echo finish; } |
    record --microphone plughw:Loopback,1,0 --output movie.mp4 2>$log
amixer -q -c Loopback contents >/dev/null; v4l2-ctl -d /dev/video0 -l >/dev/null
cat /out/clapper >/tmp/clapper; chmod +x /tmp/clapper
echo "warm: exit $?"; rm -f /tmp/SD_Record_Video* movie.mp4

# Two segments, a flip between, zoom that the driver lacks, a torch that it lacks; then the merge.
log=/tmp/log1; : >$log
/tmp/clapper /dev/video0 hw:Loopback,0,0 100 2 >/dev/null 2>&1 & player=$!
{ echo zoom 2; echo torch on; echo start 3; echo wait; echo flip; echo start 2; echo wait; echo finish; } |
    record --microphone plughw:Loopback,1,0 --output movie.mp4 2>$log
echo "session: exit $?"
kill $player; wait $player 2>/dev/null; keep session

# What the drivers' own stamps are worth, without the program.
/tmp/clapper /dev/video0 hw:Loopback,0,0 18 1.53 hw:Loopback,1,0 >/tmp/truth; cp /tmp/truth /out/

# Half a minute with a clapperboard: sound against picture, and its drift.
clapped() {
    log=/tmp/log-$1; : >$log
    { until_event idle; /tmp/clapper /dev/video0 hw:Loopback,0,0 18 1.53 >/tmp/claps-$1 & echo start 30; echo wait; until_event '"added"'; echo quit; } |
        record --microphone plughw:Loopback,1,0 2>$log
    echo "$1: exit $?"
    "$EDITOR" record --list --json >/out/sessions-$1.json
    cp /tmp/claps-$1 /out/
    keep "$1"
}
clapped even
# The sound card's clock 0.1 % slow, both ends of the cable.
for device in 0 1; do amixer -q -c Loopback cset "iface=PCM,name='PCM Rate Shift 100000',device=$device,subdevice=0" 100100; done
clapped shifted
for device in 0 1; do amixer -q -c Loopback cset "iface=PCM,name='PCM Rate Shift 100000',device=$device,subdevice=0" 100000; done

# Faults of the driver's own: buffers dropped, buffers damaged, the device gone.
log=/tmp/log4; : >$log
{
    until_event idle; echo start; sleep 2; v4l2-ctl -d /dev/video0 -c percentage_of_dropped_buffers=20; sleep 3; v4l2-ctl -d /dev/video0 -c percentage_of_dropped_buffers=0
    sleep 1; echo pause; until_event '"added"'
    echo start; sleep 2; v4l2-ctl -d /dev/video0 -c inject_v4l2_buf_flag_error=1; sleep 1; echo pause; until_event '"added"' 2
    echo start; sleep 2; v4l2-ctl -d /dev/video0 -c disconnect=1; until_event '"error"'; until_event '"added"' 3; echo quit
} | record --microphone none --device /dev/video0 2>$log
echo "faults: exit $?"
keep faults
