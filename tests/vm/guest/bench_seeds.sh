# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# bench_seeds.sh OUT FIRST LAST OPTION...: precis bench, with each seed of the sampling from FIRST to LAST;
# what it finds comes into OUT.SEED.json.
out=$1
seed=$2
last=$3
shift 3
while test "$seed" -le "$last"; do
	echo "$seed" >/proc/precis_model/seed
	precis bench --format json -o "$out.$seed.json" "$@" || exit
	seed=$((seed + 1))
done
