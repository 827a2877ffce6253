#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# install-into-papi: which trees it takes, what it changes there. The trees are husks of PAPI's:
# nothing is compiled.

. "$srcdir/tests/support/tap.sh"

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

install=$srcdir/papi_component/install-into-papi

# husk NAME VERSION: what the command looks at
husk() {
	mkdir -p "$work/$1/src/components"
	printf '#define PAPI_VERSION  \t\t\tPAPI_VERSION_NUMBER(%s)\n' "$2" >"$work/$1/src/papi.h"
	: >"$work/$1/src/papi_vector.h"
}

# status EXPECTED PATTERN ARGUMENT...: what the command says matches
status() {
	expected=$1 pattern=$2
	shift 2
	said=$("$install" "$@" 2>&1)
	got=$?
	test "$got" -eq "$expected" || { echo "exit status $got: $said"; return 1; }
	printf '%s\n' "$said" | grep -q -e "$pattern" || { echo "said: $said"; return 1; }
}

# state DIRECTORY: names, contents, times
state() {
	(cd "$1" && find . -type f -printf '%p %T@\n' | sort && find . -type f -exec cksum {} + | sort)
}

# Memory is PAPI's allocator's, but for what a thread may look at after PAPI_shutdown(), and libpfm4's.
tap_equal "who allocates by the C library" "precis_pfm.c precis_poller.c precis_ranges.c precis_signals.c" "$(
	cd "$srcdir/papi_component/precis" &&
		grep -lE '(^|[^_[:alnum:]])(malloc|calloc|realloc|free|strn?dup|asprintf)\(' precis*.[ch] | xargs)"

tap_run "--help" status 0 '^Usage' --help
tap_run "no tree" status 2 'which PAPI tree'
tap_run "an unknown option" status 2 'no such option' --frobnicate
tap_run "two trees" status 2 'more than one' "$work" "$work"
tap_run "no such tree" status 1 'no such directory' "$work/none"
tap_run "no PAPI tree" status 1 'no PAPI source tree' "$work"

taken="7,0,0,0 7,1,0,0 7,2,0,0 7,3,0,0" refused="5,7,0,0 6,0,0,1 7,4,0,0 8,0,0,0 17,0,0,0"
test -z "${PRECIS_QUICK-}" || taken=7,3,0,0 refused=7,4,0,0
for version in $taken; do
	husk "tree-$version" "$version"
	tap_run "PAPI $version" status 0 '^$' "$work/tree-$version"
done
for version in $refused; do
	husk "tree-$version" "$version"
	tap_run "not PAPI $version" status 1 'is for 7.0 to 7.3' "$work/tree-$version"
done
tap_run "PAPI 7,4,0,0 by force" status 0 '^$' --force "$work/tree-7,4,0,0"

husk tree 7,0,0,0
component=$work/tree/src/components/precis
before=$(state "$work/tree")
tap_run "the tree's src will do" status 0 '^$' "$work/tree/src"
tap_empty "no symbolic links" "$(find "$component" -type l)"
tap_empty "every source of the rooms, but for version.c and Fortran" "$(
	sums() {
		sha256sum libdecode/*.c libdecode/sample/*.[ch] libdecode/sample/*.def libdecode/ibs/*.[ch] \
			libdecode/ibs/*.def libdecode/pebs/*.[ch] libdecode/pebs/*.def \
			libdecode/perf/decoder/*.[ch] libdecode/perf/records/*.[ch] \
			libdecode/perf/ring/*.[ch] libdecode/perf/samples/*.[ch] \
			libdecode/include/precis/* 2>&1 | grep -vE '/(sample/version.c|precis/papi.h|precis/[^/]*[.]f90)$'
	}
	(cd "$srcdir" && sums) >"$work/ours"
	test -s "$work/ours" || echo "no sources"
	(cd "$component" && sums) | diff "$work/ours" -)"
tap_empty "the engine of sharing, but for ComDetective, whole" "$(
	cd "$srcdir" && for file in sharing/*.[ch]; do cmp "$file" "$component/$file"; done 2>&1)"
tap_run "and not that" test ! -e "$component/libdecode/sample/version.c"
tap_run "the version is configure's" grep -q \
	"\"$(sed -n 's/^AC_INIT(\[precis\], \[\(.*\)\]).*/\1/p' "$srcdir/configure.ac")\"" \
	"$component/precis_version.h"

tap_run "the component's header has a place of its own" cmp "$srcdir/papi_component/include/precis/papi.h" \
	"$component/include/precis/papi.h"

tap_run "names of the component's own are PAPI's internals" grep -qx \
	'#define precis_counter_open _precis_counter_open' "$component/precis_names.h"
tap_run "so are the decoders'" grep -qx '#define precis_ring_init _precis_ring_init' \
	"$component/precis_names.h"
tap_empty "those for programs are not" "$(grep precis_papi_ "$component/precis_names.h")"

tap_empty "each source of the component says so to doxygen" "$(
	cd "$srcdir/papi_component/precis" && for file in precis*.[ch]; do
		grep -qxF " * @file $file" "$file" && grep -qE '^ \* @(brief|see) ' "$file" || echo "$file"
	done)"

