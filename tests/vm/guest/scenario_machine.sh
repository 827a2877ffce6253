# SPDX-License-Identifier: BSD-3-Clause
# What each machine has: ops in cycles and, where it can, counted; fetches.
. /scenarios/steps.sh

load precis_ibs_host $(word parameters)
record op -e ibs_op// --raw-samples -c 4096 -a -d -W -- mix 1 3000
if test -e /sys/bus/event_source/devices/ibs_op/format/cnt_ctl; then
	record ops -e ibs_op/cnt_ctl=1/ --raw-samples -c 512 -a -g -- mix 2 1500
fi
record fetch -e ibs_fetch// --raw-samples -c 128 -a -- mix 1 3000
unload precis_ibs_host
scenario_done
