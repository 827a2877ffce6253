#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Recordings of other projects, hostile ones and good ones of all ages and forms: each command must
# end by itself, in little memory, with exit code 0, or 1 and a word on what is wrong with them.

. "$srcdir/tests/support/tap.sh"

megabytes=256

test -d "$PRECIS_SHARED" || tap_skip_all "no $PRECIS_SHARED: set PRECIS_SHARED"
test -x "$PRECIS" || tap_skip_all "the command was not built"

# limited COMMAND...: with no more memory than a recording may cost. A sanitizer reserves address
# space without end: it looks at what is resident itself.
limited() {
	# shellcheck disable=SC3045 # every sh here has ulimit -t and -v
	if test "$PRECIS_SANITIZED" = yes; then
		(ulimit -t 120 && ASAN_OPTIONS=hard_rss_limit_mb=$megabytes:quarantine_size_mb=16 \
			timeout 1200 "$@")
	else
		(ulimit -t 120 && ulimit -v $((megabytes * 1024)) && timeout 1200 "$@")
	fi
}

# survives COMMAND...: exit code 0, or 1 with a message; nothing on stderr is a sanitizer's
survives() {
	limited "$@" >/dev/null 2>"$work/err" </dev/null
	status=$?
	test "$status" -le 1 || { echo "exit code $status"; cat "$work/err"; return 1; }
	test "$status" -eq 0 || test -s "$work/err" || { echo "no message"; return 1; }
	! grep -E 'ERROR: |runtime error|hard rss limit|out of memory' "$work/err"
}

# every_command FILE: one case for each way of reading it
every_command() {
	for words in info 'info --format json' dump 'dump -F all --reasons' 'dump --format csv -F all' \
		'dump --format json --registers' 'dump --records' report 'report --format json'; do
		test "$words" != 'dump --records' || test -n "$has_records" || continue
		# words are several arguments on purpose
		# shellcheck disable=SC2086 # a subcommand with options
		tap_run "$words: ${1##*/}" survives "$PRECIS" $words "$1"
	done
}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
has_records=$("$PRECIS" dump --help | grep -e --records)
# A quick run takes each third one, but for sanitizers, which are what hostile files are for
one_in=1 count=0
test -z "${PRECIS_QUICK-}" || test "$PRECIS_SANITIZED" = yes || one_in=3
for file in "$PRECIS_SHARED"/fuzz-corpus/* "$PRECIS_SHARED"/perfdata/*perf*; do
	test -f "$file" || continue
	test $((count % one_in)) -ne 0 || every_command "$file"
	count=$((count + 1))
done
tap_done
