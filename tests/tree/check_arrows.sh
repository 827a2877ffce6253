#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Rooms inside a room include each other's headers one way: only those above them in its local.mk.

. "$srcdir/tests/support/tap.sh"

cd "$srcdir" || exit 1

# backward ROOM: the includes that point down its list, or at a room that is not in it
backward() {
	above=
	for room in $(sed -n "s,^include $1/\\([a-z]*\\)/local.mk$,\\1,p" "$1/local.mk"); do
		above="$above|$room"
		grep -rn "#include \"$1/" "$1/$room" | grep -vE "\"$1/(${above#|})/"
	done
}

tap_empty "libdecode/perf" "$(backward libdecode/perf)"
tap_empty "command" "$(backward command)"
tap_done
