#!/usr/bin/env bash
# Builds and tests the example module, and the skeletons that `editor effects new` writes, against this checkout.
# usage: check-examples.sh [EDITOR]   (default: builds one)
set -euo pipefail
here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
checkout=$(dirname "$here")
swift=$("$here/find-swift.sh")
# One build folder for all of them: the editor's own modules are compiled once.
scratch=$checkout/.build/examples

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "check-examples: $*" >&2
    exit 1
}

echo "glow: test" >&2
cd "$checkout/Examples/GlowModule"
"$swift" test --scratch-path "$scratch" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "the glow's tests failed"; }
glow_editor=$("$swift" build --scratch-path "$scratch" --show-bin-path)/glow-editor

echo "glow: editor" >&2
"$glow_editor" effects list >"$work/effects"
for effect in glow sticker text beauty color music; do
    grep -q "^$effect " "$work/effects" || fail "effects list does not show $effect"
done
[ -e ../first/media/.made ] || ../first/make-media.sh
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

editor=${1:-$glow_editor}
case $editor in /*) ;; *) editor=$OLDPWD/$editor ;; esac
cd "$work"
for kind in video overlay audio; do
    echo "skeleton: $kind" >&2
    name=Made${kind^}
    "$editor" effects new "$name" --kind "$kind" >/dev/null
    sed -i "s|path: \"../editor\"|path: \"$checkout\"|" "$name/Package.swift"
    (cd "$name" && "$swift" test --scratch-path "$scratch" >"$work/log" 2>&1) || { cat "$work/log" >&2; fail "the $kind skeleton's tests failed"; }
done
echo "examples: all well" >&2
