# SPDX-License-Identifier: BSD-3-Clause
# Programs that were compiled with older or newer headers: what precis(3) promises of them.

PYTHON_TESTS += tests/abi/check_abi.py

TEST_FILES += \
	tests/abi/age_headers.py \
	tests/abi/calls.h \
	tests/abi/every_call.c \
	tests/abi/every_call.h \
	tests/abi/every_call_files.c \
	tests/abi/every_call_pebs.c \
	tests/abi/every_call_records.c \
	tests/abi/every_call_values.c \
	tests/abi/test_abi.c

# The older headers: age_headers.py made them
TEST_FILES += \
	tests/abi/older/precis/access.h \
	tests/abi/older/precis/amd.h \
	tests/abi/older/precis/code.h \
	tests/abi/older/precis/columns.h \
	tests/abi/older/precis/cpu.h \
	tests/abi/older/precis/data_source.h \
	tests/abi/older/precis/data_types.h \
	tests/abi/older/precis/decoder.h \
	tests/abi/older/precis/ds.h \
	tests/abi/older/precis/errata.h \
	tests/abi/older/precis/error.h \
	tests/abi/older/precis/escape.h \
	tests/abi/older/precis/export.h \
	tests/abi/older/precis/feature_number.h \
	tests/abi/older/precis/features.h \
	tests/abi/older/precis/fields.def \
	tests/abi/older/precis/fields.h \
	tests/abi/older/precis/file.h \
	tests/abi/older/precis/filter.h \
	tests/abi/older/precis/ibs.h \
	tests/abi/older/precis/input.h \
	tests/abi/older/precis/intel.h \
	tests/abi/older/precis/kernel_records.h \
	tests/abi/older/precis/loss.h \
	tests/abi/older/precis/object_file.h \
	tests/abi/older/precis/objects.h \
	tests/abi/older/precis/pebs.h \
	tests/abi/older/precis/pebs_data_source.h \
	tests/abi/older/precis/pebs_groups.h \
	tests/abi/older/precis/pebs_pt.h \
	tests/abi/older/precis/pebs_pt_events.h \
	tests/abi/older/precis/pebs_pt_samples.h \
	tests/abi/older/precis/pebs_record.h \
	tests/abi/older/precis/pebs_sample.h \
	tests/abi/older/precis/plan.h \
	tests/abi/older/precis/precis.h \
	tests/abi/older/precis/record.h \
	tests/abi/older/precis/ring.h \
	tests/abi/older/precis/sample.h \
	tests/abi/older/precis/sample_parts.h \
	tests/abi/older/precis/symbols.h \
	tests/abi/older/precis/tool_records.h \
	tests/abi/older/precis/tracepoint.h \
	tests/abi/older/precis/writer.h
