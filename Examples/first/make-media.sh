#!/usr/bin/env bash
# Draws and plays the example's media: two clips, a sticker, a song. The same every time; about fifteen seconds on two
# idle cores.
# usage: make-media.sh [FOLDER]   (default: media beside this script)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
media=${1:-$here/media}
mkdir -p "$media"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Debian's own Python, which has python3-cairo, whatever else stands in PATH.
draw() { local script=$1; shift; /usr/bin/python3 -B "$here/drawing/$script" "$@"; }
exact=(-fflags +bitexact -flags:v +bitexact -flags:a +bitexact -map_metadata -1)

sunset() {
    draw sound.py sea "$work/sea.wav" 4
    draw sunset.py "$work/sunset.mp4" "$work/sea.wav" 4
}

# The portrait is stored lying (1920 by 1080) with a display matrix that turns it by 90 degrees, as telephones record.
portrait() {
    draw sound.py voice "$work/voice.wav" 4
    draw portrait.py "$work/lying.mp4" "$work/voice.wav" 4
    ffmpeg -nostdin -v error -y -i "$work/lying.mp4" -c copy "${exact[@]}" -metadata:s:v rotate=270 "$work/portrait.mp4"
}

extras() {
    draw badge.py "$work/star.png"
    draw sound.py song "$work/song.wav" 8
    ffmpeg -nostdin -v error -y -i "$work/song.wav" -c:a aac -b:a 128k "${exact[@]}" "$work/song.m4a"
}

# Two clips side by side, the small things after the shorter one. `wait PID` passes a failure on; plain `wait` would not.
portrait &
running=$!
sunset
extras
wait "$running"
mv "$work"/{sunset.mp4,portrait.mp4,star.png,song.m4a} "$media"
