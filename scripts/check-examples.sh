#!/usr/bin/env bash
# Builds, checks and uses the example modules, and the skeletons that `editor effects new` writes, against this checkout.
# usage: check-examples.sh [EDITOR]   (default: the one that the tests built, else it is built)
set -euo pipefail
here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
checkout=$(dirname "$here")
swift=$("$here/find-swift.sh")
PATH=$PATH:$(dirname "$swift")
# One build folder for all packages: the editor's own modules are compiled once.
scratch=$checkout/.build/examples

editor=${1:-$checkout/.build/tests/release/editor}
if [ ! -x "$editor" ]; then
    editor=$checkout/.build/release/editor
    (cd "$checkout" && "$swift" build --configuration release --product editor >&2)
fi
editor=$(readlink -f "$editor")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# No plugins: they are tested elsewhere, and a fresh cache knows none yet.
export FREI0R_PATH= LADSPA_PATH= XDG_CACHE_HOME=$work/cache

fail() {
    echo "check-examples: $*" >&2
    exit 1
}

[ -e "$checkout/Examples/first/media/.made" ] || "$checkout/Examples/first/make-media.sh"

# Modules in files of their own: built, checked and loaded by the editor.
cd "$work"
for name in Iris Tremolo WatermarkClock; do
    echo "$name: build and check" >&2
    "$editor" effects build "$checkout/Examples/$name" >/dev/null
done
for kind in overlay audio transition; do
    echo "skeleton: $kind" >&2
    "$editor" effects new "Made${kind^}" --kind "$kind" >/dev/null
    "$editor" effects build "Made${kind^}" >/dev/null
done
"$editor" effects check iris tremolo watermarkClock madeOverlay madeAudio madeTransition >&2 ||
    fail "a module breaks the contract"

echo "modules: render" >&2
cat >cfg.json <<JSON
{
  "renderSize": { "width": 180, "height": 320 },
  "assetArray": [
    { "path": "$checkout/Examples/first/media/sunset.mp4", "timeRange": { "start": 0, "duration": 1 },
      "transition": { "type": "iris", "duration": 0.5 } },
    { "path": "$checkout/Examples/first/media/portrait.mp4", "timeRange": { "start": 0, "duration": 1 } },
  ],
  "effects": [ { "type": "watermarkClock" }, { "type": "tremolo", "depth": 1 } ],
}
JSON
"$editor" --config cfg.json run --output with.mp4 --quiet >/dev/null
"$editor" --config cfg.json --set 'effects=[]' run --output without.mp4 --quiet >/dev/null
frames=$(ffprobe -v error -count_frames -select_streams v -show_entries stream=nb_read_frames -of csv=p=0 with.mp4)
[ "$frames" = 45 ] || fail "two clips of a second with a transition of half a second have $frames frames and not 45"
for moment in 0.2 0.75; do
    "$editor" --config cfg.json frame --at "$moment" --output "with-$moment.png" --quiet >/dev/null
    "$editor" --config cfg.json --set 'effects=[]' frame --at "$moment" --output "without-$moment.png" --quiet >/dev/null
    ! cmp -s "with-$moment.png" "without-$moment.png" || fail "the clock is not there at $moment s"
done

# Installed, away from the checkout, it makes modules as well.
echo "installed: skeleton and module" >&2
make --silent --directory "$checkout" --old-file=build install editor="$editor" PREFIX="$work/prefix"
(
    mkdir "$work/elsewhere" && cd "$work/elsewhere"
    "$work/prefix/bin/editor" effects new Shine >/dev/null
    "$work/prefix/bin/editor" effects build Shine >/dev/null
    "$work/prefix/bin/editor" effects check shine >/dev/null
) || fail "the installed editor makes no modules"
make --silent --directory "$checkout" uninstall PREFIX="$work/prefix"
[ -z "$(find "$work/prefix" -type f)" ] || fail "uninstalling leaves files"

echo "skeleton: video, with its own tests" >&2
"$editor" effects new MadeVideo --kind video >/dev/null
sed -i "s|path: \"../editor\"|path: \"$checkout\"|" MadeVideo/Package.swift
(cd MadeVideo && "$swift" test --scratch-path "$scratch" >"$work/log" 2>&1) || { cat "$work/log" >&2; fail "the skeleton's tests failed"; }

echo "glow: test" >&2
cd "$checkout/Examples/GlowModule"
"$swift" test --scratch-path "$scratch" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "the glow's tests failed"; }
glow_editor=$("$swift" build --scratch-path "$scratch" --show-bin-path)/glow-editor

echo "glow: editor" >&2
"$glow_editor" effects list >"$work/effects.txt"
for effect in glow sticker text beauty color music; do
    grep -q "^$effect " "$work/effects.txt" || fail "effects list does not show $effect"
done
"$glow_editor" --config cfg.json check --quiet
# Early there is no glow, later there is.
for moment in 0 2.5; do
    "$glow_editor" --config cfg.json frame --at "$moment" --draft --output "$work/with-$moment.png" --quiet >/dev/null
    "$glow_editor" --config cfg.json --set 'effects=[]' frame --at "$moment" --draft --output "$work/without-$moment.png" --quiet >/dev/null
done
cmp -s "$work/with-0.png" "$work/without-0.png" || fail "the glow is there when its strength is 0"
! cmp -s "$work/with-2.5.png" "$work/without-2.5.png" || fail "the glow is not there when it should be"

echo "mean colours" >&2
(
    cd ../MeanColor
    "$swift" build --scratch-path "$scratch" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "the mean colours do not build"; }
    "$("$swift" build --scratch-path "$scratch" --show-bin-path)/mean-color" ../first/cfg.json >"$work/colors"
)
grep -qx '2 s  [0-9a-f]\{6\}' "$work/colors" || fail "there is no mean colour of second 2"

echo "recorder" >&2
(
    cd ../recording
    "$swift" build --scratch-path "$scratch" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "the recorder does not build"; }
    recorder=$("$swift" build --scratch-path "$scratch" --show-bin-path)/recorder
    # The virtual camera needs root and FUSE; without them building it has to do.
    if [ "$(id -u)" = 0 ] && [ -e /dev/fuse ]; then
        XDG_DATA_HOME=$work/data TMPDIR=$work CAMERA_BUILD=$checkout/.build/camera-rig \
            "$checkout/Tests/CameraRig/fast-rig.sh" "$recorder" recording.json "$work/recorded.mp4" >"$work/log" 2>&1 ||
            { cat "$work/log" >&2; fail "the recorder does not record"; }
        # How many are lost depends on the machine: this program is not optimised.
        [ "$(grep -c '^60 pictures' "$work/log")" = 2 ] || { cat "$work/log" >&2; fail "the recorder's segments are not whole"; }
        frames=$(ffprobe -v error -count_frames -select_streams v -show_entries stream=nb_read_frames -of csv=p=0 "$work/recorded.mp4")
        [ "$frames" = 120 ] || fail "two segments of two seconds have $frames frames and not 120"
    fi
)
echo "examples: all well" >&2
