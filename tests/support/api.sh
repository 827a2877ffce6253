# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# What the public headers promise, as the compiler sees it. Needs $CC, $srcdir.

public_headers=$srcdir/libdecode/include/precis

# exported HEADER...: names of the functions that the headers export
exported() {
	for header; do
		$CC -std=gnu11 -E -P -I"$srcdir/libdecode/include" "$header" || return 1
	done | tr '\n' ' ' | tr ';{}' '[\n*]' |
		sed -n 's/.*visibility("default")))[^(]*[ *]\([a-zA-Z_][a-zA-Z0-9_]*\) *(.*/\1/p' |
		sort -u
}

# Names of the functions that carry PRECIS_API in any public header, sorted.
api_functions() {
	exported "$public_headers"/*.h
}

# Those that a libpapi with the component has
papi_functions() {
	exported "$srcdir/papi_component/include/precis/papi.h" | grep '^precis_papi_'
}
