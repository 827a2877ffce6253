# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# The same of IBS' fetches, of which precis bench knows how many there are where jumps lead into each line of
# code. A sample stands for more than 500 instructions, so that runs have fewer.
#: precis
#: run fetch-faults zen4 1 precis.seeds=1,1
#: check check_faults.py fetch-faults
#: faults run fetch-faults-1 zen4 1 precis.seeds=1,25
#: faults run fetch-faults-2 zen4 1 precis.seeds=26,50
#: faults run fetch-faults-3 zen4 1 precis.seeds=51,75
#: faults run fetch-faults-4 zen4 1 precis.seeds=76,100
#: faults check check_faults.py fetch-faults-1 fetch-faults-2 fetch-faults-3 fetch-faults-4
. /scenarios/steps.sh

module=precis_ibs_host
export bounds="--bound error=5 --bound unexplained=5" few=60
. /scenarios/faults.sh

load $module per_task=1 trace_events=1
bench none ibs_fetch_lines jumps
fault bank bias ibs_fetch_lines jumps fetch=1 bank=500
fault wrong_mode error ibs_fetch_lines jumps fetch=1 wrong_mode=300
fault not_random bias ibs_fetch_lines jumps fetch=1 not_random=1
wrong_instructions ibs_fetch_lines jumps fetch=1
wrong_samples ibs_fetch_lines jumps fetch=1
throttled 100 ibs_fetch_lines jumps fetch=1
unload $module
scenario_done
