#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# precis-record on machines that are made up: their /proc and /sys lie under PRECIS_SYSROOT.

. "$srcdir/tests/support/tap.sh"
. "$srcdir/tests/perf_scripts/machines.sh"

# prints NAME EXPECTED ARGUMENT...: the dry run's command, after "perf record --raw-samples"
prints() {
	name=$1 expected=$2
	shift 2
	run -n "$@"
	verdict "$name" test "$code:$out" = "0:$PERF record --raw-samples $expected"
}

# --- events and options ---

zen5 6.16.1 2 $ALL
prints "default: ops by cycles" "-c 104752 -e ibs_op// -- ./program -c 5" ./program -c 5
prints "ops by count" "-c 200000 -e ibs_op/cnt_ctl=1/ -- a" --ops --period 200000 -- a
prints "fetches" "-c 104752 -e ibs_fetch/rand_en=1/ -a" --fetch -a
prints "both" "-c 160 -e ibs_op// -e ibs_fetch/rand_en=1/ -- a" --both -c 160 a
prints "L3 misses" "-c 104752 -e ibs_op/l3missonly=1/ -e ibs_fetch/rand_en=1,l3missonly=1/ -- a" \
	--both --l3-miss-only a
prints "a latency" "-c 104752 -e ibs_op/cnt_ctl=1,ldlat=200,l3missonly=1/ -- a" \
	--ops --ldlat=200 a
prints "a latency concerns ops alone" \
	"-c 104752 -e ibs_op/ldlat=128,l3missonly=1/ -e ibs_fetch/rand_en=1/ -- a" \
	--both --ldlat 128 a
prints "user mode" "-c 104752 -e ibs_op/swfilt=1/u -- a" --user a
prints "output, call chains, process" "-c 104752 -e ibs_op// -g -o out.data -p 17" \
	-g -o out.data --pid 17
prints "quoting" "-c 104752 -e ibs_op// -- 'a b' 'it'\\''s' ''" "a b" "it's" ""

run a b
verdict "perf is run, its exit code kept" \
	test "$code:$out" = "7:called: record --raw-samples -c 104752 -e ibs_op// -- a b"
verdict "what comes next is said" says "precis report"
run -q a
verdict "--quiet" test "$code:$err:$out" = \
	"7::called: record --raw-samples -c 104752 -e ibs_op// -q -- a"

# --- wrong usage ---

refuses "nothing to record" 2 "what is to be recorded"
refuses "period not a multiple of 16" 2 "multiple of 16: 100 is not" -c 100 a
refuses "period not a number" 2 "'10k'" -c 10k a
refuses "period too small" 2 "between 144 and 134217712" -c 128 a
refuses "period too large for fetches" 2 "between 16 and 1048560" --fetch -c 1048576 a
refuses "period beyond any number" 2 "is a number" -c 99999999999999999999 a
refuses "latency out of range" 2 "128 to 2048" --ldlat 100 a
refuses "--ops with --fetch" 2 "--ops" --fetch --ops a
refuses "--ldlat with --fetch" 2 "--ldlat" --fetch --ldlat 128 a
refuses "process and command" 2 "exclude" -p 3 a
refuses "process and machine" 2 "exclude" -p 3 -a
refuses "process that is none" 2 "'x'" -p x
refuses "option without value" 2 "needs a value" -c
refuses "unknown option" 2 "'--no-such'" --no-such a

# --- what the machine lacks ---

zen4 6.6.0 2 $ALL
refuses "no latency filter on Zen 4" 1 "needs Zen 5" --ldlat 128 a
refuses "no software filter" 1 "needs Linux 6.14" --user a
run -n --ldlat 128 a
verdict "a dry run prints the command and what is wrong" \
	eval 'test $code = 1 && says "needs Zen 5" && test -n "$out"'
