#!/usr/bin/env bash
# Makes the example's clip and its GIF with ffmpeg. The same every time.
# usage: make-media.sh [FOLDER]   (default: media beside this script)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
media=${1:-$here/media}
mkdir -p "$media"
exact=(-fflags +bitexact -flags:v +bitexact -flags:a +bitexact -map_metadata -1)

ffmpeg -nostdin -v error -y -f lavfi -i "gradients=s=540x960:c0=0x203a60:c1=0x7a3b69:x0=0:y0=0:x1=540:y1=960:d=4:r=30:speed=0.00001" \
    -f lavfi -i "sine=frequency=330:sample_rate=48000:duration=4" -t 4 -c:v libx264 -preset veryfast -crf 20 -pix_fmt yuv420p \
    -c:a aac "${exact[@]}" "$media/clip.mp4"
ffmpeg -nostdin -v error -y -f lavfi -i "color=black:s=120x120:r=10:d=1,format=rgba,geq=r=40:g='140+100*sin(N*PI/5)':b=230:a='255*lt(hypot(X-60,Y-60),30+20*sin(N*PI/5))'" \
    -filter_complex "split[a][b];[a]palettegen[p];[b][p]paletteuse" "${exact[@]}" "$media/drop.gif"
