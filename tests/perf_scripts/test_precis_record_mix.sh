#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# precis-record --mix on machines that are made up: both events of each core that they are known of. That
# stock perf takes these events, with their periods and branch stacks, it says itself: it is given the sysfs
# of such a machine.

. "$srcdir/tests/support/tap.sh"
. "$srcdir/tests/perf_scripts/machines.sh"

devices=$PRECIS_SYSROOT/sys/bus/event_source/devices

# core PMU NAME [BRANCHES]: a PMU of that name; how many branches its records have
core() {
	mkdir -p "$devices/$1/caps" "$devices/$1/format" "$devices/$1/events"
	printf '%s\n' "$2" >"$devices/$1/caps/pmu_name"
	test -z "${3-}" || printf '%s\n' "$3" >"$devices/$1/caps/branches"
	echo "config:0-7" >"$devices/$1/format/event"
	echo "config:8-15" >"$devices/$1/format/umask"
	echo 4 >"$devices/$1/type"
	echo 0 >"$devices/$1/cpus"
}

# prints NAME EXPECTED ARGUMENT...: the dry run's command, after "perf record"
prints() {
	name=$1 expected=$2
	shift 2
	run -n "$@"
	verdict "$name" test "$code:$out" = "0:$PERF record $expected"
}

# --- Intel: each row ---

while read -r pmu name instructions branches; do
	machine GenuineIntel "" 6.6.0 2 $ALL
	core "$pmu" "$name" 32
	expected="-e $pmu/${instructions%/*},period=10000019/${instructions##*/} "
	test "$instructions" != - || expected=
	expected="$expected-e $pmu/${branches%/*},period=1000037,branch_type=any/${branches##*/} -- a"
	prints "$pmu $name" "$expected" --mix a
done <<'END'
cpu sandybridge - event=0xc4,umask=0x20/pp
cpu ivybridge event=0xc0,umask=0x01/pp event=0xc4,umask=0x20/pp
cpu haswell event=0xc0,umask=0x01/pp event=0xc4,umask=0x20/pp
cpu broadwell event=0xc0,umask=0x01/pp event=0xc4,umask=0x20/pp
cpu skylake event=0xc0,umask=0x01/pp event=0xc4,umask=0x20/pp
cpu icelake event=0xc0/ppp event=0xc4,umask=0x20/pp
cpu sapphire_rapids event=0xc0/ppp event=0xc4,umask=0x20/pp
cpu granite_rapids event=0xc0/ppp event=0xc4,umask=0x20/pp
cpu_core alderlake_hybrid event=0xc0/ppp event=0xc4,umask=0x20/pp
cpu_core meteorlake_hybrid event=0xc0/ppp event=0xc4,umask=0x20/pp
cpu_core lunarlake_hybrid event=0xc0/ppp event=0xc4,umask=0x20/pp
cpu goldmont event=0xc0/pp event=0xc4,umask=0x80/pp
cpu goldmont_plus event=0xc0/ppp event=0xc4,umask=0x80/pp
cpu gracemont event=0xc0/ppp event=0xc4,umask=0xc0/pp
cpu crestmont event=0xc0/ppp event=0xc4,umask=0xc0/pp
cpu_atom alderlake_hybrid event=0xc0/ppp event=0xc4,umask=0xc0/pp
cpu_atom meteorlake_hybrid event=0xc0/ppp event=0xc4,umask=0xc0/pp
cpu_atom lunarlake_hybrid event=0xc0/ppp event=0xc4,umask=0xc0/pp
END

machine GenuineIntel "" 6.6.0 2 $ALL
core cpu skylake 32
skylake() {
	echo "-e cpu/event=0xc0,umask=0x01,period=$1/$3 -e cpu/event=0xc4,umask=0x20,period=$2,branch_type=any/$3"
}
prints "a run of seconds" "$(skylake 1000037 100003 pp) -- a" --mix=seconds a
prints "a run of a minute" "$(skylake 10000019 1000037 pp) -- a" --mix=minute a
prints "a run of minutes" "$(skylake 100000007 10000019 pp) -- a" --mix=minutes a
prints "user mode alone" "$(skylake 10000019 1000037 ppu) -- a" --mix -u a
prints "the whole machine, a file" "$(skylake 10000019 1000037 pp) -o x -a -- a" --mix -a -o x a
run --mix a
verdict "perf is run, and what comes next is said" \
	eval 'test "$code:$out" = "7:called: record $(skylake 10000019 1000037 pp) -- a" && says "then: precis mix"'

machine GenuineIntel "" 6.6.0 2 $ALL
core cpu_core alderlake_hybrid 32
core cpu_atom alderlake_hybrid 32
prints "both kinds of core of a hybrid CPU" "-e cpu_core/event=0xc0,period=10000019/ppp \
-e cpu_core/event=0xc4,umask=0x20,period=1000037,branch_type=any/pp -e cpu_atom/event=0xc0,period=10000019/ppp \
-e cpu_atom/event=0xc4,umask=0xc0,period=1000037,branch_type=any/pp -- a" --mix a

# --- Intel: what is missing ---

machine GenuineIntel hypervisor 6.6.0 2 $ALL
core cpu skylake
prints "no LBR: instructions alone" "-e cpu/event=0xc0,umask=0x01,period=10000019/pp -- a" --mix a
verdict "which is said" says "cpu has no branch records (LBR): instruction samples alone"
machine GenuineIntel "" 6.6.0 2 $ALL
core cpu sandybridge 16
run -n --mix a
verdict "Sandy Bridge: branches alone, which is said" \
	says "cannot sample instructions beside branches: branch stacks alone"
