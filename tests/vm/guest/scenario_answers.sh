# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Where the time goes, and whether a change helped: what precis report --by and precis diff answer of
# workloads of which everything is counted, by instruction and thread. Periods are fixed, or the kernel
# chases a frequency.
#: long run answers zen4
#: long check check_counts.py answers
#: long check check_by.py answers
#: long check check_diff.py answers
. /scenarios/steps.sh

load precis_ibs_host
export TOTALS
TOTALS=/out/places.totals
sample places 40 -e ibs_op/cnt_ctl=1,period=144/ -- "mix 2 200"
TOTALS=
sample frequency 100 -e ibs_op/cnt_ctl=1/ -F 20000 -- "branches 2 1500"
sample misses 100 -e ibs_op/cnt_ctl=1,period=144/ -- "chase 131072 64 3000"
sample hits 100 -e ibs_op/cnt_ctl=1,period=144/ -- "chase 16384 64 3000"
unload precis_ibs_host
scenario_done
