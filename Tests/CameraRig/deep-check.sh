#!/bin/bash
# deep-check.sh [EDITOR]: records from the kernel's own drivers, vivid and snd-aloop, in a virtual machine (see deep-rig.sh for what it needs),
# cuts its power in the middle of a segment, and judges what was recorded. Takes three minutes of a processor's time.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
editor=${1:-$here/../../.build/release/editor}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
realpath "$editor" >"$work/editor"
gcc -O2 -o "$work/clapper" "$here/vm/clapper.c" -lasound -lpthread
export CAMERA_BUILD=${CAMERA_BUILD:-${TMPDIR:-/tmp}/editor-camera-rig}
TMO=1800 "$here/deep-rig.sh" "$here/deep-guest.sh" "$work/editor" "$work/clapper"
rm -rf "$CAMERA_BUILD/deep"; cp -r "$CAMERA_BUILD/vm/out" "$CAMERA_BUILD/deep"
# The power is cut: no exit code comes of it. A disk is waited for in real time.
export IDLE=on
DISK=256M "$here/deep-rig.sh" "$here/deep-cut.sh" "$work/editor" || true
cp "$CAMERA_BUILD/vm/out/log" "$CAMERA_BUILD/deep/cut.log"
touch "$work/again"
DISK=keep "$here/deep-rig.sh" "$here/deep-cut.sh" "$work/editor" "$work/again"
cp -r "$CAMERA_BUILD/vm/out" "$CAMERA_BUILD/deep/cut"
"$here/deep-check.py" "$CAMERA_BUILD/deep"
