# SPDX-License-Identifier: BSD-3-Clause
# The kernel's IBS driver and stock perf, in what they can do together.
. /scenarios/steps.sh

# record NAME OPTION... -- COMMAND...: into /out/NAME.data
record() {
	file=$1
	shift
	step "$file" perf record -q -N -o "/out/$file.data" "$@"
}

load precis_ibs_host
(cd /sys/bus/event_source/devices && grep -r . ibs_*/type ibs_*/format ibs_*/caps)

record op -e ibs_op// --raw-samples -c 4096 -a -- mix 1 8000
record fetch -e ibs_fetch/rand_en=1/ --raw-samples -c 512 -a -- mix 1 8000
cat $model/totals >/out/totals.txt
unload precis_ibs_host
scenario_done
