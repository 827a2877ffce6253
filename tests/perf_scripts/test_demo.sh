#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What `./bootstrap demo` shows, with and without perf.

. "$srcdir/tests/support/tap.sh"

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# check NAME PERF TEXT: runs, is labelled, fits on a screen, has TEXT
check() {
	if ! PERF=$2 sh "$srcdir/perf_scripts/demo.sh" "$builddir" "$srcdir" >"$work/out" 2>"$work/err"
	then
		tap_not_ok "$1" "$(cat "$work/err")"
		return
	fi
	complaints=$(
		cat "$work/err"
		grep -q "Modeled machine: .* not measured" "$work/out" || echo "not labelled as modeled"
		grep -q "^Findings" "$work/out" || echo "no findings"
		grep -q "^Top instructions" "$work/out" || echo "no instructions"
		grep -q "$3" "$work/out" || echo "lacks: $3"
		test "$(wc -l <"$work/out")" -lt 60 || echo "60 lines or more"
		# commands to be copied are one line each
		grep -vE "^Built: |^     precis " "$work/out" | grep -n '.\{101\}'
	)
	tap_empty "$1" "$complaints"
}

without="perf is not installed"
test -e "$PRECIS_DLFILTER" || without="precis was configured without the dlfilter"
check "without perf" /nonexistent/perf "skipped, $without"
if test -z "$PERF"; then
	tap_skip "with perf" "configured without perf"
elif test ! -e "$PRECIS_DLFILTER"; then
	tap_skip "with perf" "configured without the dlfilter"
elif test "$PRECIS_SANITIZED" = yes; then
	tap_skip "with perf" "perf does not load a sanitized library"
else
	check "with perf" "$PERF" "^mem_level=DRAM dcache_miss_latency=[45][0-9]* .*mix"
fi
tap_done
