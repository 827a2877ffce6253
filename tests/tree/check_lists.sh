#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# No source file or test lies in the tree without the build system's knowing it.

. "$srcdir/tests/support/tap.sh"

cd "$srcdir" || exit 1
lists=$(cat Makefile.am */local.mk */*/local.mk)

# unlisted PATTERN...: the files that no local.mk names, with or without their ending
unlisted() {
	for file; do
		test -e "$file" || continue
		printf '%s\n' "$lists" |
			grep -qE "(^|[[:space:]])(\\\$\(srcdir\)/)?(${file}|${file%.c})([[:space:]]|\$)" ||
			echo "$file"
	done
}

tap_empty "sources and headers of the library" \
	"$(unlisted libdecode/*/*.c libdecode/*/*.h libdecode/*/*.def)"
tap_empty "public headers" "$(unlisted libdecode/include/precis/*)"
tap_empty "sources of the commands" "$(unlisted statistics/*.[ch] perf_scripts/*/*.[ch])"
tap_empty "unit tests" "$(unlisted tests/unit/*.c)"
tap_empty "test scripts" "$(unlisted tests/*/*.sh tests/*/*.py)"
tap_done