# An installation of libprecis, and what is none
husk linked 7,0,0,0
prefix=$work/prefix
tap_run "libprecis in no directory" status 1 'no such directory' --with-libprecis="$prefix" "$work/linked"
mkdir -p "$prefix/include/precis" "$prefix/lib"
tap_run "without its headers" status 1 'sample.h: not there' --with-libprecis="$prefix" "$work/linked"
: >"$prefix/include/precis/sample.h"
tap_run "without its library" status 1 'no libprecis.so' --with-libprecis="$prefix" "$work/linked"
: >"$prefix/lib/libprecis.so"
tap_run "with all of it" status 0 '^$' --with-libprecis="$prefix" "$work/linked"
tap_run "PAPI's Makefile knows it" grep -qx \
	"PAPI_PRECIS_LIBS = -L$prefix/lib -Wl,-rpath,$prefix/lib -lprecis" \
	"$work/linked/src/components/precis/Makefile.precis"
tap_empty "no source of the decoders is there" \
	"$(find "$work/linked/src/components/precis/libdecode" -name '*.c')"
tap_empty "and none's name is changed" \
	"$(grep precis_ring_ "$work/linked/src/components/precis/precis_names.h")"
tap_run "without libprecis again" status 0 '^$' "$work/linked"
tap_run "they are" test -e "$work/linked/src/components/precis/libdecode/sample/sample.c"
tap_run "and it is forgotten" test ! -e "$work/linked/src/components/precis/Makefile.precis"

once=$(state "$work/tree")
"$install" "$work/tree"
tap_empty "a second time changes nothing" "$(
	test "$once" = "$(state "$work/tree")" || echo "files differ")"
: >"$component/tests/precis_count.o"
echo changed >"$component/precis.c"
"$install" "$work/tree"
tap_run "what was changed is restored" cmp "$srcdir/papi_component/precis/precis.c" \
	"$component/precis.c"
tap_run "what a build made is left" test -e "$component/tests/precis_count.o"

# A source tree with one file less, one more, and another version
mkdir "$work/project"
(cd "$srcdir" && cp -R papi_component libdecode sharing statistics configure.ac LICENSE "$work/project/")
mkdir -p "$work/project/doc/man" && cp "$srcdir/doc/man/precis_papi.3" "$work/project/doc/man/"
chmod -R u+w "$work/project"
rm "$work/project/libdecode/pebs/bts.c"
echo '/* new */' >"$work/project/papi_component/precis/precis_new.c"
"$work/project/papi_component/install-into-papi" "$work/tree"
tap_run "a source that is gone goes" test ! -e "$component/libdecode/pebs/bts.c"
tap_run "a new precis*.c comes" test -e "$component/precis_new.c"
"$install" "$work/tree"
rm "$work/project/LICENSE" "$work/project/configure.ac"
install=$work/project/papi_component/install-into-papi
tap_run "away from its source tree" status 1 'must stay in the source tree' "$work/tree"
install=$srcdir/papi_component/install-into-papi

tap_run "--uninstall" status 0 '^$' --uninstall "$work/tree"
tap_empty "the tree is as it was" "$(
	test "$before" = "$(state "$work/tree")" || echo "files differ")"
tap_run "--uninstall of nothing" status 1 'not there' --uninstall "$work/tree"

mkdir "$component"
: >"$component/precious"
tap_run "somebody else's component stays" status 1 'not made by this command' "$work/tree"
tap_run "and is not removed" status 1 'left alone' --uninstall "$work/tree"
tap_run "nothing of it is gone" test -e "$component/precious"
rm -r "$component"
ln -s /nonexistent "$component"
tap_run "a symbolic link is refused" status 1 'symbolic link' "$work/tree"
tap_done