machine AuthenticAMD ibs 6.6.0 2 $ALL ibs_op/cnt_ctl ibs_fetch/rand_en
refuses "no L3 filter before Zen 4" 1 "needs Zen 4" --l3-miss-only a
machine CentaurHauls "" 6.6.0 2 $ALL
refuses "neither AMD nor Intel" 1 "its vendor is CentaurHauls" a
run -n a
verdict "and no command" test "$code:$out" = "1:"
rm "$PRECIS_SYSROOT/proc/cpuinfo"
refuses "a machine that does not tell" 1 "not in $PRECIS_SYSROOT/proc/cpuinfo" a

machine AuthenticAMD ibs 6.6.0 2 $ALL ibs_op/cnt_ctl
refuses "loads on an AMD CPU" 1 "this is an AMD CPU" --loads a
machine AuthenticAMD hypervisor 6.6.0 2 $ALL
refuses "hidden by a hypervisor" 1 "hypervisor does not offer IBS" a
machine AuthenticAMD "" 6.6.0 2 $ALL
refuses "off in the BIOS" 1 "BIOS" a
machine AuthenticAMD ibs 6.6.0 2 $ALL
refuses "a kernel without the PMU" 1 "kernel has no ibs_op" a
run --both a
verdict "and that once" test "$(printf '%s\n' "$err" | grep -c "kernel has no")" = 1
PERF=/nonexistent/perf
zen4 6.6.0 2 $ALL
refuses "no perf" 1 "linux-perf" a
PERF=$work/perf

# --- Intel ---

# records NAME EXPECTED ARGUMENT...: the dry run's command, after "perf record -d -W"
records() {
	name=$1 expected=$2
	shift 2
	run -n "$@"
	verdict "$name" test "$code:$out" = "0:$PERF record -d -W $expected"
}

machine GenuineIntel "" 6.6.0 2 $ALL
refuses "an Intel CPU without a PMU" 1 "neither cpu nor cpu_core" a
machine GenuineIntel hypervisor 6.6.0 2 $ALL
refuses "and in a virtual machine" 1 "hypervisor offers no PEBS" a
machine GenuineIntel "" 6.6.0 2 $ALL
intel cpu cycles
refuses "an Intel CPU without events of memory" 1 \
	"has none of these events: cpu: mem-loads mem-stores" a
intel cpu mem-stores
records "stores alone, where there is no more" \
	"-e cpu/mem-stores,period=104761/P -- ls" -- ls
verdict "and what is missing is named" says "cpu has no event mem-loads"
refuses "loads where there are none" 1 "none of these events: cpu: mem-loads" --loads a
intel cpu mem-loads
stores="-e cpu/mem-stores,period=104761/P"
records "loads and stores" "-e cpu/mem-loads,ldlat=30,period=1049/P $stores -- ls" -- ls
verdict "nothing is missing" test -z "$err"
# shellcheck disable=SC1003 # a backslash
verdict "README recommends the same" test "$(tr -d '\n\\' <"$srcdir/README.md" | tr -s ' ' |
	grep -cF -- "-d -W -e cpu/mem-loads,ldlat=30,period=1049/P $stores")" = 1
records "loads alone" "-e cpu/mem-loads,ldlat=30,period=1049/P -- a" --loads a
records "stores alone" "$stores -a" --stores -a
records "a latency, a period" "-e cpu/mem-loads,ldlat=200,period=13/P -o x -- a" \
	--ldlat 200 -c 13 --loads -o x a
records "user mode" "-e cpu/mem-loads,ldlat=30,period=1049/Pu -- a" -u --loads a
refuses "IBS on an Intel CPU" 1 "this is an Intel CPU: no IBS" --fetch a
refuses "a latency of 0" 2 "1 to 65535 cycles on Intel" --ldlat 0 a
refuses "a period of 0" 2 "at least 1" -c 0 a
refuses "IBS and PEBS" 2 "no machine has both" --op --loads a
run a
verdict "perf is run on Intel, too" test "$code:$out" = \
	"7:called: record -d -W -e cpu/mem-loads,ldlat=30,period=1049/P $stores -- a"

