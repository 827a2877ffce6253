#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Traces of programs, by qemu-user:
#
#	trace.sh DIRECTORY EXECUTIONS PROGRAM...
#	trace.sh --list SET
#
# compiles the plugin and the small programs there, unless they are, and writes a trace of each PROGRAM that
# this machine has: DIRECTORY/PROGRAM, and what was mapped where at its end, DIRECTORY/PROGRAM.maps. Exit
# code 77 where there is no qemu-user or compiler. 'tuning' are the programs that constants of the estimate
# were chosen with, 'proof' those that they were not. There are the kernels of tests/mix/kernels.S, too.
# NAME='COMMAND ARGUMENT...' is whatever program.

tuning="bodies matrices sorting phases gzip bzip2 perl sort"
proof="queens interpreter xz awk openssl sqlite3"

if test "$1" = --list; then
	case $2 in
	tuning) echo "$tuning" ;;
	proof) echo "$proof" ;;
	esac
	exit
fi
source=$(dirname "$0")
directory=$1 executions=$2
shift 2

qemu=$(command -v qemu-x86_64) || {
	echo "no qemu-x86_64 (Debian: qemu-user)" >&2
	exit 77
}
mkdir -p "$directory" || exit 1
test -x "$directory/programs" || {
	${CC:-cc} -O2 -fPIC -shared -o "$directory/plugin.so" "$source/plugin.c" &&
		${CC:-cc} -O2 -static -Wl,--build-id -o "$directory/programs" "$source/programs.c" -lm &&
		${CC:-cc} -O2 -static -Wl,--build-id -o "$directory/kernels" "$source/kernels.c" "$source/kernels.S"
} || exit 77

# The small programs for aarch64, where there is a compiler for it and qemu-aarch64
other=aarch64-linux-gnu-gcc
if test ! -x "$directory/programs.aarch64" && command -v $other >/dev/null && command -v qemu-aarch64 >/dev/null; then
	$other -O2 -static -Wl,--build-id -o "$directory/programs.aarch64" "$source/programs.c" -lm ||
		echo "$other cannot compile (Debian: libc6-dev-arm64-cross)" >&2
fi

# What programs read: text that is neither random nor all alike
test -s "$directory/input" ||
	awk 'BEGIN { srand(7); for (n = 0; n < 60000; n++) printf "%d %s line%d\n", rand() * 1e6,
		substr("abcdefghijklmnopqrstuvwxyz", rand() * 20 + 1, 6), n % 977 }' >"$directory/input"

# traced NAME COMMAND...
# Without an environment: how many variables there are decides how long a program takes to begin, and so what
# is sampled of all the rest.
traced() {
	name=$1
	shift
	env -i "$qemu" -cpu max -plugin "$directory/plugin.so,trace=$directory/$name.part,most=$executions" \
		"$@" <"$directory/input" >/dev/null 2>"$directory/$name.said"
	test -s "$directory/$name.part" || return
	mv "$directory/$name.part.maps" "$directory/$name.maps"
	mv "$directory/$name.part" "$directory/$name"
}

own() {
	traced "$1" "$directory/programs" "$@"
}

# other NAME.aarch64 ROUNDS
other() {
	test -x "$directory/programs.aarch64" || return 0
	name=$1
	shift
	(qemu=$(command -v qemu-aarch64) && traced "$name" "$directory/programs.aarch64" "${name%.aarch64}" "$@")
}

# kernel NAME COUNT ROUNDS
kernel() {
	traced "$1" "$directory/kernels" "$@"
}

tool() {
	name=$1 path=$(command -v "$2") || return 0
	shift 2
	traced "$name" "$path" "$@"
}

run() {
	case $1 in
	bodies) own bodies 60000 ;;
	matrices) own matrices 60 ;;
	sorting) own sorting 40 ;;
	phases) own phases 2000 ;;
	queens) own queens 12 ;;
	interpreter) own interpreter 12000 ;;
	sorting.aarch64) other sorting.aarch64 40 ;;
	interpreter.aarch64) other interpreter.aarch64 12000 ;;
	queens.aarch64) other queens.aarch64 12 ;;
	matrices.aarch64) other matrices.aarch64 10 ;;
	daxpy_scalar) kernel daxpy_scalar 1000 2000 ;;
	daxpy_sse) kernel daxpy_sse 1000 4000 ;;
	daxpy_avx) kernel daxpy_avx 4000 2000 ;;
	product) kernel product 48 150 ;;
	copy) kernel copy 2000 4000 ;;
	gather) kernel gather 2000 4000 ;;
	copy_repeated) kernel copy_repeated 64 300000 ;;
	gzip) tool gzip gzip -c ;;
	bzip2) tool bzip2 bzip2 -c ;;
	xz) tool xz xz -c -2 ;;
	sort) tool sort sort --parallel=1 -k2 ;;
	perl) tool perl perl -ne '$n{$1} += length if /(\w+)$/; END { print join " ", sort keys %n }' ;;
	awk) tool awk mawk '{ n[$2] += $1; if ($3 ~ /7$/) m++ } END { for (k in n) print k, n[k], m }' ;;
	openssl) tool openssl openssl dgst -sha256 ;;
	sqlite3) tool sqlite3 sqlite3 :memory: "with recursive c(x) as (select 1 union all select x + 1 from c
		where x < 200000) select x % 7, count(*), sum(x * x % 11) from c group by 1 order by 2" ;;
	*) return 1 ;;
	esac
}

for program in "$@"; do
	case $program in
	tuning) programs=$tuning ;;
	proof) programs=$proof ;;
	*=*)
		# shellcheck disable=SC2086 # a program and its arguments
		traced "${program%%=*}" ${program#*=}
		continue
		;;
	*) programs=$program ;;
	esac
	for name in $programs; do
		run "$name" || exit 1
	done
done
