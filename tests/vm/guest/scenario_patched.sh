# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Kernel code that is changed in the middle of a recording: static keys, a traced function, a probe, a tracepoint.
#: run patched zen4
#: check check_patched.py patched
. /scenarios/steps.sh

# perf copies the kernel's code for those alone who may see its symbols.
echo 0 >"$sysctl/kptr_restrict"
record patched --kcore -k CLOCK_MONOTONIC -e cpu-clock -c 20011 -a -- sh /scenarios/patched.sh /out
scenario_done
