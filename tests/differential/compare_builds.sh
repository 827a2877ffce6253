#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# compare_builds.sh BEFORE AFTER [DIRECTORY...]: do two builds of the command print the same, byte
# for byte, on stdout and stderr, with the same exit code? For every recording in the directories
# (default: those that come with precis, and of $PRECIS_SHARED), and every subcommand and format.
# That is what a change promises that is to change nothing. Exit code 1 if anything differs.

test $# -ge 2 || {
	echo "usage: compare_builds.sh BEFORE AFTER [DIRECTORY...]" >&2
	exit 2
}
before=$1 after=$2
shift 2
top=$(cd "$(dirname "$0")/../.." && pwd)
shared=${PRECIS_SHARED-$top/../shared}
test $# -gt 0 || set -- "$top/tests/recordings" "$top/tests/recordings/forms" \
	"$shared/recordings" "$shared/perfdata"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset COLUMNS # text is as wide as that says
compared=0 different=0

# run NAME PROGRAM ARGUMENT...: all that it says, into files
run() {
	name=$1
	shift
	"$@" > "$work/$name.out" 2> "$work/$name.err"
	echo $? > "$work/$name.code"
}

# compare ARGUMENT...: by both builds
compare() {
	run before "$before" "$@"
	run after "$after" "$@"
	compared=$((compared + 1))
	for part in out err code; do
		if ! cmp -s "$work/before.$part" "$work/after.$part"; then
			echo "differs ($part): precis $*"
			diff "$work/before.$part" "$work/after.$part" | head -n 4
			different=$((different + 1))
		fi
	done
}

for directory; do
	for recording in "$directory"/*; do
		test -e "$recording" || continue
		for format in text csv json; do
			compare dump --format $format --reasons -F all "$recording"
			compare report --format $format "$recording"
		done
		compare dump --sorted -F all "$recording"
		compare dump --registers "$recording"
		compare dump --records "$recording"
		compare dump --records --format json "$recording"
		compare info "$recording"
		compare info --format json "$recording"
	done
done
for format in text csv json; do
	compare info --compare --format $format
	compare fields --format $format
	compare errata --format $format
done
compare info
compare info --format json
echo "$compared runs compared, $different differences"
test $different -eq 0 && test $compared -gt 0