machine GenuineIntel "" 6.6.0 2 $ALL
core cpu nehalem 16
refuses "a core that has no such events" 1 "'nehalem'" --mix a
verdict "is refused" says "no events that a mix can be made of"
machine GenuineIntel hypervisor 6.6.0 2 $ALL
refuses "a virtual machine without a PMU" 1 "neither cpu nor cpu_core" --mix a
verdict "and where to record" says "record on the host"

# --- AMD ---

ops="-e ibs_op/cnt_ctl=1,period=10000112/"
zen4 6.6.0 2 $ALL
core cpu '' 16
prints "Zen 4, no freeze: branches of user mode" \
	"--raw-samples $ops -e cpu/event=0xc4,period=1000037,branch_type=any/u -- a" --mix a
verdict "which is said" says "those of user mode alone"
machine AuthenticAMD "ibs amd_lbr_v2 amd_lbr_pmc_freeze" 6.12.0 2 $ALL ibs_op/cnt_ctl ibs_op/swfilt
core cpu '' 16
prints "Zen 4 with freeze" "--raw-samples $ops -e cpu/event=0xc4,period=1000037,branch_type=any/ -- a" --mix a
verdict "of which nothing need be said" test -z "$err"
prints "and user mode alone" "--raw-samples -e ibs_op/cnt_ctl=1,period=1000112,swfilt=1/u \
-e cpu/event=0xc4,period=100003,branch_type=any/u -- a" --mix=seconds -u a
prints "minutes" "--raw-samples -e ibs_op/cnt_ctl=1,period=100000144/ \
-e cpu/event=0xc4,period=10000019,branch_type=any/ -- a" --mix=minutes a
machine AuthenticAMD "ibs brs" 6.6.0 2 $ALL ibs_op/cnt_ctl
core cpu '' 16
intel cpu branch-brs
prints "Zen 3: BRS" "--raw-samples $ops -e cpu/branch-brs,period=1000037,branch_type=any/ -- a" --mix a
machine AuthenticAMD ibs 6.6.0 2 $ALL ibs_op/cnt_ctl
core cpu ''
prints "Zen 2: ops alone" "--raw-samples $ops -- a" --mix a
verdict "which is said" says "instruction samples alone are recorded"
machine AuthenticAMD "hypervisor amd_lbr_v2 amd_lbr_pmc_freeze" 6.12.0 2 $ALL
core cpu '' 16
prints "no IBS: branches alone" "-e cpu/event=0xc4,period=1000037,branch_type=any/ -- a" --mix a
verdict "which is said" says "there is no IBS here: branch stacks alone"
machine AuthenticAMD hypervisor 6.12.0 2 $ALL
refuses "neither" 1 "hypervisor does not offer IBS" --mix a
machine AuthenticAMD ibs 6.6.0 2 $ALL ibs_op/rand_en
refuses "IBS that cannot count ops" 1 "no 'cnt_ctl'" --mix a
zen4 6.1.0 2 $ALL
core cpu '' 16
run -n --mix a
verdict "before 6.2: the whole machine" eval 'case $out in *" -a -- a") ;; *) false ;; esac'
machine CentaurHauls "" 6.6.0 2 $ALL
refuses "neither AMD nor Intel" 1 "its vendor is CentaurHauls" --mix a

# --- wrong usage ---

zen4 6.6.0 2 $ALL
refuses "a run of hours" 2 "seconds, minute, minutes, not 'hours'" --mix=hours a
refuses "events of one's own" 2 "not with --fetch" --mix --fetch a
refuses "a latency" 2 "not with --ldlat" --mix --ldlat 128 a
refuses "a period" 2 "not --period" --mix -c 1600 a
echo 2 >"$PRECIS_SYSROOT/proc/sys/kernel/perf_event_paranoid"
machine GenuineIntel "" 6.6.0 2 $NONE
core cpu skylake 32
refuses "the kernel without privileges" 1 "or: --user" --mix a

# --- stock perf ---

if ! perf record --help >/dev/null 2>&1; then
	tap_skip "stock perf takes these events" "no perf"
	tap_done
	exit
fi
cat >"$work/stock" <<'END'
#!/bin/sh
shift
SYSFS_PATH=$PRECIS_SYSROOT/sys exec perf record --dry-run "$@"
END
chmod +x "$work/stock"
PERF=$work/stock

# takes NAME: perf does, and would not if it were another option
takes() {
	run -q --mix -o "$work/none" true
	verdict "stock perf takes the events of $1" test "$code" = 0
	sed 's/branch_type=any/branch_type=many/; s/cnt_ctl/cnt_cdl/' "$script" >"$work/wrong"
	out=$(sh "$work/wrong" -q --mix -o "$work/none" true 2>"$work/err")
	code=$?
	verdict "and no others, of $1" test "$code" != 0
}

machine GenuineIntel "" 6.6.0 2 $ALL
core cpu skylake 32
takes Skylake
machine GenuineIntel "" 6.6.0 2 $ALL
core cpu_core alderlake_hybrid 32
core cpu_atom alderlake_hybrid 32
takes "Alder Lake"
machine AuthenticAMD "ibs brs" 6.6.0 2 $ALL ibs_op/cnt_ctl
core ibs_op ''
echo config:19 >"$devices/ibs_op/format/cnt_ctl"
core cpu '' 16
echo event=0xc4 >"$devices/cpu/events/branch-brs"
takes "Zen 3"

tap_done
