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

# target, longest input
targets=(
	"fuzz_ibs_payload 128"
	"fuzz_pebs 4096"
	"fuzz_pebs_pt 1500"
	"fuzz_record 2048"
	"fuzz_ring 2048"
	"fuzz_filter 512"
	"fuzz_perf_data 16384"
)

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p "$source/crashes"
passed=0 failed=0 skipped=0

for row in "${targets[@]}"; do
	read -r target longest <<<"$row"
	program=$build/tests/fuzz/$target
	if [[ ! -x $program ]]; then
		echo "SKIP $target: not built in $build"
		skipped=$((skipped + 1))
		continue
	fi
	if ! "$program" -help=1 2>&1 | grep -q libFuzzer; then
		echo "SKIP $target: $build was configured without --enable-fuzzing"
		skipped=$((skipped + 1))
		continue
	fi
	mkdir -p "$work/$target"
	seeds=("$source/corpus/$target")
	[[ $target = fuzz_perf_data ]] && seeds+=("$source/../recordings/forms")
	start=$SECONDS
	if "$program" -runs="$executions" -seed="$((seed & 0x7fffffff))" -max_len="$longest" \
		-rss_limit_mb=512 -timeout=20 -print_final_stats=1 \
		-artifact_prefix="$source/crashes/$target-" \
		"$work/$target" "${seeds[@]}" >"$work/$target.log" 2>&1; then
		done=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$target.log")
		echo "PASS $target: $done executions, $((SECONDS - start)) s"
		passed=$((passed + 1))
	else
		echo "FAIL $target, seed $seed:"
		tail -n 40 "$work/$target.log"
		failed=$((failed + 1))
	fi
done

echo "$passed passed, $failed failed, $skipped skipped"
[[ $failed -eq 0 ]]
