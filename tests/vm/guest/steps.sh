# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# For scenarios: source it. Each step is logged with its exit status and, where the model is
# loaded, with what it has counted since the step before. The lines that begin with '@' are what
# the host checks:
#
#   @step NAME rc=STATUS
#   @nmis NAME NUMBER       the non-maskable interrupts that the kernel counted meanwhile
#   @counts NAME LINE...    of /proc/precis_model/counts, for that step alone
#   @known NAME LOW HIGH ROW  of an estimate (below): between what the exact share in that row of
#                           precis report's key figures must lie
#
# A scenario is a file guest/scenario_NAME.sh. Its head declares, in lines of these forms, which runs
# check-vm makes of it and what it lets judge them:
#
#   #: run RUN MACHINE [NODES]  a guest with that row of model/machines.def as its CPU, or as many as
#                               it is to have NUMA nodes, or NODESxCPUS, as many on each; what it
#                               leaves in /out comes into the build tree's vm-check/RUN
#   #: check CHECK RUN...       checks/CHECK with these directories as its arguments
#
# With "long" before "run" or "check" check-vm --long has it alone, and with "recordings" make
# recordings; with "papi", also behind "long", that is so where there is a PAPI tree with the component; with
# "few" or "full", where few repetitions are wanted (PRECIS_FEW_REPETITIONS) or are not.

failed=0
model=/proc/precis_model
sysctl=/proc/sys/kernel

# Of all CPUs
nmis() {
	awk '$1 == "NMI:" { n = 0; for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i; print n }' /proc/interrupts
}

# step NAME COMMAND...
step() {
	name=$1
	shift
	echo "=== $name: $*"
	test ! -e $model/reset || echo 1 >$model/reset
	before=$(nmis)
	"$@" 2>&1
	status=$?
	echo "@step $name rc=$status"
	echo "@nmis $name $(($(nmis) - before))"
	test $status = 0 || failed=1
	test ! -e $model/counts || sed "s/^/@counts $name /" $model/counts
}

# word NAME: precis.NAME of the kernel's command line; commas in it are spaces
word() {
	sed -n "s/.*\\bprecis.$1=\\([^ ]*\\).*/\\1/p" /proc/cmdline | tr , ' '
}

# record NAME OPTION... -- COMMAND...: a step that records into /out/NAME.data
record() {
	file=$1
	shift
	step "$file" perf record -q -N -o "/out/$file.data" "$@"
}

# estimate NAME SEEDS LOW HIGH ROW COMMAND...: a step that records ops and fetches into /out/NAME.data
# while it runs the command so many times, each with another seed of the sampling; after each run the
# exact totals go to /out/NAME.truth, at the end the exact distributions to /out/NAME.histograms.
# Between LOW and HIGH lies the exact share in that row of the key figures (-: nothing is known).
estimate() {
	file=$1
	known="$3 $4 $5"
	sample "$1" "$2" -e ibs_op/cnt_ctl=1,period=144/ -e ibs_fetch/rand_en=1,period=64/ -- \
		"$(shift 5 && echo "$@")"
	echo "@known $file $known"
	cat $model/histograms >"/out/$file.histograms"
}

# sample NAME SEEDS OPTION... -- COMMAND: likewise with these events, and without the distributions.
# COMMAND is one word with all that it has. With TOTALS set see seeds.sh.
sample() {
	file=$1
	seeds=$2
	shift 2
	options=
	while test "$1" != --; do
		options="$options $1"
		shift
	done
	# shellcheck disable=SC2086 # their words
	step "$file" perf record -q -N -o "/out/$file.data" $options --raw-samples -a -- \
		sh /scenarios/seeds.sh "/out/$file.truth" "$seeds" $2
}

# at_rate RATE STEP...: the kernel throttles events that have more samples a second
at_rate() {
	usual=$(cat $sysctl/perf_event_max_sample_rate)
	echo 99 >$sysctl/perf_cpu_time_max_percent # 0 forbids to set the rate
	echo "$1" >$sysctl/perf_event_max_sample_rate
	shift
	"$@"
	echo "$usual" >$sysctl/perf_event_max_sample_rate
	echo 0 >$sysctl/perf_cpu_time_max_percent
}

# all_cpus: starts those that the kernel was told to leave (run-vm --nodes). Before a module is loaded.
all_cpus() {
	online_cpus || failed=1
}

# load MODULE [PARAMETER...]
load() {
	echo "=== insmod $*"
	module=$1
	shift
	insmod "/modules/$module.ko" "$@" || failed=1
}

# refuse WORDS MODULE PARAMETER...: the module does not let itself be loaded, and WORDS says why
refuse() {
	echo "=== insmod $*"
	words=$1
	module=$2
	shift 2
	if insmod "/modules/$module.ko" "$@"; then
		echo "$module was loaded"
		failed=1
	fi
	# Also so that init does not find it
	dmesg -c >/tmp/dmesg
	cat /tmp/dmesg >>/out/dmesg-refused.txt
	grep -F "$words" /tmp/dmesg || failed=1
}

unload() {
	rmmod "$1" || failed=1
}

scenario_done() {
	echo "@uptime $(cut -d ' ' -f 1 /proc/uptime)"
	exit $failed
}
