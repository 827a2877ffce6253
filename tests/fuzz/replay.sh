#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each fuzz target on its corpus and on every input that once made it crash.

. "$srcdir/tests/support/tap.sh"

# replay TARGET FILE...: all at once; if that fails, one by one, to name the culprits
replay() {
	program=$builddir/tests/fuzz/$1
	shift
	"$program" "$@" >/dev/null 2>&1 && return 0
	for file; do
		"$program" "$file" 2>&1 || echo "$file: exit code $?"
	done
	return 1
}

for target in fuzz_code fuzz_filter fuzz_ibs_payload fuzz_mix fuzz_object_file fuzz_pebs fuzz_pebs_pt \
	fuzz_perf_data fuzz_record fuzz_ring fuzz_saved fuzz_types; do
	set --
	forms=
	test "$target" != fuzz_perf_data || forms=$srcdir/tests/recordings/forms
	for file in "$srcdir/tests/fuzz/corpus/$target"/* "$srcdir/tests/fuzz/crashes/$target"-* \
		${forms:+"$forms"/* "$forms"/*/*}; do
		test -f "$file" && set -- "$@" "$file"
	done
	if test ! -x "$builddir/tests/fuzz/$target"; then
		tap_skip "$target" "not built"
	else
		tap_run "$target: $# inputs" replay "$target" "$@"
	fi
done
tap_done
