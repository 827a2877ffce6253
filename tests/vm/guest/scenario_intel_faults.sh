# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# The same on a PMU like Intel's, with both formats of records: periods are fixed there, so that chance makes
# nothing, and the bounds of precis bench will do.
#: precis
#: run intel-faults skylake 1 precis.seeds=1,1
#: check check_faults.py intel-faults
#: faults run intel-faults-1 skylake 1 precis.seeds=1,25
#: faults run intel-faults-2 skylake 1 precis.seeds=26,50
#: faults run intel-faults-3 sapphire_rapids 1 precis.seeds=51,75
#: faults run intel-faults-4 sapphire_rapids 1 precis.seeds=76,100
#: faults check check_faults.py intel-faults-1 intel-faults-2 intel-faults-3 intel-faults-4
. /scenarios/steps.sh

module=precis_cpu_host
export bounds='' few=60
. /scenarios/faults.sh
export PERIODS=fixed

load $module trace_events=1 trace_kernel=200
bench none pebs_instructions,pebs_loads loads4
# Some of the system calls are stepped in the kernel, and an event is of that alone.
bench none_calls pebs_kernel syscalls
fault user_mode wrong_mode pebs_kernel syscalls user_mode=200
fault tag_bias bias pebs_instructions loads4 tag_bias=300
fault shadow bias pebs_instructions shadow shadow=300
fault wrong_mode wrong_mode pebs_loads loads4 wrong_mode=50
wrong_instructions pebs_loads loads4
wrong_samples pebs_loads loads4
throttled 100 pebs_loads loads4
unload $module
scenario_done
