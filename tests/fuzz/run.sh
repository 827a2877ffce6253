#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh BUILD-DIRECTORY [EXECUTIONS]: fuzz each target for a fixed number of executions, always the
# same ones. The build is one of "CC=clang --enable-fuzzing --enable-sanitizers". Crash inputs go to
# tests/fuzz/crashes/, where tests/fuzz/replay.sh finds them for ever after.
# Targets without libFuzzer are skipped; the last line says "N passed, N failed, N skipped".

set -u
source=$(cd "$(dirname "$0")" && pwd)
build=${1:?usage: run.sh BUILD-DIRECTORY [EXECUTIONS]}
executions=${2:-40000}
seed=${PRECIS_SEED:-20261120}

# target, longest input; those first that take longest
targets=(
	"fuzz_perf_data 16384"
	"fuzz_code 4096"
	"fuzz_mix 2048"
	"fuzz_filter 512"
	"fuzz_pebs 4096"
	"fuzz_pebs_pt 1500"
	"fuzz_object_file 4096"
	"fuzz_saved 16384"
	"fuzz_types 8192"
	"fuzz_ibs_payload 128"
	"fuzz_record 2048"
	"fuzz_ring 2048"
)

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'for job in $(jobs -p); do kill -- "-$job"; done 2>/dev/null; exit 1' HUP INT TERM
mkdir -p "$source/crashes"

# fuzz TARGET LONGEST: a line that says how it went, and of a failure what the target said
fuzz() {
	local target=$1 longest=$2 program=$build/tests/fuzz/$1 start=$SECONDS count
	if [[ ! -x $program ]]; then
		echo "SKIP $target: not built in $build"
		return
	fi
	if ! "$program" -help=1 2>&1 | grep -q libFuzzer; then
		echo "SKIP $target: $build was configured without --enable-fuzzing"
		return
	fi
	mkdir -p "$work/$target"
	local seeds=("$source/corpus/$target")
	[[ $target = fuzz_perf_data ]] && seeds+=("$source/../recordings/forms")
	if "$program" -runs="$executions" -seed="$((seed & 0x7fffffff))" -max_len="$longest" \
		-rss_limit_mb=512 -timeout=20 -print_final_stats=1 \
		-artifact_prefix="$source/crashes/$target-" \
		"$work/$target" "${seeds[@]}" >"$work/$target.log" 2>&1; then
		count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$target.log")
		echo "PASS $target: $count executions, $((SECONDS - start)) s"
	else
		echo "FAIL $target, seed $seed:"
		tail -n 40 "$work/$target.log"
	fi
}

# As many at a time as there are CPUs, each a group of processes
set -m
for row in "${targets[@]}"; do
	read -r target longest <<<"$row"
	[[ $(jobs -rp | wc -l) -lt $(nproc) ]] || wait -n
	fuzz "$target" "$longest" >"$work/$target.result" &
done
wait
cat "$work"/*.result
passed=$(cat "$work"/*.result | grep -c '^PASS fuzz_')
failed=$(cat "$work"/*.result | grep -c '^FAIL fuzz_')
skipped=$(cat "$work"/*.result | grep -c '^SKIP fuzz_')
# One that ended without a word
failed=$((failed + ${#targets[@]} - passed - failed - skipped))
echo "$passed passed, $failed failed, $skipped skipped"
[[ $failed -eq 0 ]]
