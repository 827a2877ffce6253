#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The library has no state of its own: nothing in it can be written to once it is loaded, and it
# calls nothing that locks or makes threads.

. "$srcdir/tests/support/tap.sh"

library=$builddir/.libs/libprecis.so
test -e "$library" || tap_skip_all "no shared library was built"
test "$PRECIS_SANITIZED" != yes || tap_skip_all "sanitizers have variables of their own"
objdump=$(command -v objdump) || tap_skip_all "objdump not found"

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$objdump" -t "$library" > "$work/symbols"
"$objdump" -T "$library" > "$work/needed"

# Those of the C runtime's start-up files
variables=$(awk '$0 ~ /[ \t]\.(data|bss|tdata|tbss)([.][a-z.]*)?[ \t]/ && $0 !~ /\.data\.rel\.ro/ &&
	$3 != "d" && $2 != "d" { print $NF }' "$work/symbols" |
	grep -vxE '\.(data|bss)|__dso_handle|__TMC_END__|completed\.[0-9]+|__bss_start|_edata|_end')

tap_run "the library has symbols" grep -q precis_field_info "$work/symbols"
tap_empty "no variable that can be written" "$variables"
tap_empty "no lock and no thread" "$(grep -oE '(pthread|mtx|thrd)_[a-z_]+|sem_(wait|post)' "$work/needed")"
tap_done
