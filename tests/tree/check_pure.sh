#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The pure rooms need the compiler's own headers and a handful of string functions: no kernel
# headers, no stdio, no malloc. So they compile as strict C11 against tests/support/bare alone,
# and for machines whose C library is not installed here.

. "$srcdir/tests/support/tap.sh"

rooms="sample ibs pebs plan perf/records perf/ring perf/samples perf/decoder"

# shellcheck disable=SC2089 # no shell takes the quotes away again
include="-DPACKAGE_VERSION=\"0\" -isystem $srcdir/tests/support/bare -I$srcdir -I$srcdir/libdecode/include"
strict="-std=c11 -D_POSIX_C_SOURCE=0 -ffreestanding -nostdinc -Wall -Wextra -Wpedantic -Werror"

# Where a compiler keeps stddef.h, stdint.h, limits.h; empty if it is not there.
own_headers() {
	case $("$1" --version 2>/dev/null) in
	*clang*) echo "$("$1" -print-resource-dir)/include" ;;
	"") ;;
	*) "$1" -print-file-name=include ;;
	esac
}

# check_all COMPILER TARGET WHAT: every file of the pure rooms
check_all() {
	headers=$(own_headers "${1%% *}")
	if test -z "$headers"; then
		tap_skip "$3" "no ${1%% *}"
		return
	fi
	# shellcheck disable=SC2086 # a compiler with options
	if ! echo 'int x;' | $1 $2 -x c -fsyntax-only - 2>/dev/null; then
		tap_skip "$3" "${1%% *} does not know $2"
		return
	fi
	# shellcheck disable=SC2046,SC2086,SC2090 # a compiler with options, names without blanks
	$1 $2 $strict -isystem "$headers" $include -fsyntax-only "$srcdir/libdecode"/*.c \
		$(for room in $rooms; do echo "$srcdir/libdecode/$room"/*.c; done) >"$work/complaints" 2>&1
	tap_empty "$3" "$(cat "$work/complaints")"
}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

check_all "$CC" "" "strict C11, no kernel headers"
check_all "$CC" "-m32" "32 bits"
check_all clang "--target=aarch64-linux-gnu" "aarch64 (clang)"
check_all clang "--target=s390x-linux-gnu" "big-endian (clang)"
check_all aarch64-linux-gnu-gcc "" "aarch64 (gcc)"

# Where a u64 is no machine word, an atomic one would be a call of libatomic.
if echo 'int x;' | clang -m32 -x c -fsyntax-only - 2>/dev/null; then
	tap_empty "32 bits: no call of libatomic" "$(
		# shellcheck disable=SC2086,SC2090 # options are words
		clang -m32 -std=c11 -ffreestanding -nostdinc -isystem "$(own_headers clang)" $include \
			-S -o - "$srcdir/libdecode/perf/ring/ring.c" 2>&1 | grep -E 'call.*__atomic|error'
	)"
else
	tap_skip "32 bits: no call of libatomic" "no clang that knows -m32"
fi

installer=$srcdir/papi_component/install-into-papi
if test -f "$installer"; then
	tap_run "what goes into a PAPI tree is these rooms" grep -qx "rooms=\"$rooms\"" "$installer"
else
	tap_skip "what goes into a PAPI tree is these rooms" "papi_component is not here"
fi
tap_done
