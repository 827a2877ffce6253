#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The component in real PAPIs: they build with it, its events are found and count through PAPI's
# own tools, and nothing of PAPI's is lost.
#
# PRECIS_PAPI_VERSIONS  which ones (fetch-papi --list); without it, that of Debian 12
# PRECIS_PAPI_MASTER    a source tree of PAPI's git master, or of another version, for the patches
# PRECIS_PAPI_CACHE     where fetched sources lie; without it, papi-sources in the build tree
# PRECIS_TAU_DIR, PRECIS_CALIPER_DIR, PRECIS_CALIPER_SRC, PRECIS_SCOREP_DIR, PRECIS_EXTRAE_DIR
#                       installations of tools, for their plugins (papi_component/tools/check)
# Builds stay in papi-check in the build tree; a second run makes only what has changed.

. "$srcdir/tests/support/tap.sh"
. "$srcdir/tests/papi/upstream.sh"

test "${PRECIS_SANITIZED-no}" != yes || tap_skip_all "PAPI does not use the sanitized library"

scripts=$srcdir/papi_component
cache=${PRECIS_PAPI_CACHE-$builddir/papi-sources}
event=precis:::SW_CPU_CLOCK
# Some tests of the component load the recorder of objects.
recorder=$builddir/.libs/libprecis-objects.so
test ! -e "$recorder" || PRECIS_OBJECTS_LIBRARY=$(cd "$builddir" && pwd)/.libs/libprecis-objects.so
export PRECIS_OBJECTS_LIBRARY="${PRECIS_OBJECTS_LIBRARY-}"
# How often the component's tests repeat what is random
test -z "${PRECIS_QUICK-}" || PRECIS_FEW_REPETITIONS=1
export PRECIS_FEW_REPETITIONS="${PRECIS_FEW_REPETITIONS-}"
test -z "$PRECIS_FEW_REPETITIONS" || export PRECIS_SOAK_SECONDS=1
# What libpapi.so exports of the component: in C, and for Fortran
ours='^(precis_papi_|precisf_|PRECISF_)'
nm=$(command -v "${NM%% *}") || tap_skip_all "nm not found"

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# state DIRECTORY: name, size and time of all that lies there
state() {
	find "$1" -printf '%P %y %s %T@\n' | sort
}

exports() {
	"$nm" -D --defined-only "$1" | awk '{ print $3 }' | sort -u
}

# beyond_strings SRC: what the decoders want of others, but for string functions and what compilers
# themselves call. A shared library links with whatever is missing.
beyond_strings() {
	"$nm" -g "$1"/precis__libdecode_*.o | awk '
		$1 == "U" { wanted[$2] }
		NF == 3 { here[$3] }
		END { for (name in wanted) if (!(name in here)) print name }' |
		grep -vE '^((__)?(mem|str)[a-z]+(_chk)?|__popcount.*|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_)$'
}

# build SOURCE DIRECTORY [CONFIGURE-ARGUMENT...]: with a home and a directory for temporary files that must stay empty
build() {
	mkdir -p "$work/home" "$work/tmp"
	HOME=$work/home TMPDIR=$work/tmp "$scripts/build-papi" "$@"
}

# What lies there; a compiler that is ccache has its own things at home
written() {
	find "$work/home" "$work/tmp" -mindepth 1 | grep -vE '/home/\.(cache$|(cache/)?ccache(/|$))'
}

# without_precis BUILD: what the libpapi.so of this tree exports when it has no component of ours; names are the
# same without optimization
without_precis() {
	test -s "$1/exports-without-precis" || {
		rm -rf "$work/without"
		cp -R "$1" "$work/without" &&
			"$scripts/install-into-papi" --uninstall "$work/without" 2>/dev/null &&
			(cd "$work/without/src" && rm -f libpapi.so* && ./configure && make OPTFLAGS=-O0 libpapi.so) \
				>"$work/without.log" 2>&1 &&
			exports "$work/without/src/libpapi.so" >"$1/exports-without-precis"
	} || tail -n 20 "$work/without.log"
	rm -rf "$work/without"
}

# listed_in SECTION TEXT: the component's lines there, in the output of papi_component_avail
listed_in() {
	printf '%s\n' "$2" | awk -v section="$1" '
		/components:$/ { here = $0 == section " components:" }
		/^Name:/ { component = $2 }
		here && component == "precis"'
}

# count_of OUTPUT: of papi_command_line
count_of() {
	printf '%s\n' "$1" | awk -v event="$event" '$1 == event && $2 == ":" { print $3 }'
}

# hl_count DIRECTORY: that of the one region in the high-level interface's output
hl_count() {
	cat "$1"/papi_hl_output*/*.json | tr -d ' \n' |
		sed -n "s/.*\"$event\":{*\"*\(region_count\":\"[0-9]*\",\"\)*\([a-z]*\":\"\)*\([0-9]*\)\".*/\3/p"
}

