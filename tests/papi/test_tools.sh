#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the plugins make of samples, with a libpapi whose samples are made up (tests/papi/tools): levels,
# latencies and losses that no event of a test machine has, and what is refused and why. With a real
# PAPI, and with the tools themselves where they are, papi_component/tools/check tries them.
# shellcheck disable=SC2086 # compilers with options

. "$srcdir/tests/support/tap.sh"

test "${PRECIS_SANITIZED-no}" != yes || tap_skip_all "plugins do not use the sanitized library"
test -e "$LIBPRECIS" || tap_skip_all "libprecis was not built as a shared library"
command -v make >/dev/null 2>&1 || tap_skip_all "make not found"
tools=$srcdir/tests/papi/tools
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL LD_PRELOAD
unset PRECIS_TOOL_EVENTS PRECIS_TOOL_ROOM PRECIS_TOOL_FIELDS

mkdir -p "$work/papi" "$work/without" "$work/precis" "$work/caliper/lib"
ln -s "$tools/stubs/papi/papi.h" "$work/papi/papi.h"
ln -s "$tools/stubs/caliper/include" "$work/caliper/include"
mkdir -p "$work/precis/include"
ln -s "$srcdir/libdecode/include/precis" "$work/precis/include/precis"
ln -s "$(dirname "$LIBPRECIS")" "$work/precis/lib"
component=$srcdir/papi_component/include
warnings="-Wall -Wextra -Werror"

# stub_papi DIRECTORY OPTION...: a libpapi.so
stub_papi() {
	directory=$1
	shift
	$CC $warnings "$@" -shared -fPIC -I"$tools/stubs/papi" -I"$srcdir/libdecode/include" \
		-I"$component" "$tools/stub_papi.c" -o "$directory/libpapi.so" \
		-L"$work/precis/lib" -lprecis
}

# build TARGET ARGUMENT...
build() {
	target=$1
	shift
	make -s -C "$work" -f "$srcdir/papi_component/tools/Makefile" "$target" CC="$CC" \
		PAPI_DIR="$work/papi" PRECIS_DIR="$work/precis" CPPFLAGS="-I$component" \
		CFLAGS="-O1 -g $warnings" CXXFLAGS="-O1 -g $warnings" "$@"
}

# program TOOL MACRO
program() {
	$CC $warnings -D"$2" -I"$tools/stubs/$1/include" "$tools/program.c" "$tools/stub_$1.c" \
		-o "$work/$1" -rdynamic -lpthread -ldl
}

tap_run "a libpapi with samples that are made up" stub_papi "$work/papi"
tap_run "a libpapi without the component" stub_papi "$work/without" -DSTUB_WITHOUT_COMPONENT
tap_run "TAU's plugin builds" build tau TAU_DIR="$tools/stubs/tau"
tap_run "Score-P's plugin builds" build scorep SCOREP_DIR="$tools/stubs/scorep"
tap_run "the program with TAU's stub builds" program tau FOR_TAU
tap_run "the program with Score-P's stub builds" program scorep FOR_SCOREP

# tau ASSIGNMENT...: its lines are in out, its complaints in errors
tau() {
	env STUB_PLUGIN="$work/libprecis-tau.so" PRECIS_TOOL_EVENTS="made up@10" "$@" "$work/tau" \
		>"$work/out" 2>"$work/errors"
}

# scorep EVENTS
scorep() {
	env STUB_PLUGIN="$work/libprecis_plugin.so" SCOREP_METRIC_PRECIS_PLUGIN="$1" "$work/scorep" \
		>"$work/out" 2>"$work/errors"
}

# values FIELDS PATTERN: what the lines have in the fields that match the pattern, each kind once
values() {
	grep -E "$2" "$work/out" | cut -f "$1" | sort -u
}

# same NAME GOT EXPECTED
same() {
	tap_name=$1
	test "$2" = "$3"
	case $? in
	0) tap_ok "$tap_name" ;;
	*) tap_not_ok "$tap_name" "got:
$2
expected:
$3" ;;
	esac
}

tau
same "TAU: latencies are told apart by level" \
	"$(values 4,5,6 'load_latency .*: main => thousand$')" \
	"$(printf '%s\n' "300	300	made up load_latency in cycles, mem_level=DRAM : main => thousand" \
		"40	40	made up load_latency in cycles, mem_level=L3 : main => thousand" | sort)"
