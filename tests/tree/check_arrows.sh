#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Who may know whom: the arrows between the trees and between the rooms of libdecode, and inside a
# room that has rooms one way, from the later in its local.mk to the earlier.

. "$srcdir/tests/support/tap.sh"

# A tree or room, and what it may include of others. Everybody has <precis/...>.
# The command prints what bench/accuracy measures, which is a library of its own and prints nothing; so is
# what counts instructions in libdecode/code, of which libprecis has one file.
arrows="
statistics:
document: statistics
analysis: statistics libdecode/code
sharing: statistics
command: document analysis sharing statistics bench/accuracy libdecode/code
perf_scripts: statistics
papi_component: statistics sharing
recorder: libdecode/objects
bench: statistics
libdecode:
libdecode/sample:
libdecode/ibs: libdecode/sample
libdecode/pebs: libdecode/sample
libdecode/plan: libdecode/sample
libdecode/perf: libdecode/sample libdecode/ibs libdecode/pebs
libdecode/symbols: libdecode/sample libdecode/ibs libdecode/pebs
libdecode/code: libdecode/sample
libdecode/objects: libdecode/sample libdecode/perf
"

# An include that the table does not allow, and why it is there.
#   the component's own structs grow as the library's do: it is built from the same sources
#   the component's benchmark has the counters that its tests make up
#   loops over samples are unrolled by one macro
#   --symfs is the same root for the library's files and for the command's
#   what does not fit into memory goes where the library puts what it sorts
#   "did you mean" is the same in the command and in the arguments of the dlfilter
exceptions="
papi_component libdecode/sample/abi.h
bench tests/papi/fake_ibs.h
analysis libdecode/sample/bytes.h
command libdecode/symbols/text_file.h
command libdecode/symbols/beneath.h
command libdecode/symbols/places.h
command libdecode/perf/stream/temporary_file.h
perf_scripts command/usage/nearest.h
"

# What a room of libdecode may use by a public header and so by its functions: itself and these.
links="
sample:
ibs: sample
pebs: sample
plan: sample
perf: sample ibs pebs
symbols: sample ibs pebs perf
code: sample perf symbols
objects: sample perf
"

# Rings, counters, their delivery, EventSets: each layer of the PAPI component knows of those above it
# here, and no file of another layer.
layers="
ground: affinity clock debug domain errors fork inside left lock machine memory pfm pmu reader vector version
events: event_rows listed missing events encode refusals
waking: signals poller
rings: buffer
counters: counter periods published spread kernel_cost budget open
delivery: deliver ranges
eventsets: eventset reading change running
calls: overflow api fortran sharing precis
"

cd "$srcdir" || exit 1

# file_of NAME: of the component, without its ending
file_of() {
	case $1 in
	precis) echo precis ;;
	*) echo "precis_$1" ;;
	esac
}

# downward: includes of the component that point at a later layer, and files that are in none
downward() {
	known=" "
	while IFS=: read -r layer names; do
		for name in $names; do
			known="$known$(file_of "$name").h "
		done
		for name in $names; do
			for file in papi_component/precis/"$(file_of "$name")".[ch]; do
				test -f "$file" || continue
				sed -n 's/^#include "\(precis[a-z_]*\.h\)".*/\1/p' "$file" |
					while read -r header; do
						case $known in
						*" $header "*) ;;
						*) echo "$file ($layer) includes $header" ;;
						esac
					done
			done
		done
	done <<END
$(echo "$layers" | grep .)
END
	for file in papi_component/precis/*.[ch]; do
		name=${file##*/precis}
		name=${name%.[ch]}
		name=${name#_}
		echo "$layers" | grep -qw -- "${name:-precis}" || echo "$file is in no layer"
	done
}

