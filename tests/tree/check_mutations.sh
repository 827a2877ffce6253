#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The faults that the virtual machine's checks must find (tests/vm/mutations.tsv) are still changes of
# one line each, of a file that is there: otherwise check-mutations finds nothing.

. "$srcdir/tests/support/tap.sh"

tab=$(printf '\t')
while IFS=$tab read -r name where run check file change what; do
	case $name in
	'#'*) continue ;;
	esac
	if test ! -f "$srcdir/$file"; then
		tap_not_ok "$name" "there is no $file"
		continue
	fi
	lines=$(sed -E "$change" "$srcdir/$file" | diff - "$srcdir/$file" | grep -c '^<')
	if test "$lines" = 1 && test -f "$srcdir/tests/vm/checks/$check" && test -n "$what" &&
		grep -qE "^#: ([a-z]+ )*run $run " "$srcdir"/tests/vm/guest/scenario_*.sh; then
		tap_ok "$name: $where"
	else
		tap_not_ok "$name" "$file: changes $lines lines; run $run, check $check"
	fi
done <"$srcdir/tests/vm/mutations.tsv"
tap_done
