# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# The component as PAPI's developers would use it: their script for tests, their debug messages. For
# test_papi.sh, which sources it; 'work', 'scripts' and build() are there.

# component_warnings DIRECTORY: those of the compiler, in a build's log
component_warnings() {
	# A build that had nothing to do says nothing.
	! grep -q -e '-o libpapi\.so' "$1/build.log" || cp "$1/build.log" "$1/compiled.log"
	grep -E -A 5 'components/precis/[^ ]*:[0-9:]+ (warning|error)' "$1/compiled.log"
}

# check_run_tests VERSION SRC: PAPI's own script finds the component's tests and takes their word for it.
# It gets some of them, and none of PAPI's.
check_run_tests() {
	here=$work/run_tests
	rm -rf "$here"
	mkdir -p "$here/components/precis/tests" "$here/ctests" "$here/ftests" "$here/validation_tests"
	cp "$2/run_tests.sh" "$2/run_tests_exclude.txt" "$here/"
	ln -s "$2/utils" "$here/utils"
	for test in precis_count precis_breakpoint precis_allocations precis_offline; do
		cp "$2/components/precis/tests/$test" "$here/components/precis/tests/"
	done
	(cd "$here" && LD_LIBRARY_PATH=$2 bash ./run_tests.sh) >"$work/run_tests.log" 2>&1 </dev/null
	tap_equal "PAPI $1: run_tests.sh runs the component's tests" 4 \
		"$(grep -c '^Running components/precis/tests/' "$work/run_tests.log")"
	tap_equal "PAPI $1: each is passed or skipped" 4 \
		"$(grep -cE '^ *(PASSED|SKIPPED)$' "$work/run_tests.log")"
	check_verdicts "$1" "$2"
}

# check_verdicts VERSION SRC: what a test says that fails
check_verdicts() {
	cat >"$work/verdict.c" <<'END'
#include "precis_test.h"

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	tap_ok(argc > 2, "there is a second argument");
	return tap_done();
}
END
	# shellcheck disable=SC2086 # a compiler with options
	tap_run "PAPI $1: a test builds with PAPI's testlib" $CC -w -o "$work/verdict" "$work/verdict.c" \
		-I"$2" -I"$2/testlib" -I"$2/components/precis/tests" -I"$srcdir/libdecode/include" \
		-I"$srcdir/papi_component/include" "$2/testlib/libtestlib.a" "$2/libpapi.a" \
		-lpthread -ldl -lm
	"$work/verdict" TESTS_QUIET >"$work/verdict.log" 2>&1
	tap_run "PAPI $1: a test that fails says so" grep -q '^FAILED!!!' "$work/verdict.log"
	tap_run "PAPI $1: and what failed" grep -qF '| not ok 1 - there is a second argument' \
		"$work/verdict.log"
	tap_equal "PAPI $1: one that passes says so, and no more" PASSED \
		"$("$work/verdict" TESTS_QUIET more 2>&1)"
}

# check_debug VERSION SOURCE: as PAPI's continuous integration configures it
check_debug() {
	debug=$builddir/papi-check/$1-debug
	tap_run "PAPI $1: built with --with-debug" build "$2" "$debug" --with-debug=yes --enable-warnings
	test -e "$debug/src/libpapi.so" || return
	tap_empty "PAPI $1: no warnings with --with-debug" "$(component_warnings "$debug")"
	count=$debug/src/components/precis/tests/precis_count
	messages=SUBSTRATE:components/precis/
	tap_run "PAPI $1: PAPI_DEBUG=SUBSTRATE has messages of the component" sh -c \
		'PAPI_DEBUG=SUBSTRATE LD_LIBRARY_PATH=$1 "$2" 2>&1 | grep "^$3precis_counter.c.*SW_CPU_CLOCK"' \
		sh "$debug/src" "$count" $messages
	tap_empty "PAPI $1: and none without it" "$(
		LD_LIBRARY_PATH=$debug/src "$count" 2>&1 | grep "^$messages")"
}
