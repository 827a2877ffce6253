# SPDX-License-Identifier: BSD-3-Clause
# For scenarios: source it. Each step is logged with its exit status and, where the model is
# loaded, with what it has counted since the step before. The lines that begin with '@' are what
# the host checks:
#
#   @step NAME rc=STATUS
#   @nmis NAME NUMBER       the non-maskable interrupts that the kernel counted meanwhile
#   @counts NAME LINE...    of /proc/precis_model/counts, for that step alone

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
