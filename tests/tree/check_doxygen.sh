#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The component's headers, as PAPI documents its own: doxygen finds a comment at each function, type,
# member and constant of them, and none that it cannot read.

. "$srcdir/tests/support/tap.sh"

command -v doxygen >/dev/null || tap_skip_all "doxygen not found"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
here=$srcdir/papi_component

# warnings FILE...: what doxygen has to say of these headers
warnings() {
	cat >"$work/Doxyfile" <<END
QUIET = YES
WARN_IF_UNDOCUMENTED = YES
WARN_IF_DOC_ERROR = YES
WARN_IF_INCOMPLETE_DOC = NO
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
OUTPUT_DIRECTORY = $work/out
OPTIMIZE_OUTPUT_FOR_C = YES
JAVADOC_AUTOBRIEF = YES
INPUT = $*
FILE_PATTERNS = *.h
EXCLUDE_PATTERNS = */tests/*
RECURSIVE = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = PRECIS_PAPI_API= PRECIS_BEGIN_DECLS= PRECIS_END_DECLS=
END
	doxygen "$work/Doxyfile" 2>&1
}

# check NAME DIRECTORY LEAST: all is documented, and at least so many things were found
check() {
	rm -rf "$work/out"
	warnings "$2" >"$work/log"
	tap_run "$1: everything has a comment" sh -c '! grep . "$1"' sh "$work/log"
	found=$(cat "$work"/out/xml/*.xml | grep -c '<memberdef ')
	tap_run "$1: there is something to be found" test "$found" -ge "$3"
}

check "<precis/papi.h>" "$here/include" 50
check "the component's own headers" "$here/precis" 200

# One comment less is noticed.
mkdir "$work/less"
sed 's,/\*\*< NULL: nobody is told \*/,,' "$here/include/precis/papi.h" >"$work/less/papi.h"
warnings "$work/less" >"$work/log"
tap_run "a member without a comment is found" grep -q "period_changed.*is not documented" "$work/log"
tap_done
