#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Vendors' facts stand in their rooms: sample/ names none of them, no room names another one's, and
# masks are made of the tables.

. "$srcdir/tests/support/tap.sh"

cd "$srcdir/libdecode" || exit 1

# What belongs to one of them alone
ibs='(PRECIS|precis)_(IBS|ibs|AMD|amd)_|precis/(ibs|amd)\.h|PRECIS_(EVENT|SOURCE)_IBS'
pebs='(PRECIS|precis)_(PEBS|pebs|INTEL|intel|DSE|dse)_|precis/(pebs.*|intel)\.h|PRECIS_(EVENT|SOURCE)_PEBS'

# names PATTERN FILE...: lines of code that have it
names() {
	pattern=$1
	shift
	grep -nE "$pattern" "$@"
}

# masks FILE...: a mask or a place of a register that is a number. What a sample notes (gates) is
# looked up by bytes.
masks() {
	grep -nE '[&|] *0x|0x[0-9a-f]+u?ll|[0-9]u?ll *<<|(>>|<<) *[0-9]+ *&' "$@" |
		grep -v 'allowed\[.\]\[gates'
}

tap_empty "sample/ names no vendor's" "$(names "$ibs|$pebs" sample/*.[ch] sample/*.def)"
tap_empty "ibs/ names nothing of PEBS" "$(names "$pebs" ibs/*.[ch] ibs/*.def)"
tap_empty "pebs/ names nothing of IBS" "$(names "$ibs" pebs/*.[ch] pebs/*.def)"
tap_empty "the vendors are listed once" "$(
	grep -rlE 'precis_vendor_(ibs|pebs)\b' . | grep -vE '^\./(vendors\.c|(ibs|pebs)/vendor\.c)$'
)"
tap_empty "masks of IBS are made of bits.def" "$(masks ibs/*.[ch] ibs/gates.def ibs/transforms.def \
	ibs/errata.def ibs/fields.def)"
tap_done