same "TAU: each sample is counted once, with its period" \
	"$(values 2,3,6 ' samples, .*: main => thousand$')" "$(printf '%s\n' \
		"1	10	made up samples, mem_level absent (not asked for) : main => thousand" \
		"1	10	made up samples, mem_level=DRAM : main => thousand" \
		"1	10	made up samples, mem_level=L3 : main => thousand" | sort)"
same "TAU: addresses" "$(values 2,4,5,6 ' addr : main => thousand$')" \
	"2	4096	8192	made up addr : main => thousand"
same "TAU: an address that a double does not hold is not told as another one" \
	"$(values 2,6 ' ip.*: main => thousand$')" \
	"1	made up ip beyond what a double holds : main => thousand"
same "TAU: what a sample lacks is no zero" "$(awk -F '	' '$1 == "event" && $4 == 0' "$work/out")" ""
same "TAU: losses of both threads" "$(values 2,3 'lost|not be read|throttled|running')" \
	"$(printf '%s\n' "precis: samples lost in rings	26" "precis: times throttled	10" \
		"precis: records that could not be read	6" \
		"precis: threads still running, whose losses are not in these numbers	0" | sort)"
tau PRECIS_TOOL_ROOM=2
same "TAU: samples for which there is no room are counted" "$(values 3 'samples without room')" \
	"$(awk -F '	' '$2 == "precis: samples taken" { print $3 ? $3 / 2 : "none taken" }' "$work/out")"
tau PRECIS_TOOL_FIELDS=addr,load_latency
same "TAU: other fields than those asked for are not told" \
	"$(values 6 ': main => thousand$')" "$(printf '%s\n' "made up addr : main => thousand" \
		"made up load_latency in cycles, mem_level absent (not asked for) : main => thousand" \
		"made up samples, mem_level absent (not asked for) : main => thousand" | sort)"

scorep "made up@10"
same "Score-P: levels are numbers of the catalogue" "$(values 2,3,4,5,6 '^metric.* mem_level$')" \
	"2	12	4	8	-"
same "Score-P: latencies" "$(values 2,3,4,5,6 '^metric.* load_latency$')" "2	340	40	300	-"
same "Score-P: an address of the kernel is exact" "$(values 2,4,5 '^metric.* ip$')" \
	"1	18446744071578845185	18446744071578845185"
same "Score-P: samples have their period" "$(values 2,3,6 '^metric.* samples$')" "3	30	-"
same "Score-P: losses are a metric of each thread" "$(values 2,3 ' lost$' | sort -u)" "1	16
samples	made up lost"
same "Score-P: units" "$(values 2,3 '^unit.*(latency|samples|addr)$')" "$(printf '%s\n' \
	"#	made up addr" "cycles	made up cache_latency" "cycles	made up dcache_miss_latency" \
	"cycles	made up fetch_latency" "cycles	made up load_latency" \
	"cycles	made up tlb_refill_latency" "events	made up samples" | sort)"
tap_run "Score-P: why a field is absent is told" \
	grep -qx 'precis: made up: [1-9][0-9]* samples have no fetch_latency: not asked for' "$work/errors"
taken=$(sed -n 's/^precis: samples: \([0-9]*\) taken.*/\1/p' "$work/errors")
told=$(awk -F '	' '$1 == "metric" && $7 == "made up samples" { sum += $2 } END { print sum }' "$work/out")
same "Score-P: all that was taken was told" "$told" "$taken"

scorep made_up
same "Score-P: an event without a period" "$(grep -v '^precis: samples' "$work/errors")" \
	"precis: not sampled: made_up is not NAME@PERIOD, with a period of 1 or more"

# The C++ compiler is the test's, too: without one there is no Caliper.
caliper() {
	env LD_PRELOAD="$work/libprecis-caliper.so" CALI_PRECIS_EVENTS="made up@10" "$@" \
		"$work/caliper/program" >"$work/out" 2>"$work/errors"
}

