#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every exported function stands in the NAME of a manual page of section 3, and the pages have
# nothing to complain of.

. "$srcdir/tests/support/tap.sh"
. "$srcdir/tests/support/api.sh"

pages=$srcdir/doc/man
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

api_functions > "$work/declared"
# Inline functions have no PRECIS_API.
{
	cat "$work/declared"
	papi_functions
	echo precis_accesses_open
	echo precis_accesses_put
	echo precis_fields_add
	echo precis_fields_have
	echo precis_fields_remove
	echo precis_get
	echo precis_sample_init
	for what in find forget name name_array name_each phase recorded tag; do
		echo "precis_objects_$what"
	done
} | sort > "$work/expected"
awk -f "$srcdir/doc/man_aliases.awk" "$pages"/*.3 > "$work/aliases"
cut -d ' ' -f 1 "$work/aliases" | sort > "$work/names"
# NAME begins with the page's own name, which is a function's nowhere but here.
(cd "$pages" && printf '%s\n' *.3) | sed 's/[.]3$//' | sort > "$work/titles"
sort -u "$work/names" "$work/titles" > "$work/documented"

tap_run "the headers declare functions" test -s "$work/declared"
tap_empty "every function stands in the NAME of a page of section 3" \
	"$(comm -23 "$work/expected" "$work/documented")"
tap_empty "every name in NAME is a function" "$(comm -13 "$work/expected" "$work/names")"
tap_empty "no name is in two pages" "$(uniq -d "$work/names")"

# A function that is in NAME also has a prototype or a description.
tap_empty "every name in NAME is described" "$(
	while read -r name page; do
		grep -Eq "^[.](Fn|Fo) $name( |\$)" "$pages/$page" || echo "$name ($page)"
	done < "$work/aliases"
)"

tap_empty "cross references name pages that are there" "$(
	grep -HoE '^[.]Xr precis[-_a-z.]* [0-9]' "$pages"/*.[0-9] | while IFS=: read -r from xr; do
		# shellcheck disable=SC2086 # a line's words
		set -- $xr
		test -e "$pages/$2.$3" || echo "$(basename "$from"): $2($3)"
	done
)"

if command -v mandoc >/dev/null; then
	# What other pages are installed is none of ours.
	tap_empty "mandoc has no warning" "$(mandoc -T lint -W warning "$pages"/*.[0-9] 2>&1 |
		grep -v 'outdated mandoc.db')"
else
	tap_skip "mandoc has no warning" "mandoc not found"
fi
# groff-base without its macro package is a groff that cannot format.
if groff -mandoc -Tutf8 -z /dev/null >/dev/null 2>&1; then
	tap_empty "groff has no warning" "$(
		for page in "$pages"/*.[0-9]; do
			groff -mandoc -ww -Tutf8 -z "$page" 2>&1
		done
	)"
else
	tap_skip "groff has no warning" "groff not found"
fi
tap_done
