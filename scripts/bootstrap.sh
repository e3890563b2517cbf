#!/usr/bin/env bash
# Makes a Debian machine ready to build the editor: installs those packages of packages.txt that are missing and finds
# Swift, or says how to get it. Asks nothing, uses sudo only when not root, and says nothing when nothing is to do.
set -euo pipefail
here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)

missing_packages() {
    local wanted
    mapfile -t wanted < <(sed -e 's/#.*//' -e 's/[[:space:]]*$//' -e '/^$/d' "$here/packages.txt")
    # One query for all; dpkg-query fails when a name is unknown to it, which is not a failure here.
    local installed
    installed=$(dpkg-query --show --showformat '${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null || true)
    local name
    for name in "${wanted[@]}"; do
        case $'\n'$installed$'\n' in
        *$'\n'"$name installed"$'\n'*) ;;
        *) echo "$name" ;;
        esac
    done
}

install_packages() {
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "bootstrap: these packages are missing, and installing them needs root or sudo: $*" >&2
            return 1
        fi
        as_root=(sudo)
    fi
    echo "bootstrap: installing $*" >&2
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet --quiet)
    # stdout stays free for what the caller asked for; stdin stays away from apt and its scripts.
    "${apt[@]}" update >&2 </dev/null
    "${apt[@]}" install --yes --no-install-recommends "$@" >&2 </dev/null
}

if command -v dpkg-query >/dev/null; then
    mapfile -t missing < <(missing_packages)
    if [ "${#missing[@]}" -gt 0 ] && ! install_packages "${missing[@]}"; then
        echo "bootstrap: could not install: ${missing[*]}" >&2
        echo "bootstrap: install them by hand (apt-get install …), then try again" >&2
        exit 69
    fi
else
    echo "bootstrap: this is no Debian system: install what scripts/packages.txt lists in your system's way" >&2
fi

if ! "$here/find-swift.sh" >/dev/null; then
    cat >&2 <<'TEXT'
bootstrap: Swift 6.2 or newer is missing. Two ways to get it:
  - swiftly, Swift's own installer, as https://www.swift.org/install/linux/ shows; or
  - the archive for Debian 12 from the same page, unpacked so that /opt/swift/usr/bin/swift exists.
Then try again. A Swift in another place is found when its folder is in PATH.
TEXT
    exit 69
fi
