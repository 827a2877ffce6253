# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Workloads of known behaviour, each with 100 seeds of the sampling: for shares, means and percentiles
# that are estimated from samples, to be compared with the exact ones.
#: run estimates zen4
#: check check_counts.py estimates
#: check check_estimates.py estimates
#: check check_bias.py estimates
. /scenarios/steps.sh

seeds=100
test -z "$(word few)" || seeds=40

load precis_ibs_host
estimate l1_misses $seeds 0.96 1 "loads that miss the L1" chase 131072 64 1300
estimate page_walks $seeds 0.98 1 "accesses that walk page tables" chase 52428800 524288 1300
estimate mispredictions $seeds 0.15 0.25 "branches mispredicted" branches 2 800
unload precis_ibs_host
scenario_done
