#!/usr/bin/env bash
# Draws the example's media: a road with a car whose plate is to be hidden, and somebody before a green screen. The same
# every time; a few seconds.
# usage: make-media.sh [FOLDER]   (default: media beside this script)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
media=${1:-$here/media}
mkdir -p "$media"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

exact=(-fflags +bitexact -flags:v +bitexact -map_metadata -1 -color_primaries bt709 -color_trc bt709 -colorspace bt709)
encode=(-c:v libx264 -preset veryfast -crf 20 -pix_fmt yuv420p -threads 1 "${exact[@]}")
matrix="scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"

letters=
for mark in 66:8 80:4 90:10 106:4 118:8 132:6 146:8; do
    letters+=",drawbox=x=${mark%:*}:y=74:w=${mark#*:}:h=20:color=black:t=fill"
done

# The car drives to the right by 96 pixels a second; its plate is 104 by 28 pixels.
ffmpeg -nostdin -v error -y -f lavfi -i "gradients=s=540x960:c0=0x6f9fd8:c1=0xf4d9b0:x0=0:y0=0:x1=0:y1=500:d=3:r=30:speed=0.00001" \
    -f lavfi -i "color=0xb01e28:s=220x110:r=30:d=3,drawbox=x=0:y=0:w=220:h=44:color=0x7d1018:t=fill,drawbox=x=30:y=10:w=160:h=30:color=0x9fc4d8:t=fill,drawbox=x=58:y=70:w=104:h=28:color=white:t=fill$letters" \
    -filter_complex "[0]drawbox=x=0:y=560:w=540:h=400:color=0x4a4a50:t=fill,drawbox=x=0:y=740:w=540:h=10:color=0xe8e4d0:t=fill[road];[road][1]overlay=x='20+96*t':y=580,noise=alls=4:allf=t:all_seed=1,$matrix" \
    -t 3 "${encode[@]}" "$work/road.mp4"

# A head and shoulders that nod, before a screen with uneven light.
ffmpeg -nostdin -v error -y -f lavfi -i "nullsrc=s=270x360:r=30:d=3,format=gbrp,geq=
r='st(0,hypot((X-135)/62,(Y-130-6*sin(2*T))/80));st(1,hypot((X-135)/120,(Y-330)/130));if(lt(ld(0),1),214-40*ld(0)*ld(0),if(lt(ld(1),1),58,8+4*sin(X/40)))':
g='st(0,hypot((X-135)/62,(Y-130-6*sin(2*T))/80));st(1,hypot((X-135)/120,(Y-330)/130));if(lt(ld(0),1),160-36*ld(0)*ld(0),if(lt(ld(1),1),64,164+16*sin(X/60)))':
b='st(0,hypot((X-135)/62,(Y-130-6*sin(2*T))/80));st(1,hypot((X-135)/120,(Y-330)/130));if(lt(ld(0),1),132-34*ld(0)*ld(0),if(lt(ld(1),1),110,62+6*sin(X/50)))'" \
    -vf "noise=alls=4:allf=t:all_seed=2,gblur=sigma=0.7,$matrix" -t 3 "${encode[@]}" "$work/screen.mp4"

mv "$work"/{road.mp4,screen.mp4} "$media"
cat >"$media/evening.cube" <<'CUBE'
# A small table made for this example: shadows towards blue, light towards orange.
TITLE "evening"
LUT_3D_SIZE 2
0.02 0.02 0.08
0.98 0.06 0.05
0.00 0.90 0.10
1.00 0.96 0.06
0.03 0.05 0.86
0.94 0.08 0.84
0.02 0.92 0.90
1.00 0.98 0.90
CUBE
