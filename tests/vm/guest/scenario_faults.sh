# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# precis bench, as it is installed, on IBS' ops with one fault or none: what it says of it is judged by
# check_faults.py.
#: precis
#: run faults zen4 1 precis.seeds=1,1
#: check check_faults.py faults
#: faults run faults-1 zen4 1 precis.seeds=1,25
#: faults run faults-2 zen4 1 precis.seeds=26,50
#: faults run faults-3 zen4 1 precis.seeds=51,75
#: faults run faults-4 zen4 1 precis.seeds=76,100
#: faults check check_faults.py faults-1 faults-2 faults-3 faults-4
. /scenarios/steps.sh

module=precis_ibs_host
export bounds="--bound error=5 --bound unexplained=5"
. /scenarios/faults.sh

load $module per_task=1 trace_events=1
# Of 20 ops one is a miss: the others are in the ring, too, which must not overflow.
! is_chosen misses || step misses precis bench --check --metrics lost,wrong_rate --events ibs_l1_misses \
	--kernels chase20 --periods 144 --samples 100
bench none ibs_op,ibs_loads loads4
fault tag_bias bias ibs_op loads4 tag_bias=300
fault shadow bias ibs_op chase20 shadow=300
fault wrong_mode error ibs_op loads4 wrong_mode=300
fault not_random independence ibs_op alu20 not_random=1
wrong_instructions ibs_loads loads4
wrong_samples ibs_op loads4
throttled 1000 ibs_op loads4
unload $module
scenario_done