# check_ibs VERSION SRC: payloads that a BPF program sends, through a static libpapi
check_ibs() {
	ibs=$work/ibs_payload
	# shellcheck disable=SC2086 # a compiler with options
	tap_run "PAPI $1: a program builds with libpapi.a" $CC -o "$ibs" -I"$srcdir" \
		-I"$srcdir/libdecode/include" -I"$srcdir/papi_component/include" -I"$2" \
		-include "$2/components/precis/precis_names.h" \
		"$srcdir/tests/papi/ibs_payload.c" "$srcdir/tests/papi/fake_ibs.c" \
		"$srcdir/tests/support/bpf_payload.c" -Wl,--wrap=syscall "$2/libpapi.a" -lpthread -ldl
	test -x "$ibs" || return
	"$ibs" >"$work/ibs.log" 2>&1
	status=$?
	reason=$(sed -n 's/^1\.\.0 # SKIP //p' "$work/ibs.log")
	if test -n "$reason"; then
		tap_skip "PAPI $1: IBS payloads arrive register by register" "$reason"
		return
	fi
	sed 's/^/# /' "$work/ibs.log"
	tap_run "PAPI $1: IBS payloads arrive register by register" sh -c \
		'test $1 -eq 0 && grep -q "^1\.\." "$2" && ! grep "^not ok" "$2"' sh $status \
		"$work/ibs.log"
}

# borrow_cases PREFIX LOG: cases of another script are cases here
borrow_cases() {
	while IFS= read -r line; do
		name="$1 ${line#*ok * - }"
		case $line in
		"ok "*" # SKIP "*) tap_skip "${name%% # SKIP *}" "${line#* # SKIP }" ;;
		"ok "*) tap_ok "$name" ;;
		"not ok "*) tap_not_ok "$name" ;;
		*) echo "# ${line#\# }" ;;
		esac
	done <"$2"
}

# check_examples VERSION SRC: their own cases are cases here
check_examples() {
	if test ! -e "$LIBPRECIS"; then
		tap_skip "PAPI $1: the examples" "libprecis was not built as a shared library"
		return
	fi
	mkdir -p "$work/precis"
	ln -sfn "$srcdir/libdecode/include" "$work/precis/include"
	ln -sfn "$(dirname "$LIBPRECIS")" "$work/precis/lib"
	"$scripts/examples/check" "$2" PRECIS_DIR="$work/precis" CC="$CC" >"$work/examples.log" 2>&1
	borrow_cases "PAPI $1: example" "$work/examples.log"
	tap_run "PAPI $1: all examples were tried" grep -q '^1\.\.' "$work/examples.log"
}

# check_tools VERSION SRC: the plugins for tools, their own cases; tools that the environment names
check_tools() {
	if test ! -e "$LIBPRECIS"; then
		tap_skip "PAPI $1: the plugins for tools" "libprecis was not built as a shared library"
		return
	fi
	set -- "$1" "$2" PRECIS_DIR="$work/precis" CC="$CC" CXX="${CXX-}" \
		TAU_DIR="${PRECIS_TAU_DIR-}" CALIPER_DIR="${PRECIS_CALIPER_DIR-}" \
		CALIPER_SRC="${PRECIS_CALIPER_SRC-}" SCOREP_DIR="${PRECIS_SCOREP_DIR-}" \
		EXTRAE_DIR="${PRECIS_EXTRAE_DIR-}"
	version=$1
	shift
	"$scripts/tools/check" "$@" >"$work/tools.log" 2>&1
	borrow_cases "PAPI $version:" "$work/tools.log"
	tap_run "PAPI $version: all tools were tried" grep -q '^1\.\.' "$work/tools.log"
}

