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

# of_fetches NAME METRIC PARAMETER=VALUE...
of_fetches() {
	which=$1 by=$2
	shift 2
	fault "$which" "$by" ibs_fetch_lines jumps fetch=1 "$@"
}

load $module per_task=1 trace_events=1
bench none ibs_fetch_lines jumps
of_fetches bank bias bank=500
of_fetches skid_1 skid_1 skid=200 skid_by=1
of_fetches skid_2 skid_2 skid=200 skid_by=2
of_fetches skid_3 skid_more skid=200 skid_by=3
of_fetches off_by_one wrong_rate off_by_one=50
of_fetches wrong_mode error wrong_mode=300
of_fetches silent unexplained silent=300
of_fetches lost lost lost=50
of_fetches unscheduled unscheduled unscheduled=3
of_fetches extra error extra=20
of_fetches not_random bias not_random=1
at_rate 100 of_fetches throttled throttled
unload $module
scenario_done
