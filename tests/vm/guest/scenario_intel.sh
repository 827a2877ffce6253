# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Intel's load latency, stores and other precise events, recorded by stock perf and, if it is there,
# through PAPI: of the machine that there is, Skylake or Sapphire Rapids.
#: run intel-skylake skylake
#: run intel-sapphire-rapids sapphire_rapids
#: check check_intel.py intel-skylake
#: check check_intel.py intel-sapphire-rapids
#: check check_tools.py intel-skylake
#: check check_tools.py intel-sapphire-rapids
#: papi check check_papi_intel.py intel-skylake
#: papi check check_papi_intel.py intel-sapphire-rapids
. /scenarios/steps.sh

# samples NAME [OPTION...] EVENT
samples() {
	name=papi-$1
	shift
	step "$name" papi_samples "$@"
}

load precis_cpu_host
loads=cpu/mem-loads,ldlat=30/P
if test -e /sys/bus/event_source/devices/cpu/events/mem-loads-aux; then
	step alone sh -c "! perf record -q -o /tmp/alone.data -e $loads -d -c 100 -- true"
	loads="{cpu/mem-loads-aux/,$loads}"
fi
record loads -e "$loads" -d -W -c 20 -- chase 0x800000 4096 4000
record stores -e cpu/mem-stores/P -d -W -c 100 -- mix 1 2000
# A buffer of one page that is not read while the workload runs: what is lost is counted twice, by the
# buffer and by the event.
record lost -e cpu/mem-stores/P -m 1 -c 4 -- greedy 2 2000
step mem perf mem record -o /out/mem.data -- mix 1 2000
step c2c perf c2c record -o /out/c2c.data -- mix 1 2000

if command -v papi_samples >/dev/null; then
	step list papi_native_avail -i precis
	for mode in batch watermark thread sample overflow; do
		samples loads-$mode -m $mode -p 100 -r 1 precis:::MEM_LOADS:ldlat=30
		samples loads-$mode-threads -m $mode -n 4 -p 400 -r 1 precis:::MEM_LOADS:ldlat=30
	done
	samples many-events -m overflow -p 10 -r 1 -x 40 precis:::MEM_LOADS:ldlat=30
	samples slow-loads -p 10 -r 1 precis:::MEM_LOADS:ldlat=200
	for event in MEM_STORES INST_RETIRED_PREC MEM_LOAD_RETIRED:L1_MISS MEM_LOADS_RETIRED \
		BR_INST_RETIRED:ALL_BRANCHES STLB_MISS_LOADS_RETIRED; do
		samples $event -p 10 -r 1 -m sample precis:::$event
		cat "$model/totals" >"/out/papi-$event.totals"
		samples $event-counted -r 1 -m count precis:::$event
		cat "$model/totals" >"/out/papi-$event-counted.totals"
	done
	step command papi_command_line precis:::MEM_LOADS precis:::MEM_STORES
fi
unload precis_cpu_host
scenario_done
