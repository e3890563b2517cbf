#!/usr/bin/env bash
# Records two segments of two seconds, the second from the other camera, and merges them with cfg.json: a script in place of
# fingers.   usage: record.sh MOVIE [further options of editor record]
set -euo pipefail
here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
movie=$1
shift
printf '%s\n' 'start 2' 'wait' 'flip' 'start 2' 'wait' 'finish' |
    "${EDITOR:-editor}" --config "$here/recording.json" record --output "$movie" --progress json "$@"