# check_installed VERSION SRC: what is installed of it is found by pkg-config, and all that its headers want
check_installed() {
	root=$work/installed
	if ! command -v pkg-config >/dev/null; then
		tap_skip "PAPI $1: a program by what pkg-config says of the installed one" "no pkg-config"
		return
	fi
	tap_run "PAPI $1: is installed" "${MAKE-make}" -s -C "$2" install DESTDIR="$root"
	pc=$(find "$root" -name papi.pc)
	flags=$(PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_LIBDIR=${pc%/*} pkg-config --cflags --libs papi)
	printf '%s\n' '#include <papi.h>' '#include <precis/papi.h>' 'int main(void) {' \
		'return PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT || !precis_papi_strerror(0); }' \
		>"$root/program.c"
	# shellcheck disable=SC2086 # a compiler with options, and what pkg-config says
	tap_run "PAPI $1: a program by what pkg-config says of the installed one" \
		$CC -o "$root/program" "$root/program.c" $flags
	tap_run "PAPI $1: it runs" env LD_LIBRARY_PATH="${pc%/*/*}" "$root/program"
	tap_run "PAPI $1: the component's manual is installed" \
		test -n "$(find "$root" -name precis_papi.3)"
	rm -rf "$root"
}

check_version() {
	version=$1
	if ! source=$("$scripts/fetch-papi" --version "$version" "$cache" 2>"$work/fetch.log"); then
		tap_skip "PAPI $version" "$(tail -n 1 "$work/fetch.log")"
		return
	fi
	directory=$builddir/papi-check/$version
	src=$directory/src
	state "$source" >"$work/before"
	tap_run "PAPI $version: built with the component" build "$source" "$directory"
	test -e "$src/libpapi.so" || return
	echo "$version" >"$builddir/papi-check/built" # for who waits for that alone
	state "$source" >"$work/after"
	tap_empty "PAPI $version: nothing written outside the build folder" \
		"$(diff "$work/before" "$work/after"; written)"
	tap_empty "PAPI $version: no warnings" "$(component_warnings "$directory")"
	tap_empty "PAPI $version: every source is in libpapi.a, under a name of its own" \
		"$(cd "$src" && ar t libpapi.a | grep '^precis__' | sort >"$work/members" &&
			find components/precis -name tests -prune -o -name '*.c' -print |
			sed 's,^components/precis/,,; s,/,_,g; s,^,precis__,; s,c$,o,' | sort |
			diff - "$work/members")"

	tap_empty "PAPI $version: the decoders need no more than string functions" \
		"$(beyond_strings "$src")"

	exports "$src/libpapi.so" >"$work/exports"
	tap_empty "PAPI $version: of ours, only precis_papi_* and precisf_* are exported" \
		"$(grep -i precis "$work/exports" | grep -vE "$ours")"
	without=$(without_precis "$directory")
	tap_empty "PAPI $version: builds without the component" "$without"
	tap_empty "PAPI $version: nothing else has changed in what it exports" \
		"$(grep -vE "$ours" "$work/exports" | diff "$directory/exports-without-precis" -)"
	tap_run "PAPI $version: exports the library's own functions" \
		grep -qx PAPI_library_init "$work/exports"

	avail=$("$src/utils/papi_component_avail" 2>&1)
	tap_run "PAPI $version: papi_component_avail knows it" \
		test -n "$(listed_in Compiled-in "$avail")"
	disabled=$(listed_in Compiled-in "$avail" | sed -n 's/.*Disabled: //p')
	if test -n "$disabled"; then
		tap_skip "PAPI $version: what it counts" "the component is disabled: $disabled"
		return
	fi
	tap_run "PAPI $version: it is active" test -n "$(listed_in Active "$avail")"
	tap_run "PAPI $version: papi_native_avail has its event" sh -c '"$1" -i precis | grep "$2"' \
		sh "$src/utils/papi_native_avail" "^| $event "
	said=$("$src/utils/papi_command_line" $event 2>&1)
	tap_run "PAPI $version: papi_command_line counts" \
		test "$(count_of "$said")" -gt 0

	rm -rf "$work/hl"
	mkdir "$work/hl"
	# shellcheck disable=SC2086 # a compiler with options
	tap_run "PAPI $version: a program builds with libpapi.so" $CC -o "$work/hl/high_level" \
		"$srcdir/tests/papi/high_level.c" -I"$src" -L"$src" -lpapi -Wl,-rpath,"$src"
	tap_run "PAPI $version: the high-level interface runs" env PAPI_EVENTS=$event \
		PAPI_OUTPUT_DIRECTORY="$work/hl" LD_LIBRARY_PATH="$src" "$work/hl/high_level"
	tap_run "PAPI $version: the high-level interface counts" \
		test "$(hl_count "$work/hl")" -gt 0
	tap_run "PAPI $version: the component's tests" "$scripts/check-papi" "$directory"
	check_installed "$version" "$src"
	check_names "$version" "$src"
	check_run_tests "$version" "$src"
	seeded=$(with_libpfm4 "$source" "$directory")
	check_debug "$version" "$seeded"
	check_linked "$version" "$seeded"
	check_patch "PAPI $version" "$source" "$directory"
	silent=$("$src/components/precis/tests/precis_breakpoint" 2>&1 | sed -n 's/^1\.\.0 # SKIP //p')
	if test -n "$silent"; then
		tap_skip "PAPI $version: IBS payloads, the examples and the plugins for tools" "$silent"
		return
	fi
	check_ibs "$version" "$src"
	check_examples "$version" "$src"
	check_tools "$version" "$src"
}

for version in ${PRECIS_PAPI_VERSIONS-7.0.0}; do
	check_version "$version"
done
if test -n "${PRECIS_PAPI_MASTER-}"; then
	check_patch "PAPI's git master" "$PRECIS_PAPI_MASTER" ""
else
	tap_skip "PAPI's git master: the patches" "PRECIS_PAPI_MASTER names no tree of it"
fi
tap_done
