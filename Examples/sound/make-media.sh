#!/usr/bin/env bash
# Makes the example's media with ffmpeg: a speaker in a noisy room, a song of 120 beats a minute, a voice-over.
# usage: make-media.sh [FOLDER]   (default: media beside this script)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
media=${1:-$here/media}
mkdir -p "$media"
make() { ffmpeg -nostdin -v error -y "$@"; }

# A buzz through the formants of a vowel, in syllables with pauses.
vowel() {
    local pitch=$1 k sum=0
    for k in 1 2 3 4 5 6 8 10 14 18; do sum+="+sin(2*PI*$pitch*$k*t)/$k"; done
    echo "0.2*($sum)*(0.55+0.45*sin(2*PI*4*t))*lt(mod(t,1.3),0.9)"
}

make -f lavfi -i "gradients=s=540x960:r=30:d=4:c0=0x203050:c1=0xd07040:speed=0.02" \
    -f lavfi -i "aevalsrc='$(vowel 125)+0.004*(random(0)-0.5)':s=48000:d=4" \
    -c:v libx264 -preset veryfast -crf 24 -pix_fmt yuv420p -c:a aac "$media/speaker.mp4"
make -f lavfi -i "aevalsrc='0.12*(sin(2*PI*220*t)+sin(2*PI*277.2*t)+sin(2*PI*329.6*t))+0.7*(random(0)-0.5)*exp(-30*mod(t,0.5))':s=48000:d=8" \
    -c:a aac "$media/song.m4a"
make -f lavfi -i "aevalsrc='$(vowel 190)':s=48000:d=1.2" -c:a aac "$media/voice-over.m4a"
