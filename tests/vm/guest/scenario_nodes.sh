# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Two NUMA nodes with a CPU each: which node a CPU and which node the data is on.
#: long run nodes zen4 2
#: long check check_counts.py nodes
#: long check check_nodes.py nodes
. /scenarios/steps.sh

all_cpus
load precis_ibs_host
export TOTALS
TOTALS=/out/nodes.totals
sample nodes 40 -e ibs_op/cnt_ctl=1,period=144/ --phys-data -- "nodes 40"
unload precis_ibs_host
scenario_done
