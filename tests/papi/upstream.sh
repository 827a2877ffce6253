# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# The component as PAPI's developers would use it: their script for tests, their debug messages. For
# test_papi.sh, which sources it; 'work', 'scripts' and build() are there.

# component_warnings DIRECTORY: those of the compiler, in a build's log
component_warnings() {
	# A build that had nothing to do says nothing.
	! grep -q -e 'rv libpapi\.a' "$1/build.log" || cp "$1/build.log" "$1/compiled.log"
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

# check_verdicts VERSION SRC: what a test says that fails, and that it is run again where a debug exception came
# that named no cause
check_verdicts() {
	cat >"$work/verdict.c" <<'END'
#include <fcntl.h>

#include "precis_test.h"

int main(int argc, char **argv)
{
	const char *lost = getenv("LOST"); /* a file that is there once a hit was lost */
	const int is_first = lost && access(lost, F_OK);

	test_begin(argc, argv);
	tap_ok(argc > 2 || lost, "there is a second argument");
	if (is_first) {
		close(creat(lost, 0600));
		raise(SIGTRAP);
		tap_ok(0, "no hit is lost");
	}
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
	LOST=$work/lost_quietly "$work/verdict" TESTS_QUIET >"$work/verdict.log" 2>&1
	tap_run "PAPI $1: one that lost a hit to the hypervisor is skipped" \
		grep -q '^SKIPPED' "$work/verdict.log"
	tests=$work/lost/src/components/precis/tests
	mkdir -p "$tests"
	cp "$work/verdict" "$tests/precis_verdict"
	rm -f "$work/lost_once"
	tap_equal "PAPI $1: or is run again" "# debug exceptions named no cause: ./precis_verdict
PASS: precis_verdict: 1 passed, 0 skipped
1 passed, 0 failed, 0 skipped" "$(LOST=$work/lost_once "$scripts/check-papi" "$work/lost" 2>&1)"
	tap_equal "PAPI $1: and fails if that does not help" "1 passed, 1 failed, 0 skipped" \
		"$(LOST=/there/is/none "$scripts/check-papi" "$work/lost" 2>&1 | tail -n 1)"
}

# with_libpfm4 SOURCE BUILT: that source tree with what BUILT has compiled of libpfm4, of which nothing is ours:
# once is enough. SOURCE itself where that cannot be had.
with_libpfm4() {
	seeded=$2-source
	test -d "$seeded" || {
		rm -rf "$seeded.new"
		cp -Rp "$1" "$seeded.new" && cp -p "$2"/src/libpfm4/lib/*.o "$2"/src/libpfm4/lib/*.lo \
			"$2"/src/libpfm4/lib/lib* "$seeded.new/src/libpfm4/lib" && mv "$seeded.new" "$seeded"
	} >&2
	test ! -d "$seeded" || set -- "$seeded"
	echo "$1"
}

# check_debug VERSION SOURCE: as PAPI's continuous integration configures it
check_debug() {
	debug=$builddir/papi-check/$1-debug
	tap_run "PAPI $1: built with --with-debug" build --targets='static testlib' --tests=precis_count \
		"$2" "$debug" --with-debug=yes --enable-warnings
	test -e "$debug/src/libpapi.a" || return
	tap_empty "PAPI $1: no warnings with --with-debug" "$(component_warnings "$debug")"
	count=$debug/src/components/precis/tests/precis_count
	messages=SUBSTRATE:components/precis/
	tap_run "PAPI $1: PAPI_DEBUG=SUBSTRATE has messages of the component" sh -c \
		'PAPI_DEBUG=SUBSTRATE LD_LIBRARY_PATH=$1 "$2" 2>&1 | grep "^$3precis_counter.c.*SW_CPU_CLOCK"' \
		sh "$debug/src" "$count" $messages
	tap_empty "PAPI $1: and none without it" "$(
		LD_LIBRARY_PATH=$debug/src "$count" 2>&1 | grep "^$messages")"
}

# check_names VERSION SRC: what libpapi.a has of ours looks like PAPI's own, and libprecis may stand beside it
check_names() {
	tap_run "PAPI $1: the component's names are there" sh -c \
		'"$1" -g --defined-only "$2" 2>/dev/null | grep -qw _precis_counter_open' sh "$nm" "$2/libpapi.a"
	tap_empty "PAPI $1: in libpapi.a its names are _precis_*, precis_papi_* and precisf_*" "$(
		"$nm" -g --defined-only "$2"/precis__*.o | awk 'NF == 3 { print $3 }' | sort -u |
			grep -vE "^_precis_|$ours")"
	find "$builddir/libdecode" -name 'libprecis_la-*.o' -path '*/.libs/*' >"$work/objects"
	if test ! -s "$work/objects"; then
		tap_skip "PAPI $1: libprecis.a and libpapi.a in one program" "libprecis was not built as PIC objects"
		return
	fi
	rm -f "$work/libprecis.a"
	xargs ar -rcs "$work/libprecis.a" <"$work/objects"
	cat >"$work/both.c" <<'END'
#include <stdio.h>

#include <papi.h>
#include <precis/papi.h>
#include <precis/sample.h>

int main(void)
{
	struct precis_sample sample;

	precis_sample_init(&sample);
	printf("%s %d\n", precis_field_name(PRECIS_FIELD_ADDR), PAPI_library_init(PAPI_VER_CURRENT) ==
		PAPI_VER_CURRENT && precis_papi_current_sample(&sample) == PAPI_ENOTRUN);
	return 0;
}
END
	# Each member that has a name which the program or the component wants, and none twice
	# shellcheck disable=SC2086,SC2046 # a compiler with options, libraries
	tap_run "PAPI $1: a program is linked with libpapi.a and all of libprecis.a" $CC -o "$work/both" \
		-I"$srcdir/libdecode/include" -I"$srcdir/papi_component/include" -I"$2" "$work/both.c" \
		"$2/libpapi.a" -Wl,--whole-archive "$work/libprecis.a" -Wl,--no-whole-archive \
		$(sed -n "s/^dependency_libs='\(.*\)'/\1/p" "$builddir/libprecis.la") -lpthread -ldl -lm
	tap_equal "PAPI $1: and has the functions of both" "addr 1" "$("$work/both" 2>&1)"
}

# check_linked VERSION SOURCE: with libprecis, the one that was just built, in the place of its sources
check_linked() {
	if test ! -e "$LIBPRECIS"; then
		tap_skip "PAPI $1: linked with libprecis" "libprecis was not built as a shared library"
		return
	fi
	prefix=$builddir/papi-check/libprecis
	linked=$builddir/papi-check/$1-linked
	mkdir -p "$prefix"
	ln -sfn "$srcdir/libdecode/include" "$prefix/include"
	ln -sfn "$(dirname "$LIBPRECIS")" "$prefix/lib"
	mkdir -p "$work/home" "$work/tmp"
	wanted='precis_allocations precis_callbacks precis_input precis_kernel_cost precis_parts precis_precise'
	tap_run "PAPI $1: built --with-libprecis" env HOME="$work/home" TMPDIR="$work/tmp" \
		"$scripts/build-papi" --with-libprecis="$prefix" --targets='shared static testlib' \
		--tests="$wanted" "$2" "$linked"
	test -e "$linked/src/libpapi.so" || return
	tap_empty "PAPI $1: no warnings --with-libprecis" "$(component_warnings "$linked")"
	exports "$LIBPRECIS" | sed 's/@.*//' >"$work/of_libprecis"
	tap_run "PAPI $1: libpapi.so wants libprecis's functions" sh -c \
		'"$1" -D --undefined-only "$2" | grep -qw precis_decoder_sample' sh "$nm" "$linked/src/libpapi.so"
	tap_empty "PAPI $1: and neither library of PAPI's has one of its own" "$(
		{
			"$nm" --defined-only "$linked/src/libpapi.so"
			"$nm" --defined-only "$linked/src/libpapi.a" 2>/dev/null
		} | awk 'NF == 3 { print $3 }' | sort -u | comm -12 - "$work/of_libprecis")"
	# shellcheck disable=SC2086 # names are words
	tap_run "PAPI $1: the component's tests, linked with libprecis" "$scripts/check-papi" "$linked" $wanted
}

# check_patch NAME SOURCE BUILT: the series applies there, and gives what install-into-papi has given BUILT; if that
# is empty a PAPI is built from it, and knows the component
check_patch() {
	if ! command -v git >/dev/null; then
		tap_skip "$1: the patches" "git not found"
		return
	fi
	patched=$work/patched
	rm -rf "$patched" "$work/series"
	tap_run "$1: the patches are made" "$scripts/make-papi-patch" --author 'Somebody <a@b.c>' "$work/series"
	mkdir "$patched"
	(cd "$2" && tar -cf - --exclude=.git .) | (cd "$patched" && tar -xf - --no-same-owner)
	chmod -R u+w "$patched"
	tap_run "$1: git am takes the patches" sh -c 'cd "$1" || exit; exec 2>&1
		export GIT_CONFIG_NOSYSTEM=1 HOME="$1" GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x
		export GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x
		git init -q && git add -f -A && git commit -q -m PAPI && git am -q "$2"/*.patch' sh "$patched" \
		"$work/series"
	tap_equal "$1: they change no file that is there" 0 \
		"$(git -C "$patched" diff --name-status HEAD~3 HEAD | grep -vc '^A')"
	if test -n "$3"; then
		tap_empty "$1: they bring the component that is tested here" "$(
			cd "$3/src/components/precis" &&
				grep -vx .installed-by-precis .installed-by-precis >"$work/installed" &&
				while read -r file; do
					cmp "$file" "$patched/src/components/precis/$file" 2>&1
				done <"$work/installed")"
		return
	fi
	tap_run "$1: it builds with the component" sh -c 'unset MAKEFLAGS MFLAGS MAKELEVEL
		cd "$1/src" && ./configure --with-components=precis &&
		make -j2 TESTS= && make -C components/precis/tests' sh "$patched"
	tap_run "$1: papi_component_avail names it" sh -c \
		'"$1" 2>&1 | grep "^Name: *precis "' sh "$patched/src/utils/papi_component_avail"
}
