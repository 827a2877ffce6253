#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each public header compiles alone, as C11 and as C++17, without a warning; installed ones do, too, and programs by
# those that are for programs and link nothing.

. "$srcdir/tests/support/tap.sh"
. "$srcdir/tests/support/api.sh"

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# compile COMPILER LANGUAGE STANDARD HEADER
compile() {
	echo "#include <precis/$4>" |
		$1 -x "$2" "-std=$3" -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
			-I"${include-$srcdir/libdecode/include}" -
}

# A program that hands one access over, and says which
cat >"$work/accesses.c" <<END
#include <precis/accesses.h>

int main(void)
{
	struct precis_accesses_ring *ring = precis_accesses_open();
	uint64_t word = 0;

	precis_accesses_put(ring, &word, sizeof(word), PRECIS_ACCESSES_STORE, 7, 20);
	return !ring || ring->head != 1 || ring->slots[0].weight != 20;
}
END

# program COMPILER LANGUAGE STANDARD: compiles it by the installed headers and nothing else, and runs it
program() {
	$1 -x "$2" "-std=$3" -Wall -Wextra -Wpedantic -Werror -I"$include" -o "$work/accesses" "$work/accesses.c" &&
		printf PECSAC02 >"$work/ring" && truncate -s 2621504 "$work/ring" &&
		PRECIS_ACCESSES=$work/ring "$work/accesses"
}

# check_installed: of headers as 'make install' has them
check_installed() {
	for header in $(cd "$include/precis" && ls ./*.h); do
		compile "$CC" c c11 "${header#./}" || return 1
	done
	# nothing but what is installed was read
	test -s "$include/precis/precis.h" && test -s "$include/precis/accesses.h"
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

tap_run "headers are installed" "${MAKE-make}" -s -C "$builddir" install-pkgincludeHEADERS DESTDIR="$work/root"
include=$(find "$work/root" -type d -name precis)
include=${include%/precis}
tap_run "each that is installed compiles without the sources" check_installed
tap_run "a program by <precis/accesses.h> alone, as C11" program "$CC" c c11
tap_run "the same as C with GNU's extensions" program "$CC" c gnu11
if test -n "$CXX"; then
	tap_run "the same as C++17" program "$CXX" c++ c++17
else
	tap_skip "the same as C++17" "no C++ compiler"
fi
tap_done
