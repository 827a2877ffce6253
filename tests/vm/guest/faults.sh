# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# For scenarios of sampling with faults on purpose: source it after steps.sh, with 'module' being the one that
# has the faults, and 'bounds' what precis bench is told of bounds where samples are few, 100 or 'few'. Runs are
# short, since each instruction is an exception here: faults are large, and so are the bounds of what has
# chance in it.
# Words of the kernel's command line, which check-vm --faults gives:
#
#   precis.seeds=FIRST,LAST    which seeds of the sampling
#   precis.samples=N           in a run, in place of few; of 5000 the bounds of precis bench will do
#   precis.faults=NAME,...     these faults alone; none: without one
#
# The lines '@fault NAME METRIC EVENT KERNEL' say which metric is to name the fault (checks/check_faults.py).
#
# A scenario has what is its sampling's own: of which events, which metric names the wrong mode, what there is
# besides. What all have stands below, once.

parameters=/sys/module/$module/parameters
seeds=$(word seeds)
samples=$(word samples)
samples=${samples:-${few:-100}}
chosen=" $(word faults) "
test "$samples" -lt 5000 || bounds=

is_chosen() {
	test "$chosen" = "  " || test "${chosen#* "$1" }" != "$chosen"
}

# bench NAME EVENTS KERNEL: with the seeds, and what is set
bench() {
	! is_chosen "$1" || {
		# shellcheck disable=SC2086 # words
		step "$1" sh /scenarios/bench_seeds.sh "/out/$1" $seeds --events "$2" --kernels "$3" \
			--samples "$samples" $bounds
	}
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

# The same of what any sampling may do wrong, with that event, that kernel, and these parameters besides

# wrong_instructions EVENT KERNEL [PARAMETER=VALUE...]
wrong_instructions() {
	fault skid_1 skid_1 "$@" skid=200 skid_by=1
	fault skid_2 skid_2 "$@" skid=200 skid_by=2
	fault skid_3 skid_more "$@" skid=200 skid_by=3
}

# wrong_samples EVENT KERNEL [PARAMETER=VALUE...]: that name no instruction, are missing, or are too many
wrong_samples() {
	fault off_by_one wrong_rate "$@" off_by_one=50
	fault silent unexplained "$@" silent=300
	fault lost lost "$@" lost=50
	fault unscheduled unscheduled "$@" unscheduled=3
	fault extra error "$@" extra=20
}

# throttled RATE EVENT KERNEL [PARAMETER=VALUE...]: the kernel's own limit, of so many samples a second
throttled() {
	rate=$1
	shift
	at_rate "$rate" fault throttled throttled "$@"
}
