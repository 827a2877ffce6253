# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# precis bench, as it is installed, on sampling with one fault or none: what it says of it is judged by
# check_faults.py. Runs are short, since each instruction is an exception here: faults are large, and so are
# the bounds of what has chance in it, unless precis.samples=N says that a run has so many samples that the
# bounds of precis bench will do. precis.seeds=FIRST,LAST: which seeds of the sampling. precis.faults=NAME,...:
# these faults alone; none: without one.
#: precis
#: run faults zen4 1 precis.seeds=1,2
#: check check_faults.py faults
#: faults run faults-1 zen4 1 precis.seeds=1,25
#: faults run faults-2 zen4 1 precis.seeds=26,50
#: faults run faults-3 zen4 1 precis.seeds=51,75
#: faults run faults-4 zen4 1 precis.seeds=76,100
#: faults check check_faults.py faults-1 faults-2 faults-3 faults-4
. /scenarios/steps.sh

parameters=/sys/module/precis_ibs_host/parameters
seeds=$(word seeds)
samples=$(word samples)
samples=${samples:-100}
chosen=" $(word faults) "
bounds=
test "$samples" -ge 5000 || bounds="--bound error=5 --bound unexplained=5"

is_chosen() {
	test "$chosen" = "  " || test "${chosen#* "$1" }" != "$chosen"
}

# bench NAME EVENTS KERNEL: with the seeds, and what is set
bench() {
	# shellcheck disable=SC2086 # words
	step "$1" sh /scenarios/bench_seeds.sh "/out/$1" $seeds --events "$2" --kernels "$3" \
		--periods 144 --samples "$samples" $bounds
}

# fault NAME METRIC EVENT KERNEL PARAMETER=VALUE...: the metric of that event that is to name the fault
fault() {
	name=$1 event=$3 kernel=$4
	is_chosen "$name" || return
	echo "@fault $1 $2 $3 $4"
	shift 4
	for setting; do
		echo "${setting#*=}" >"$parameters/fault_${setting%%=*}"
	done
	bench "$name" "$event" "$kernel"
	for setting; do
		echo 0 >"$parameters/fault_${setting%%=*}"
	done
}

load precis_ibs_host per_task=1 trace_events=1
# Of 20 ops one is a miss: the others are in the ring, too, which must not overflow.
! is_chosen misses || step misses precis bench --check --metrics lost,wrong_rate --events ibs_l1_misses \
	--kernels chase20 --periods 144 --samples 100
! is_chosen none || bench none ibs_op,ibs_loads loads4
fault tag_bias bias ibs_op loads4 tag_bias=300
fault shadow bias ibs_op chase20 shadow=300
fault skid_1 skid_1 ibs_loads loads4 skid=200 skid_by=1
fault skid_2 skid_2 ibs_loads loads4 skid=200 skid_by=2
fault skid_3 skid_more ibs_loads loads4 skid=200 skid_by=3
fault off_by_one wrong_rate ibs_op loads4 off_by_one=50
fault wrong_mode error ibs_op loads4 wrong_mode=300
fault silent unexplained ibs_op loads4 silent=300
fault lost lost ibs_op loads4 lost=50
fault unscheduled unscheduled ibs_op loads4 unscheduled=3
fault extra error ibs_op loads4 extra=20
fault not_random independence ibs_op alu20 not_random=1
at_rate 1000 fault throttled throttled ibs_op loads4
unload precis_ibs_host
scenario_done
