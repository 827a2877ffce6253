# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# The kernel's IBS driver and stock perf, in what they can do together.
#: run amd zen4
#: full run amd-again zen4
#: check check_counts.py amd
#: check check_fields.py amd
#: check check_words.py amd
#: check check_known.py amd
#: check check_tools.py amd
#: full check check_same.py amd amd-again
. /scenarios/steps.sh

refuse "more registers than this driver has room for" precis_ibs_host caps=0x7ff
refuse "this CPU has another family or model" precis_ibs_host machine=zen2
refuse "no such machine" precis_ibs_host machine=zen0
refuse "step or timer" precis_ibs_host clock=stopped
load precis_ibs_host
(cd /sys/bus/event_source/devices && grep -r . ibs_*/type ibs_*/format ibs_*/caps)

record op -e ibs_op// --raw-samples -c 4096 -a -- mix 1 3000
record fetch -e ibs_fetch/rand_en=1/ --raw-samples -c 256 -a -- mix 1 3000
record both -e ibs_op/cnt_ctl=1/ -e ibs_fetch// --raw-samples -c 512 -a -g -- mix 1 3000
record threads -e ibs_op/cnt_ctl=1/ --raw-samples -c 512 -a -d -W --phys-data -- mix 3 2000
record frequency -e ibs_op/cnt_ctl=1/ --raw-samples -F 2000 -a -- mix 1 3000
record l3missonly -e ibs_op/cnt_ctl=1,l3missonly=1/ --raw-samples -c 32 -a -- mix 1 3000
record long_period -e ibs_op/cnt_ctl=1/ --raw-samples -c 70000 -a -- branches 2 30000
for workload in "chase 1048576 64 12000" "stream 65536 8000" "branches 0 6000"; do
	# shellcheck disable=SC2086 # a workload with its parameters
	record "${workload%% *}" -e ibs_op/cnt_ctl=1/ --raw-samples -c 512 -a -- $workload
	cat "$model/totals" >"/out/${workload%% *}.totals"
done
for seed in 2 1; do
	echo "$seed" >"$model/seed"
	record seed_$seed -e ibs_op/cnt_ctl=1/ --raw-samples -c 512 -a -- branches 0 6000
done
step mem perf mem record -o /out/mem.data -a -c 8192 -- chase 1048576 64 12000
step c2c perf c2c record -o /out/c2c.data -a -c 4096 -- mix 2 2000

# A buffer of one page, and a workload that does not let perf run to empty it
record lost -e ibs_op/cnt_ctl=1/ --raw-samples -m 1 -c 64 -a -- greedy 3 4000
at_rate 1000 record throttled -e ibs_op/cnt_ctl=1/ --raw-samples -c 64 -a -- mix 1 3000
unload precis_ibs_host

# What the driver of 6.1 refuses, unless it is made to take it
load precis_ibs_host
step no_task sh -c '! perf record -q -o /dev/null -e ibs_op// -- true'
unload precis_ibs_host
load precis_ibs_host per_task=1
record task -e ibs_op/cnt_ctl=1/ --raw-samples -c 512 -- mix 2 2000
record thread --per-thread -e ibs_op/cnt_ctl=1/ --raw-samples -c 512 -d -- chase 65536 64 12000
unload precis_ibs_host

# Everything that runs, the kernel too
load precis_ibs_host clock=timer
record timer -e ibs_op/period=131072/ -e ibs_fetch/period=100000/ --raw-samples -a -g -- \
	mix 1 300000
unload precis_ibs_host

load precis_ibs_host nmi=0
record call -e ibs_op/cnt_ctl=1/ --raw-samples -c 1024 -a -- mix 1 2000
unload precis_ibs_host
scenario_done
