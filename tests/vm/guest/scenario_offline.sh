# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# precis bench --cpu with a CPU that is offline, that is there, and that goes offline in the middle of it. Page
# faults need no PMU.
#: precis
#: long run offline zen4 2
#: long check check_offline.py offline
. /scenarios/steps.sh

cpu=/sys/devices/system/cpu/cpu1/online

# bench NAME RUNS
bench() {
	precis bench --format json -o "/out/$1.json" --events minor_faults --cpu 1 --runs "$2" --samples 500
}

# Some runs are on the CPU before, and some follow: the check looks whether that is so, and it is so each time.
vanishes() {
	bench vanishes 100 &
	sleep 2
	echo 0 >$cpu
	wait $!
	cat /proc/uptime
}

step absent bench absent 5
all_cpus
step there bench there 5
step vanishes vanishes
step gone bench gone 5
scenario_done
