#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each public header compiles alone, as C11 and as C++17, without a warning.

. "$srcdir/tests/support/tap.sh"
. "$srcdir/tests/support/api.sh"

# compile COMPILER LANGUAGE STANDARD HEADER
compile() {
	echo "#include <precis/$4>" |
		$1 -x "$2" "-std=$3" -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
			-I"$srcdir/libdecode/include" -
}

for path in "$public_headers"/*.h; do
	header=${path##*/}
	tap_run "<precis/$header> as C11" compile "$CC" c c11 "$header"
	if test -n "$CXX"; then
		tap_run "<precis/$header> as C++17" compile "$CXX" c++ c++17 "$header"
	else
		tap_skip "<precis/$header> as C++17" "no C++ compiler"
	fi
done
tap_done
