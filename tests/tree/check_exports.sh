#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The library exports what the public headers declare with PRECIS_API, no more, no less.

. "$srcdir/tests/support/tap.sh"
. "$srcdir/tests/support/api.sh"

library=$builddir/.libs/libprecis.so
test -e "$library" || tap_skip_all "no shared library was built"
nm=$(command -v "${NM%% *}") || tap_skip_all "nm not found"

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
api_functions > "$work/declared"
# The version's own name is an absolute symbol.
"$nm" -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' |
	sort -u > "$work/exported"

count=$(wc -l < "$work/declared")
tap_run "the headers declare functions (found $count)" test "$count" -ge 40
tap_empty "every function of the public headers is exported" \
	"$(comm -23 "$work/declared" "$work/exported")"
tap_empty "nothing else is exported" "$(comm -13 "$work/declared" "$work/exported")"
tap_done
