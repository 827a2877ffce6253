#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Directories that are no recording, or not quite: each command ends by itself, with exit code 0, or 1
# and a word on what is wrong.

. "$srcdir/tests/support/tap.sh"

test -x "$PRECIS" || tap_skip_all "the command was not built"
forms=$srcdir/tests/recordings/forms
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# survives COMMAND...: exit code 0, or 1 with a message, and no sanitizer's
survives() {
	# shellcheck disable=SC3045 # every sh here has ulimit -t
	(ulimit -t 60 && timeout 1200 "$@") >/dev/null 2>"$work/err" </dev/null
	status=$?
	test "$status" -le 1 || { echo "exit code $status"; cat "$work/err"; return 1; }
	test "$status" -eq 0 || test -s "$work/err" || { echo "no message"; return 1; }
	! grep -E 'ERROR: |runtime error' "$work/err"
}

commands() {
	survives "$PRECIS" info "$1" && survives "$PRECIS" dump -F all "$1" &&
		survives "$PRECIS" report "$1"
}

# few DIRECTORY: with fewer descriptors than it has files
few() {
	# shellcheck disable=SC3045 # every sh here has ulimit -n
	(ulimit -n 32 && commands "$1")
}

# fresh NAME: a copy of a good directory to spoil
fresh() {
	rm -rf "$work/${1:?}"
	cp -R "$forms/directory" "$work/$1" && chmod -R u+w "$work/$1"
}

fresh good
tap_run "as recorded" commands "$work/good"

mkdir "$work/empty"
tap_run "empty" commands "$work/empty"

for kind in fifo directory dangling loop zero endless same; do
	for part in data data.0; do
		fresh "$kind"
		rm -f "$work/$kind/$part"
		case $kind in
		fifo) mkfifo "$work/$kind/$part" ;;
		directory) mkdir "$work/$kind/$part" ;;
		dangling) ln -s nowhere "$work/$kind/$part" ;;
		loop) ln -s "$part" "$work/$kind/$part" ;;
		zero) ln -s /dev/zero "$work/$kind/$part" ;;
		endless) ln -s /dev/urandom "$work/$kind/$part" ;;
		same) ln -s data.1 "$work/$kind/$part" ;;
		esac
		tap_run "$part: $kind" commands "$work/$kind"
	done
done

for name in data.00 data.-1 data.18446744073709551616 data.0x data. data.old data.999999999; do
	fresh named
	mv "$work/named/data.0" "$work/named/$name"
	tap_run "data.0 is called $name" commands "$work/named"
done

fresh many
number=0
while test $number -lt 2000; do
	: >"$work/many/data.$number"
	number=$((number + 1))
done
cp "$forms/directory/data.0" "$work/many/data.1999"
tap_run "2000 data files" commands "$work/many"
tap_run "2000 data files, 32 descriptors" few "$work/many"

# records_of DIRECTORY: how many can be read; samples need the events, which data has
records_of() {
	"$PRECIS" dump --records --no-symbols --format json "$1" 2>/dev/null | grep -vc SAMPLE
}

# are_left DIRECTORY: those of data.0 and data.1
are_left() {
	fresh first
	rm "$work/first/data.0" "$work/first/data.1"
	expected=$(($(records_of "$work/good") - $(records_of "$work/first")))
	left=$(records_of "$1")
	test "$expected" -gt 0 && test "$left" -eq "$expected" ||
		{ echo "$left of $expected records"; return 1; }
}

# A header's size of 16 bytes says that the file is a pipe, whose records begin at once.
fresh broken
printf '\020' | dd of="$work/broken/data" bs=1 seek=8 conv=notrunc 2>/dev/null
tap_run "data breaks off at once" commands "$work/broken"
tap_run "data breaks off, the others are read" are_left "$work/broken"

fresh nested
mkdir "$work/nested/kcore_dir"
ln -s .. "$work/nested/kcore_dir/kallsyms"
mkfifo "$work/nested/kcore_dir/modules"
tap_run "a kcore_dir of other kinds of files" commands "$work/nested"
tap_done
