# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# PAPI with the component, on the IBS of the kernel's own driver: which samples arrive, in each
# mode of delivery; and what is said where nothing can.
#: papi run papi zen4
#: papi check check_papi.py papi
. /scenarios/steps.sh

refused() {
	! "$@"
}

# samples NAME [OPTION...] EVENT
samples() {
	name=$1
	shift
	step "$name" papi_samples "$@"
}

load precis_ibs_host
step components papi_component_avail
step list papi_native_avail -i precis

# This kernel's driver takes whole CPUs only.
step refused-thread refused papi_samples precis:::IBS_OP_UOPS
step refused-domain refused papi_samples -u -c 0 precis:::IBS_OP_UOPS
echo 2 >/proc/sys/kernel/perf_event_paranoid
step refused-user refused papi_samples -U -c 0 precis:::IBS_OP_UOPS
echo -1 >/proc/sys/kernel/perf_event_paranoid
step refused-signal refused papi_samples -c 0 -m sample precis:::IBS_OP_UOPS
samples cpu-batch -c 0 -p 2000 -r 2 precis:::IBS_OP_UOPS
samples cpu-batch-threads -c 0 -n 4 -p 2000 -r 1 precis:::IBS_OP_UOPS
samples cpu-thread -c 0 -m thread -p 2000 -r 2 precis:::IBS_OP_CYCLES
samples cpu-fetch -c 0 -p 64 -r 8 precis:::IBS_FETCH
samples cpu-lost -c 0 -p 160 -r 2 -b 4096 precis:::IBS_OP_UOPS
samples cpu-count -c 0 -m count -r 2 precis:::IBS_OP_CYCLES
step command papi_command_line precis:::SW_PAGE_FAULTS
unload precis_ibs_host

# As newer drivers do: threads, and with them signals.
load precis_ibs_host per_task=1
for mode in batch watermark thread sample overflow; do
	samples task-$mode -m $mode -p 2000 -r 2 precis:::IBS_OP_UOPS
	samples task-$mode-threads -m $mode -n 4 -p 2000 -r 1 precis:::IBS_OP_UOPS
done
samples task-fetch -m overflow -p 64 -r 8 precis:::IBS_FETCH
at_rate 1000 samples task-throttled -p 160 -r 2 precis:::IBS_OP_UOPS
unload precis_ibs_host

# An IBS with less than Zen 4's
load precis_ibs_host caps=0x3ff
step list-older papi_native_avail -i precis
unload precis_ibs_host
scenario_done
