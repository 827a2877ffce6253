#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# No source file or test lies in the tree without the build system's knowing it.
# shellcheck disable=SC2046 # names of files are words

. "$srcdir/tests/support/tap.sh"

cd "$srcdir" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

{
	find analysis bench command doc document libdecode papi_component perf_scripts sharing statistics tests \
		-name local.mk -exec cat {} +
	cat Makefile.am
} >"$work/lists"

# unlisted PATTERN...: the files that no local.mk names, with or without their ending, and whose
# directory none names
unlisted() {
	for file; do
		test ! -e "$file" || echo "$file"
	done | awk '
		NR == FNR {
			for (n = 1; n <= NF; n++) {
				sub(/^\$\(srcdir\)\//, "", $n)
				listed[$n] = 1
			}
			next
		}
		{
			stem = directory = $0
			sub(/\.c$/, "", stem)
			sub(/\/[^\/]*$/, "", directory)
			if (!($0 in listed) && !(stem in listed) && !(directory in listed))
				print
		}' "$work/lists" -
}

# sources_in ROOM...: their C files, at any depth
sources_in() {
	find "$@" -name '*.[ch]' -o -name '*.def' | sort
}

tap_empty "sources and headers of the library" "$(unlisted $(sources_in libdecode))"
tap_empty "sources of the commands" "$(unlisted $(sources_in analysis bench/accuracy command document sharing statistics perf_scripts))"
tap_empty "the PAPI component" "$(unlisted $(sources_in papi_component))"
tap_empty "unit tests" "$(unlisted $(sources_in tests/analysis tests/bench tests/command tests/document \
	tests/libdecode tests/live tests/sharing tests/statistics tests/support))"
tap_empty "the modeled machine" "$(unlisted $(sources_in tests/vm))"
tap_empty "the kept headers and their calls" "$(unlisted $(sources_in tests/abi))"
tap_empty "test scripts" "$(unlisted $(find tests -name '*.sh' -o -name '*.py' | sort))"
tap_done
