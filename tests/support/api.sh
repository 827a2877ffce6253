# SPDX-License-Identifier: BSD-3-Clause
# What the public headers promise, as the compiler sees it. Needs $CC, $srcdir.

public_headers=$srcdir/libdecode/include/precis

# Names of the functions that carry PRECIS_API in any public header, sorted.
api_functions() {
	for header in "$public_headers"/*.h; do
		$CC -std=gnu11 -E -P -I"$srcdir/libdecode/include" "$header" || return 1
	done | tr '\n' ' ' | tr ';{}' '\n\n\n' |
		sed -n 's/.*visibility("default")))[^(]*[ *]\([a-zA-Z_][a-zA-Z0-9_]*\) *(.*/\1/p' |
		sort -u
}
