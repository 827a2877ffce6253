# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# bench_seeds.sh OUT FIRST LAST OPTION...: precis bench, with each seed of the sampling from FIRST to LAST, and
# of its own; what it finds comes into OUT.SEED.json. Where periods have no random part (PERIODS=fixed) each
# seed has another one, the next from 101 on that has no divisor in common with the loops, of 4, 7 and 13.
out=$1
seed=$2
last=$3
shift 3

period() {
	test "${PERIODS-}" = fixed || {
		echo 144
		return
	}
	awk -v seed="$1" 'BEGIN {
		for (period = 101; seed; period += 2)
			seed -= period % 7 && period % 13
		print period - 2
	}'
}

while test "$seed" -le "$last"; do
	echo "$seed" >/proc/precis_model/seed
	precis bench --format json -o "$out.$seed.json" --seed "$seed" --periods "$(period "$seed")" "$@" || exit
	seed=$((seed + 1))
done
