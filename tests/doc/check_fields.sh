#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The reference of fields in the source tree is what the catalogue gives now.

. "$srcdir/tests/support/tap.sh"

generator=$builddir/doc/field_reference
same() {
	"$generator" "$1" | diff -u "$2" - && return
	echo "make field-reference writes it anew"
	return 1
}

tap_run "doc/man/precis-fields.7" same man "$srcdir/doc/man/precis-fields.7"
tap_run "doc/fields.md" same markdown "$srcdir/doc/fields.md"
tap_done
