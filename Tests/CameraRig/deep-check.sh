#!/bin/bash
# deep-check.sh [EDITOR]: records from vivid and snd-aloop in a virtual machine (see deep-rig.sh for what it needs).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
editor=${1:-$here/../../.build/release/editor}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
realpath "$editor" >"$work/editor"
"$here/deep-rig.sh" "$here/deep-guest.sh" "$work/editor"
