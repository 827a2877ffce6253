#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# timed-driver.sh DRIVER ARGUMENT...: automake's test driver DRIVER with its ARGUMENTS, and what its test took,
# a line in the file that PRECIS_TEST_TIMES names:
#
#   BEGIN END CPU NAME
#
# BEGIN and END in seconds since the epoch, CPU in seconds of all processes that were waited for.

began=$(date +%s)
sh "$@"
status=$?
test -n "${PRECIS_TEST_TIMES-}" || exit $status
ended=$(date +%s)
while test $# -gt 1 && test "$1" != --test-name; do
	shift
done
# Of a pipe's own process nobody wants to know the times.
taken=$2.times
times >"$taken"
# The second line is that of the children: 1m2.50s 0m0.50s
awk -v began="$began" -v ended="$ended" -v name="$2" '
	NR == 2 {
		for (i = 1; i <= 2; i++) {
			split($i, part, /[ms]/)
			cpu += part[1] * 60 + part[2]
		}
		printf "%d %d %.1f %s\n", began, ended, cpu, name
	}' "$taken" >>"$PRECIS_TEST_TIMES"
rm -f "$taken"
exit $status