machine GenuineIntel "" 6.1.0 2 $NONE
intel cpu mem-loads mem-loads-aux mem-stores
group="'{cpu/mem-loads-aux,period=1049/,cpu/mem-loads,ldlat=30,period=1049/}:P'"
refuses "the kernel without privileges" 1 "or: --user" a
records "user mode without" "-e '{cpu/mem-loads-aux,period=1049/,cpu/mem-loads,ldlat=30,period=\
1049/}:Pu' -e cpu/mem-stores,period=104761/Pu -- a" -u a
echo 1 >"$PRECIS_SYSROOT/proc/sys/kernel/perf_event_paranoid"
records "loads that need an auxiliary event lead it; before 6.2 one program, too" \
	"-e $group $stores -- a" a

machine GenuineIntel "" 6.6.0 2 $ALL
intel cpu_core mem-loads mem-loads-aux mem-stores
intel cpu_atom mem-loads mem-stores
group="'{cpu_core/mem-loads-aux,period=1049/,cpu_core/mem-loads,ldlat=30,period=1049/}:P'"
records "both kinds of core of a hybrid CPU" "-e $group -e cpu_core/mem-stores,period=104761/P \
-e cpu_atom/mem-loads,ldlat=30,period=1049/P -e cpu_atom/mem-stores,period=104761/P -- a" a
rm "$PRECIS_SYSROOT/sys/bus/event_source/devices/cpu_atom/events/mem-loads"
run -n --loads a
verdict "one kind of core without loads" eval 'test $code = 0 && says "cpu_atom has no event"'

# --- misspelt ---

zen4 6.6.0 2 $ALL
refuses "an option that is nearly one" 2 "did you mean '--fetch'" --fecth a
refuses "with its value, too" 2 "did you mean '--period'" --peroid=16 a
run --no-such a
verdict "and one that is not" eval '! says "did you mean"'

# --- scope ---

zen4 6.1.0-18-amd64 2 $ALL
prints "before 6.2: the whole machine" "-c 104752 -e ibs_op// -a -- a" a
verdict "and says why" says "6.2 and later: for tasks"
refuses "before 6.2: not one process" 1 "precis report --pid 3" -p 3
zen4 5.15.0 2 $ALL
prints "5.15, too" "-c 104752 -e ibs_op// -a -- a" a
zen4 6.2.0 2 $ALL
prints "6.2: one command" "-c 104752 -e ibs_op// -- a" a
zen4 7.0.0 2 $ALL
prints "7.0: one command" "-c 104752 -e ibs_op// -- a" a
zen4 strange 2 $ALL
prints "an unreadable release is taken for a new one" "-c 104752 -e ibs_op// -- a" a

# --- permission ---

for capability in $PERFMON $ADMIN; do
	zen4 6.6.0 4 "$capability"
	prints "paranoid 4 with capability $capability" "-c 104752 -e ibs_op// -a" -a
done
zen5 6.16.0 2 $NONE
refuses "paranoid 2: the kernel" 1 "perf_event_paranoid is 2" a
prints "paranoid 2: user mode is allowed" "-c 104752 -e ibs_op/swfilt=1/u -- a" -u a
refuses "paranoid 2: not the whole machine" 1 "whole CPUs is not allowed" -a -u
zen4 6.6.0 1 $NONE
prints "paranoid 1: a command" "-c 104752 -e ibs_op// -- a" a
refuses "paranoid 1: not the whole machine" 1 "sysctl kernel.perf_event_paranoid=0" -a
zen4 6.1.0 1 $NONE
refuses "paranoid 1 before 6.2: nothing" 1 "whole CPUs is not allowed" a
zen4 6.6.0 0 $NONE
prints "paranoid 0: the whole machine" "-c 104752 -e ibs_op// -a" -a
zen4 6.6.0 -1 $NONE
prints "paranoid -1" "-c 104752 -e ibs_op// -a" -a
zen4 6.6.0 3 $NONE
refuses "Debian's paranoid 3" 1 "not allowed at all" -u a
rm "$PRECIS_SYSROOT/proc/sys/kernel/perf_event_paranoid"
refuses "a kernel without perf events" 1 "no perf events" a

