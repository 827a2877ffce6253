# SPDX-License-Identifier: BSD-3-Clause
# Intel's load latency, stores and other precise events, through PAPI and recorded by stock perf: of
# the machine that there is, Skylake or Sapphire Rapids.
. /scenarios/steps.sh

work="papi_samples -r 2 precis:::SW_PAGE_FAULTS"

# samples NAME [OPTION...] EVENT
samples() {
	name=$1
	shift
	step "$name" papi_samples "$@"
}

# record NAME OPTION...: into /out/NAME.data
record() {
	file=$1
	shift
	step "$file" perf record -q -N -o "/out/$file.data" "$@" -- $work
}

load precis_cpu_host
step list papi_native_avail -i precis
for mode in batch watermark thread sample overflow; do
	samples papi-loads-$mode -m $mode -p 100 -r 1 precis:::MEM_LOADS:ldlat=30
	samples papi-loads-$mode-threads -m $mode -n 4 -p 400 -r 1 precis:::MEM_LOADS:ldlat=30
done
samples papi-slow-loads -p 10 -r 1 precis:::MEM_LOADS:ldlat=200
samples papi-stores -p 100 -r 1 precis:::MEM_STORES
samples papi-instructions -p 100 -r 1 precis:::INST_RETIRED_PREC
samples papi-by-libpfm4 -p 100 -r 1 precis:::MEM_LOAD_RETIRED:L1_MISS
samples papi-by-alias -m sample -p 100 -r 1 precis:::MEM_LOADS_RETIRED
step command papi_command_line precis:::MEM_LOADS precis:::MEM_STORES

loads=cpu/mem-loads,ldlat=30/P
if test -e /sys/bus/event_source/devices/cpu/events/mem-loads-aux; then
	step alone sh -c "! perf record -q -o /tmp/alone.data -e $loads -d -c 100 -- true"
	loads="{cpu/mem-loads-aux/,$loads}:S"
fi
record loads -e "$loads" -d -W -c 100
record stores -e cpu/mem-stores/P -d -W -c 100
step mem perf mem record -o /out/mem.data -- $work
step c2c perf c2c record -o /out/c2c.data -- $work
unload precis_cpu_host
scenario_done