check_caliper() {
	tap_run "Caliper's stub builds" $CXX -std=c++11 $warnings -fPIC -shared \
		-I"$tools/stubs/caliper/include" "$tools/stub_caliper.cpp" \
		-o "$work/caliper/lib/libcaliper.so" -lpthread
	tap_run "the program with Caliper's stub builds" $CC $warnings -DFOR_CALIPER \
		-I"$tools/stubs/caliper/include" "$tools/program.c" -o "$work/caliper/program" \
		-L"$work/caliper/lib" -Wl,-rpath,"$work/caliper/lib" -lcaliper -lpthread
	tap_run "Caliper's service builds" build caliper CXX="$CXX" CALIPER_DIR="$work/caliper" \
		CALIPER_SRC="$tools/stubs/caliper"
	caliper
	same "Caliper: a snapshot has the sample's values, and why it lacks one" \
		"$(values 3-8,10 '^snapshot	/main/thousand	.*DRAM')" \
		"precis.period=10	precis.addr=8192	precis.load_latency=300	precis.event=made up	precis.why.ip=not asked for	precis.mem_level=DRAM	precis.why.dcache_miss_latency=not asked for"
	same "Caliper: a sample without values has reasons" \
		"$(values 3-8 '^snapshot	/main/thousand	.*why.mem_level')" \
		"precis.period=10	precis.event=made up	precis.why.ip=not asked for	precis.why.addr=not asked for	precis.why.mem_level=not asked for	precis.why.mem_remote=not asked for"
	same "Caliper: losses of both threads" "$(values 2 '^global.*(lost|truncated|throttled)')" \
		"$(printf '%s\n' precis.lost=26 precis.throttled=10 precis.truncated=6)"
	caliper CALI_PRECIS_REASONS=false
	same "Caliper: without reasons, if so wanted" "$(awk '/^snapshot/ { snapshots++ } /precis\.why/ { why++ }
		END { print snapshots ? why + 0 : "no snapshot" }' "$work/out")" 0
	caliper CALI_PRECIS_EVENTS=
	same "Caliper: no events" "$(cat "$work/errors")" \
		"precis: not sampled: CALI_PRECIS_EVENTS is not set: NAME@PERIOD,..."
	caliper CALI_PRECIS_EVENTS=refused@1
	same "Caliper: an event that is not to be had" "$(sort -u "$work/errors")" \
		"precis: not sampled: refused: the stub has no such event"
}

if test -n "${CXX-}"; then
	check_caliper
else
	tap_skip "Caliper" "there is no C++ compiler"
fi

# refused NAME COMPLAINT ASSIGNMENT...: the program runs, and says once why it is not sampled
refused() {
	name=$1 complaint=$2
	shift 2
	tau "$@"
	same "$name" "$? $(cat "$work/errors")" "0 precis: not sampled: $complaint"
}

refused "an event without a period" "made up is not NAME@PERIOD, with a period of 1 or more" \
	PRECIS_TOOL_EVENTS="made up"
for period in "" 0 -1 +1 1x 99999999999999999999; do
	refused "a period '$period'" "e@$period is not NAME@PERIOD, with a period of 1 or more" \
		PRECIS_TOOL_EVENTS="made up@10,e@$period"
done
refused "an event without a name" "@5 is not NAME@PERIOD, with a period of 1 or more" \
	PRECIS_TOOL_EVENTS=@5
refused "an empty event" "an empty event is not NAME@PERIOD, with a period of 1 or more" \
	PRECIS_TOOL_EVENTS=a@1,,b@1
refused "too many events" "more than 16 events" \
	PRECIS_TOOL_EVENTS=a@1,a@1,a@1,a@1,a@1,a@1,a@1,a@1,a@1,a@1,a@1,a@1,a@1,a@1,a@1,a@1,a@1
long=$(printf '%0300d' 0)
refused "a long name" "the event $(printf '%040d' 0)... has a name of more than 255 characters" \
	PRECIS_TOOL_EVENTS="$long@1"
for samples in 0 3 -4 33554432 many; do
	refused "room for '$samples'" "PRECIS_TOOL_ROOM=$samples: not a power of two up to 16777216" \
		PRECIS_TOOL_ROOM=$samples
done
refused "a field that is none" "PRECIS_TOOL_FIELDS: nonsense: no field that is given to tools" \
	PRECIS_TOOL_FIELDS=addr,nonsense
refused "an event that is not to be had" "refused: the stub has no such event" \
	PRECIS_TOOL_EVENTS=refused@1
refused "an event that is in use, whoever may measure the kernel" "busy: it is in use" \
	PRECIS_TOOL_EVENTS=busy@1
refused "a component that is disabled" "PAPI's component precis is disabled: made up" STUB_DISABLED=1
refused "a libpapi without the component" "this libpapi was built without the component precis" \
	LD_LIBRARY_PATH="$work/without${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
tap_done
