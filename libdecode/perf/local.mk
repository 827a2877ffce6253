# SPDX-License-Identifier: BSD-3-Clause
# The kernel's perf ABI: records, samples, perf.data files.

libprecis_la_SOURCES += \
	libdecode/perf/attr.h \
	libdecode/perf/blob.c \
	libdecode/perf/blob.h \
	libdecode/perf/bytes.h \
	libdecode/perf/file.c \
	libdecode/perf/file_attrs.c \
	libdecode/perf/file_counts.c \
	libdecode/perf/file_directory.c \
	libdecode/perf/file_errors.c \
	libdecode/perf/file_events.c \
	libdecode/perf/file_feature_parsers.c \
	libdecode/perf/file_features.c \
	libdecode/perf/file_features.h \
	libdecode/perf/file_header.c \
	libdecode/perf/file_info.c \
	libdecode/perf/file_kinds.c \
	libdecode/perf/file_machine.c \
	libdecode/perf/file_next.c \
	libdecode/perf/file_order.c \
	libdecode/perf/file_pipe.c \
	libdecode/perf/file_private.h \
	libdecode/perf/file_sample.c \
	libdecode/perf/file_spool.c \
	libdecode/perf/ids.c \
	libdecode/perf/ids.h \
	libdecode/perf/inflater.c \
	libdecode/perf/inflater.h \
	libdecode/perf/layout.c \
	libdecode/perf/merger.c \
	libdecode/perf/merger.h \
	libdecode/perf/perf_sample.c \
	libdecode/perf/record.c \
	libdecode/perf/record_header.h \
	libdecode/perf/record_names.c \
	libdecode/perf/record_stream.c \
	libdecode/perf/record_stream.h \
	libdecode/perf/sample_id.c \
	libdecode/perf/sorter.c \
	libdecode/perf/sorter.h \
	libdecode/perf/sorter_blocks.c \
	libdecode/perf/sorter_blocks.h \
	libdecode/perf/sorter_merge.c \
	libdecode/perf/sorter_merge.h \
	libdecode/perf/sorter_spill.c \
	libdecode/perf/sorter_spill.h \
	libdecode/perf/source.c \
	libdecode/perf/source.h \
	libdecode/perf/task_records.c \
	libdecode/perf/temporary_file.c \
	libdecode/perf/temporary_file.h \
	libdecode/perf/writer.c \
	libdecode/perf/writer_features.c \
	libdecode/perf/writer_private.h
