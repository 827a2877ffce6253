#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The component's headers, as PAPI documents its own: doxygen finds a comment at each function, type,
# member and constant of them, and none that it cannot read.

. "$srcdir/tests/support/tap.sh"

command -v doxygen >/dev/null || tap_skip_all "doxygen not found"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
here=$srcdir/papi_component

# warnings FILE...: what doxygen has to say of these headers. Of constants it says nothing unless it is told to by
# an option that it has since 1.9.7, so they are looked at in what it has read.
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
EXTRACT_STATIC = YES
PREDEFINED = PRECIS_PAPI_API= PRECIS_BEGIN_DECLS= PRECIS_END_DECLS=
END
	rm -rf "$work/out"
	doxygen "$work/Doxyfile" 2>&1
	awk '/<enumvalue / { inside = 1; text = 0; name = "" }
		inside && /<name>/ { name = $0; gsub(/ *<[^>]*>/, "", name) }
		inside && /<para>/ { text = 1 }
		/<\/enumvalue>/ { inside = 0; if (!text) print name " (constant) is not documented" }' \
		"$work"/out/xml/*.xml
}

# check NAME DIRECTORY LEAST: all is documented, and at least so many things were found
check() {
	warnings "$2" >"$work/log"
	tap_run "$1: everything has a comment" sh -c '! grep . "$1"' sh "$work/log"
	found=$(cat "$work"/out/xml/*.xml | grep -c '<memberdef ')
	tap_run "$1: there is something to be found" test "$found" -ge "$3"
}

check "<precis/papi.h>" "$here/include" 50
check "the component's own headers" "$here/precis" 200

# lacks WHAT NAME COMMENT: that comment less of papi.h is noticed
mkdir "$work/less"
lacks() {
	sed "s,/\*\*< $3 \*/,," "$here/include/precis/papi.h" >"$work/less/papi.h"
	warnings "$work/less" >"$work/log"
	tap_run "a $1 without a comment is found" grep -q "$2.*is not documented" "$work/log"
}

lacks member period_changed "NULL: nobody is told"
lacks constant PRECIS_PAPI_NO_ADDRESS "the sample has no address"
tap_done