# --- descriptors ---

# What perf opens first would be one of these, and its messages would land in the recording.
cat >"$work/perf" <<'END'
#!/bin/sh
# The shell has its own files here, but not before the first three descriptors are taken
test -n "$(readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2 | sed -n 3p)" && exit 7
exit 8
END
chmod +x "$work/perf"
zen4 6.6.0 2 $ALL

# --- objects ---

PRECIS_OBJECTS_LIBRARY=$work/recorder.so
export PRECIS_OBJECTS_LIBRARY
: >"$PRECIS_OBJECTS_LIBRARY"
zen5 6.16.1 2 $ALL
unset LD_PRELOAD
prints "objects: the recorder is loaded into the command alone, and both have one clock" \
	"-c 104752 -d -k mono -e ibs_op//GH -- env LD_PRELOAD=$work/recorder.so PRECIS_OBJECTS=directory=$PWD true 1" --objects true 1
prints "objects: options are handed on" "-c 104752 -d -k mono -e ibs_op//GH -- env LD_PRELOAD=$work/recorder.so \
PRECIS_OBJECTS=directory=$PWD,interval=all,size=4k true" --objects=interval=all,size=4k -- true
prints "objects: what it may cost" "-c 104752 -d -k mono -e ibs_op//GH -- env LD_PRELOAD=$work/recorder.so \
PRECIS_OBJECTS=directory=$PWD,interval=64k,overhead=3 true" --objects=interval=64k --max-overhead 3 -- true
prints "objects: that alone" "-c 104752 -d -k mono -e ibs_op//GH -- env LD_PRELOAD=$work/recorder.so \
PRECIS_OBJECTS=directory=$PWD,overhead=3 true" --max-overhead=3 --objects -- true
prints "objects: a relative directory" "-c 104752 -d -k mono -e ibs_op//GH -- env LD_PRELOAD=$work/recorder.so \
PRECIS_OBJECTS=size=4k,directory=$PWD/of/it,interval=all true" --objects=size=4k,directory=of/it,interval=all -- true
prints "objects: an absolute directory" "-c 104752 -d -k mono -e ibs_op//GH -- env LD_PRELOAD=$work/recorder.so \
PRECIS_OBJECTS=size=4k,directory=/of/it true" --objects=size=4k,directory=/of/it -- true
refuses "objects: what it may cost is no number" 2 "from 1 to 1000, not '5%'" --objects --max-overhead 5% true
refuses "objects: nothing is recorded" 2 "--max-overhead is of --objects" --max-overhead 5 true
LD_PRELOAD='' prints "objects: an empty LD_PRELOAD" \
	"-c 104752 -d -k mono -e ibs_op//GH -- env LD_PRELOAD=$work/recorder.so PRECIS_OBJECTS=directory=$PWD true" --objects true
