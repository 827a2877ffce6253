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

# masks FILE...: a mask or a place of a register that is a number. What a sample notes (gates) is looked up
# by bytes; pages, the bytes of a word, cores and gates are no registers.
masks() {
	grep -nE '[&|] *0x|0x[0-9a-f]+u?ll|[0-9]u?ll *<<|(>>|<<) *[0-9]+ *&|UINT(32|64)_C\((0x|[2-9])|UINT(32|64)_C\(1\) *<< *[0-9]+\b' "$@" |
		grep -vE 'allowed\[.\]\[gates|#define (PAGE_|BYTE_BITS|EACH_CORE|DYNAMIC_GATES)|<< 4 \*'
}

# unnamed FILE...: likewise, but for those that have a name. Packets of a trace are bytes, and a hash is no mask.
unnamed() {
	masks "$@" | grep -vE '^pebs/pt_(decode|packet|packet_encode)\.c:|#define|0x9e3779b97f4a7c15| cut >> 8 & 0xff'
}

tap_empty "sample/ names no vendor's" "$(names "$ibs|$pebs" sample/*.[ch] sample/*.def)"
tap_empty "ibs/ names nothing of PEBS" "$(names "$pebs" ibs/*.[ch] ibs/*.def)"
tap_empty "pebs/ names nothing of IBS" "$(names "$ibs" pebs/*.[ch] pebs/*.def)"
tap_empty "the vendors are listed once" "$(
	grep -rlE 'precis_vendor_(ibs|pebs)\b' . | grep -vE '^\./(vendors\.c|(ibs|pebs)/vendor\.c)$'
)"
tap_empty "masks of IBS are made of bits.def" "$(masks ibs/*.[ch] ibs/gates.def ibs/transforms.def \
	ibs/errata.def ibs/fields.def)"
tap_empty "those of PEBS have names" "$(unnamed pebs/*.[ch] pebs/gates.def pebs/values.def)"
tap_empty "who reads recordings has none" "$(masks perf/machine/kinds.[ch] perf/machine/pebs_*.[ch] perf/decoder/*.[ch])"
tap_done
