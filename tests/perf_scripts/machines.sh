# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2034 # sourced: these are its callers'
# Machines that are made up, and precis-record on them: read by the tests of it.

script=$srcdir/perf_scripts/record/precis-record
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
PRECIS_SYSROOT=$work/root
export PRECIS_SYSROOT

# A perf that shows how it is called
cat >"$work/perf" <<'END'
#!/bin/sh
echo "called: $*"
exit 7
END
chmod +x "$work/perf"
PERF=$work/perf
export PERF

ALL=000001ffffffffff PERFMON=0000004000000000 ADMIN=0000000000200000 NONE=0000000000000000

# machine VENDOR FLAGS RELEASE PARANOID CAPABILITIES [PMU/FORMAT...]
machine() {
	rm -rf "$PRECIS_SYSROOT"
	mkdir -p "$PRECIS_SYSROOT/proc/self" "$PRECIS_SYSROOT/proc/sys/kernel"
	printf 'vendor_id\t: %s\nflags\t\t: fpu %s sse\n' "$1" "$2" >"$PRECIS_SYSROOT/proc/cpuinfo"
	echo "$3" >"$PRECIS_SYSROOT/proc/sys/kernel/osrelease"
	echo "$4" >"$PRECIS_SYSROOT/proc/sys/kernel/perf_event_paranoid"
	printf 'CapPrm:\t0\nCapEff:\t%s\n' "$5" >"$PRECIS_SYSROOT/proc/self/status"
	shift 5
	for term; do
		directory=$PRECIS_SYSROOT/sys/bus/event_source/devices/${term%/*}/format
		mkdir -p "$directory"
		: >"$directory/${term#*/}"
	done
}

zen4() {
	machine AuthenticAMD ibs "$@" ibs_op/cnt_ctl ibs_op/l3missonly ibs_fetch/rand_en \
		ibs_fetch/l3missonly
}

zen5() {
	zen4 "$@" ibs_op/ldlat ibs_op/swfilt ibs_fetch/swfilt
}

# run ARGUMENT...: sets $out, $err, $code
run() {
	out=$(sh "$script" "$@" 2>"$work/err")
	code=$?
	err=$(cat "$work/err")
}

# verdict NAME COMMAND...
verdict() {
	name=$1
	shift
	if "$@"; then
		tap_ok "$name"
	else
		tap_not_ok "$name" "code $code
stdout: $out
stderr: $err"
	fi
}

says() {
	case $err in
	*"$1"*) ;;
	*) return 1 ;;
	esac
}

# refuses NAME CODE TEXT ARGUMENT...
refuses() {
	# shellcheck disable=SC2034 # for eval
	name=$1 expected=$2 text=$3
	shift 3
	run "$@"
	case $out in
	*called:*) verdict "$name: perf is not run" false ;;
	esac
	test "$code" = "$expected"
	# shellcheck disable=SC2034 # for eval
	right=$?
	verdict "$name" eval 'test $right = 0 && says "$text"'
}

# intel PMU EVENT...: its events are in sysfs
intel() {
	directory=$PRECIS_SYSROOT/sys/bus/event_source/devices/$1/events
	mkdir -p "$directory"
	shift
	for event; do
		: >"$directory/$event"
	done
}
