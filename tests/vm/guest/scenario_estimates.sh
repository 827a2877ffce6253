# SPDX-License-Identifier: BSD-3-Clause
# Workloads of known behaviour, each with 100 seeds of the sampling: for shares that are estimated
# from samples, to be compared with the exact ones.
. /scenarios/steps.sh

# estimate NAME PERIOD COMMAND...: into /out/NAME.data and /out/NAME.truth
estimate() {
	file=$1
	period=$2
	shift 2
	step "$file" perf record -q -N -o "/out/$file.data" -e ibs_op/cnt_ctl=1/ --raw-samples \
		-c "$period" -a -- sh /scenarios/seeds.sh "/out/$file.truth" "$@"
}

load precis_ibs_host
estimate l1_misses 256 chase 131072 64 3000
estimate page_walks 256 chase 14680064 4096 3000
estimate mispredictions 256 branches 2 2000
unload precis_ibs_host
scenario_done
