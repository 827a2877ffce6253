# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# PAPI with the component, which raises a period to keep to its max_overhead: what shares are then.
#: long papi run overhead zen4
#: long papi check check_counts.py overhead
#: long papi check check_overhead.py overhead
. /scenarios/steps.sh

load precis_ibs_host per_task=1
step overhead sh /scenarios/seeds.sh /out/overhead.truth 100 papi_overhead /out/overhead.results
unload precis_ibs_host
scenario_done
