# SPDX-License-Identifier: BSD-3-Clause
# Records as the kernel and the perf tool write them: headers, bodies, what trails them.

libprecis_la_SOURCES += \
	libdecode/perf/records/attr.h \
	libdecode/perf/records/aux_records.c \
	libdecode/perf/records/auxtrace_records.c \
	libdecode/perf/records/build_id_body.c \
	libdecode/perf/records/build_id_body.h \
	libdecode/perf/records/bytes.h \
	libdecode/perf/records/code_records.c \
	libdecode/perf/records/cpu_map.c \
	libdecode/perf/records/cpu_map.h \
	libdecode/perf/records/header_records.c \
	libdecode/perf/records/layout.c \
	libdecode/perf/records/loss_records.c \
	libdecode/perf/records/names.c \
	libdecode/perf/records/record.c \
	libdecode/perf/records/record_body.h \
	libdecode/perf/records/record_header.h \
	libdecode/perf/records/sample_id.c \
	libdecode/perf/records/schedstat_records.c \
	libdecode/perf/records/stat_records.c \
	libdecode/perf/records/task_records.c \
	libdecode/perf/records/tool_records.c
