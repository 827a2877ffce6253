#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sums.sh BUILD-DIRECTORY STATUS LOG: how "make check" went, which ended with STATUS and printed
# LOG. Shows what failed; the last line is automake's summary as one line. Exit code 1 if
# anything failed.

summary=$1/test-suite.log
status=$2
log=$3

# count NAME...: sum of those results
count() {
	total=0
	for result; do
		n=$(sed -n "s/^# $result: *//p" "$summary" | head -n 1)
		total=$((total + ${n:-0}))
	done
	echo "$total"
}

passed=0 failed=0 skipped=0
if test -f "$summary"; then
	passed=$(count PASS XFAIL)
	failed=$(count FAIL XPASS ERROR)
	skipped=$(count SKIP)
fi
if test "$failed" != 0; then
	# The logs of the tests that failed, without their cases that passed. Of a test that ended before its plan
	# the status is all that tells of it, but for what it wrote itself.
	awk '/^[A-Z]+: [^ ]+$/ { failing = /^(FAIL|XPASS|ERROR): / }
		failing && !/^ok / && !/^[A-Z]+: [^ ]+ [0-9]+( - .*)?$/' "$summary" | head -n 300
elif test "$status" != 0; then
	# Make itself failed: a test program that does not compile is in no summary.
	failed=1
	tail -n 40 "$log"
fi
echo "$passed passed, $failed failed, $skipped skipped"
test "$failed" = 0
