# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# seeds.sh TRUTH SEEDS COMMAND...: runs the command with as many seeds of the sampling, and writes a
# line of each to TRUTH: seed, process, and the exact totals up to there. The first line is that of
# before. With TOTALS set, those by address, thread and node go to $TOTALS.SEED, too. With SHARING set, the
# exact transfers of all runs go to that file.
truth=$1
seeds=$2
model=/proc/precis_model
shift 2

# totals: of everything until now
totals() {
	sed -n 's/^all//p' $model/totals
}

keep() {
	test -z "${TOTALS-}" || cat $model/totals >"$TOTALS.$1"
}

echo "seed=0 pid=0$(totals)" >"$truth"
keep 0
seed=1
while test $seed -le "$seeds"; do
	echo $seed >$model/seed
	"$@" >/dev/null &
	wait $! || exit
	echo "seed=$seed pid=$!$(totals)" >>"$truth"
	keep $seed
	test -z "${SHARING-}" || cat $model/sharing >>"$SHARING"
	seed=$((seed + 1))
done