# forbidden TREE ALLOWED...: includes that leave the tree and that the table does not allow
forbidden() {
	tree=$1
	shift
	test -d "$tree" || return 0
	grep -rnE '^[ 	]*#[ 	]*include "(\.\.|libdecode|statistics|document|analysis|command|perf_scripts|papi_component|recorder|sharing|bench|tests|doc)/' \
		"$tree" --include='*.[ch]' --include='*.def' |
		while IFS= read -r found; do
			header=${found#*\"}
			header=${header%\"*}
			# the pure rooms include each other so, to be compiled at other places too
			case $header in
			../*) header=$(realpath -m --relative-to=. "$(dirname "${found%%:*}")/$header") ;;
			esac
			for allowed in "$tree" "$@"; do
				case $header in "$allowed"/*) continue 2 ;; esac
			done
			printf '%s\n' "$exceptions" | grep -qx "$tree $header" || printf '%s\n' "$found"
		done
}

# foreign TREE ALLOWED...: sources of other trees that its lists name; the library is linked
foreign() {
	tree=$1
	shift
	test -d "$tree" || return 0
	find "$tree" -name local.mk -exec grep -HnoE \
		'(^|[[:space:]])(libdecode|statistics|document|analysis|command|perf_scripts|papi_component|recorder|sharing|bench)/[a-z_/0-9]*\.c' \
		{} + | while IFS= read -r found; do
		source=${found##*[: 	]}
		for allowed in "$tree" "$@"; do
			case $source in "$allowed"/*) continue 2 ;; esac
		done
		printf '%s\n' "$exceptions" | grep -qx "$tree ${source%.c}.h" || printf '%s\n' "$found"
	done
}

# backward ROOM: the includes that point down its list, or at a room that is not in it
backward() {
	above=
	# shellcheck disable=SC2013 # rooms are words
	for room in $(sed -n "s,^include $1/\\([a-z]*\\)/local.mk$,\\1,p" "$1/local.mk"); do
		above="$above|$room"
		grep -rn "#include \"$1/" "$1/$room" | grep -vE "\"$1/(${above#|})/"
	done
}

# objects ROOM: those of the build tree, each once
objects() {
	find "$builddir/libdecode/$1" -name '*.o' ! -path '*/.libs/*' 2>/dev/null | grep . ||
		find "$builddir/libdecode/$1" -name '*.o' 2>/dev/null
}

# names OPTION ROOM: symbols of the room's objects
names() {
	# shellcheck disable=SC2086 # a command with options
	objects "$2" | xargs $NM -P -g "$1" 2>/dev/null | awk 'NF > 1 { print $1 }' | sort -u
}

# backward_links ROOM ALLOWED...: symbols of other rooms than these that the room uses
backward_links() {
	room=$1
	shift
	for other in sample ibs pebs plan perf symbols code objects; do
		case " $room $* " in *" $other "*) continue ;; esac
		comm -12 "$work/$room.used" "$work/$other.defined" | sed "s,^,$room uses $other's ,"
	done
}

# is_used TREE HEADER: it is included, or its source is compiled there
is_used() {
	grep -rqF "#include \"$2\"" "$1" --include='*.[ch]' ||
		grep -rqwF "${2%.h}.c" "$1" --include=local.mk
}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

while IFS=: read -r tree allowed; do
	test -n "$tree" || continue
	# what lies in a room is judged by the room's line
	test "$tree" != libdecode || allowed=libdecode
	# shellcheck disable=SC2086 # rooms are words
	tap_empty "$tree" "$(forbidden "$tree" $allowed; foreign "$tree" $allowed)"
done <<END
$arrows
END

for tree in libdecode/perf command; do
	tap_empty "$tree: rooms in the order of its list" "$(backward "$tree")"
done

tap_empty "papi_component/precis: layers" "$(downward)"

for room in sample ibs pebs plan perf symbols code objects; do
	names --defined-only "$room" >"$work/$room.defined"
	names --undefined-only "$room" >"$work/$room.used"
done
if test -s "$work/sample.defined"; then
	while IFS=: read -r room allowed; do
		# shellcheck disable=SC2086 # rooms are words
		test -z "$room" || tap_empty "libdecode/$room: what it links to" "$(backward_links "$room" $allowed)"
	done <<END
$links
END
else
	tap_skip "what rooms of libdecode link to" "the library has not been built"
fi

for exception in $(echo "$exceptions" | sed -n 's/^\([^ ]*\) \(.*\)$/\1:\2/p'); do
	tap_run "the exception $exception is one still" is_used "${exception%%:*}" "${exception#*:}"
done
tap_done