prints "objects: user mode, and fetches" "-c 160 -d -k mono -e ibs_op/swfilt=1/uGH -e ibs_fetch/rand_en=1,swfilt=1/uGH \
-- env LD_PRELOAD=$work/recorder.so PRECIS_OBJECTS=directory=$PWD true" --objects --both -u -c 160 true
refuses "objects: of a running process" 2 "needs a command" --objects -p 5
# What perf would run, in a directory of its own: programs that go elsewhere, run others, and fork
recorder=$(cd "$builddir" && pwd)/.libs/libprecis-objects.so
if test -r "$recorder"; then
	mkdir -p "$work/begins/of/it" "$work/elsewhere"
	# shellcheck disable=SC2016 # the script's own
	printf '#!/bin/sh\nwhile test "$1" != --; do shift; done\nshift\nexec "$@"\n' >"$work/runs"
	chmod +x "$work/runs"
	script_path=$(cd "$(dirname "$script")" && pwd)/${script##*/}
	for given in "" "=directory=of/it" "=directory=of/it,interval=all"; do
		rm -f "$work"/begins/*.objects "$work"/begins/of/it/*.objects
		(cd "$work/begins" && PERF=$work/runs PRECIS_OBJECTS_LIBRARY=$recorder sh "$script_path" "--objects$given" -- \
			sh -c "cd $work/elsewhere && exec sh -c '(exec cat /dev/null); exec cat /dev/null'")
		where=$work/begins
		test -z "$given" || where=$where/of/it
		verdict "objects$given: of programs that others run elsewhere" \
			test "$(find "$where" -maxdepth 1 -name '*.objects' | wc -l):$(ls "$work/elsewhere")" = "5:"
	done
else
	tap_skip "objects: programs that others run elsewhere" "no recorder of objects in this build"
fi
PRECIS_OBJECTS_LIBRARY=$work/none refuses "objects: without a recorder" 1 "no libprecis-objects.so" --objects true
cp /bin/true "$work/setuid"
chmod 4755 "$work/setuid"
refuses "objects: a set-user-ID program" 1 "$work/setuid is set-user-ID" --objects "$work/setuid"
printf '#!%s -e\n' "$work/setuid" >"$work/script"
chmod +x "$work/script"
refuses "objects: a script whose interpreter is one" 1 "$work/setuid is set-user-ID" --objects "$work/script"
echo 'int main(void) { return 0; }' >"$work/static.c"
if $CC -static -o "$work/static" "$work/static.c" 2>/dev/null; then
	refuses "objects: a static program" 1 "static is statically linked" --objects "$work/static"
else
	tap_skip "objects: a static program" "$CC does not link one"
fi
if musl-gcc -o "$work/musl" "$work/static.c" 2>/dev/null; then
	refuses "objects: a program of musl" 1 "musl is linked with musl, where the recorder" --objects "$work/musl"
else
	tap_skip "objects: a program of musl" "no musl-gcc"
fi
echo 'void *malloc(unsigned long n) { return n ? 0 : (void *)8; } int main(void) { return 0; }' >"$work/own.c"
if command -v nm >/dev/null && $CC -fno-builtin -rdynamic -o "$work/own" "$work/own.c" 2>/dev/null; then
	refuses "objects: a program with its own malloc" 1 "own has a malloc of its own" --objects "$work/own"
else
	tap_skip "objects: a program with its own malloc" "no nm, or $CC does not link one"
fi
echo 'void __asan_init(void); int main(void) { __asan_init(); return 0; }' >"$work/asan.c"
echo 'void __asan_init(void) {}' >"$work/libasan.c"
if command -v nm >/dev/null && $CC -shared -fPIC -o "$work/libasan.so" "$work/libasan.c" 2>/dev/null &&
	$CC -o "$work/asan" "$work/asan.c" "$work/libasan.so" 2>/dev/null; then
	refuses "objects: a program with AddressSanitizer" 1 "asan is built with AddressSanitizer" --objects "$work/asan"
else
	tap_skip "objects: a program with AddressSanitizer" "no nm, or $CC does not link one"
fi
echo 2 >"$PRECIS_SYSROOT/proc/sys/kernel/perf_event_paranoid"
for closed in "0<&-" "1>&-" "2>&-" "0<&- 1>&- 2>&-"; do
	eval 'sh "$script" -q a '"$closed"
	code=$?
	verdict "$closed: perf has all three" test $code -eq 7
done
if test -w /dev/full; then
	sh "$script" --help >/dev/full 2>/dev/null
	code=$?
	verdict "help that cannot be written fails" test $code -ne 0
else
	tap_skip "help that cannot be written fails" "no /dev/full"
fi

tap_done
