#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Hostile perf.data files of other projects: the command must end by itself, with exit code 0 or 1,
# and say what is wrong with them.

. "$srcdir/tests/support/tap.sh"

corpus=$PRECIS_SHARED/fuzz-corpus
test -d "$corpus" || tap_skip_all "no $corpus: set PRECIS_SHARED"
test -x "$PRECIS" || tap_skip_all "the command was not built"

# survives COMMAND...: exit code 0, or 1 with a message; nothing on stderr is a sanitizer's
survives() {
	timeout 20 "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
	test "$status" -le 1 || { echo "exit code $status"; cat "$work/err"; return 1; }
	test "$status" -eq 0 || test -s "$work/err" || { echo "no message"; return 1; }
	! grep -E 'ERROR: |runtime error' "$work/err"
}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
for file in "$corpus"/*; do
	name=${file##*/}
	tap_run "info: $name" survives "$PRECIS" info "$file"
	tap_run "dump: $name" survives "$PRECIS" dump "$file"
done
tap_done
