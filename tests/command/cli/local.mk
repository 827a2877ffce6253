# SPDX-License-Identifier: BSD-3-Clause
# The command precis, as its users see it: output, errors, exit codes.

PYTHON_TESTS += \
	tests/command/cli/test_compare.py \
	tests/command/cli/test_descriptors.py \
	tests/command/cli/test_dump.py \
	tests/command/cli/test_errors.py \
	tests/command/cli/test_fields.py \
	tests/command/cli/test_filter_names.py \
	tests/command/cli/test_hints.py \
	tests/command/cli/test_info.py \
	tests/command/cli/test_info_machine.py \
	tests/command/cli/test_losses.py \
	tests/command/cli/test_machine_types.py \
	tests/command/cli/test_memory.py \
	tests/command/cli/test_names.py \
	tests/command/cli/test_progress.py \
	tests/command/cli/test_time.py \
	tests/command/cli/test_width.py

TEST_FILES += \
	tests/command/cli/built.py \
	tests/command/cli/command.py \
	tests/command/cli/conditions.py \
	tests/command/cli/exact_ip.py \
	tests/command/cli/page_faults.py \
	tests/command/cli/perfdata.py \
	tests/command/cli/quick.py \
	tests/command/cli/saved_files.py \
	tests/command/cli/tap.py \
	tests/recordings/README.md \
	tests/recordings/sharing/zen4-false.perf.data \
	tests/recordings/sharing/zen4-none.perf.data \
	tests/recordings/skylake-loads_phys.perf.data \
	tests/recordings/skylake-mix-loads.perf.data \
	tests/recordings/spr-loads.perf.data \
	tests/recordings/spr-mix-loads.perf.data \
	tests/recordings/symfs/usr/bin/busy \
	tests/recordings/zen4-fetch.perf.data \
	tests/recordings/zen4-freq.perf.data \
	tests/recordings/zen4-mix-fetch.perf.data \
	tests/recordings/zen4-mix-l3missonly.perf.data \
	tests/recordings/zen4-mix-op-local.perf.data \
	tests/recordings/zen4-op.perf.data \
	tests/recordings/zen4-op_l3.perf.data \
	tests/recordings/zen4-own-pertask.perf.data \
	tests/recordings/zen4-throttled.perf.data
