# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# A little of everything on a core that has everything often: each place that data comes from, each
# kind of translation, and every bit of a latency.
#: run variety zen4
#: check check_counts.py variety
#: check check_estimates.py variety
#: check check_bias.py variety
. /scenarios/steps.sh

load precis_ibs_host machine=zen4_patterns
estimate variety 100 0 1 - variety 36
unload precis_ibs_host
scenario_done
