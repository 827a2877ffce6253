# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Loops whose turn is as long as the sampling period, or not. The counter of ops starts at a random number
# below 128, so that the period is 64 ops shorter in the mean; that of cycles starts at 0, and whatever a
# turn takes, after some periods samples are at the same places again.
#: long run in_step zen4
#: long check check_counts.py in_step
#: long check check_in_step.py in_step
. /scenarios/steps.sh

load precis_ibs_host
sample ops_together 20 -e ibs_op/cnt_ctl=1,period=512/ -- "turns 448 150 300"
sample ops_apart 20 -e ibs_op/cnt_ctl=1,period=512/ -- "turns 61 20 730"
sample cycles_together 20 -e ibs_op/cnt_ctl=0,period=384/ -- "turns 384 128 200"
sample cycles_locked 20 -e ibs_op/cnt_ctl=0,period=400/ -- "turns 97 32 1300"
unload precis_ibs_host
scenario_done
