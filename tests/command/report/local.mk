# SPDX-License-Identifier: BSD-3-Clause
# precis report: every figure, recomputed; files and symbols, in whatever order.

PYTHON_TESTS += \
	tests/command/report/test_report.py \
	tests/command/report/test_report_buffer.py \
	tests/command/report/test_report_by.py \
	tests/command/report/test_report_blocks.py \
	tests/command/report/test_report_by_chains.py \
	tests/command/report/test_report_by_instruction.py \
	tests/command/report/test_report_by_nodes.py \
	tests/command/report/test_report_by_time.py \
	tests/command/report/test_report_document.py \
	tests/command/report/test_report_estimates.py \
	tests/command/report/test_report_findings.py \
	tests/command/report/test_report_in_step.py \
	tests/command/report/test_report_jobs.py \
	tests/command/report/test_report_kernel_types.py \
	tests/command/report/test_report_layers.py \
	tests/command/report/test_report_libraries.py \
	tests/command/report/test_report_lifetimes.py \
	tests/command/report/test_report_mappings.py \
	tests/command/report/test_report_memory.py \
	tests/command/report/test_report_objects.py \
	tests/command/report/test_report_offcpu.py \
	tests/command/report/test_report_pebs.py \
	tests/command/report/test_report_pids.py \
	tests/command/report/test_report_places.py \
	tests/command/report/test_report_saved.py \
	tests/command/report/test_report_sections.py \
	tests/command/report/test_report_several.py \
	tests/command/report/test_report_symbols.py \
	tests/command/report/test_report_thread_data.py \
	tests/command/report/test_report_type_methods.py \
	tests/command/report/test_report_types.py \
	tests/command/report/test_report_units.py \
	tests/command/report/test_report_validity.py \
	tests/command/report/test_report_votes.py \
	tests/command/report/test_report_weights.py

TEST_FILES += tests/command/report/oracle.py tests/command/report/side_file.py
EXTRA_DIST += tests/command/report/saved
