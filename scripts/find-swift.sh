#!/usr/bin/env bash
# Prints the path of the swift command: the one in PATH, else one in a usual place. Fails when there is none.
set -u
command -v swift && exit 0
for candidate in \
    "${SWIFTLY_BIN_DIR:-$HOME/.local/share/swiftly/bin}/swift" \
    /opt/swift*/usr/bin/swift /opt/swift/bin/swift /usr/local/swift*/usr/bin/swift \
    /usr/share/swift*/usr/bin/swift "$HOME"/swift*/usr/bin/swift; do
    if [ -x "$candidate" ]; then
        echo "$candidate"
        exit 0
    fi
done
exit 1
