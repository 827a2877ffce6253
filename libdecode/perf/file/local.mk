# SPDX-License-Identifier: BSD-3-Clause
# A recording that is read: what is known of it, its records, what was lost.

libprecis_la_SOURCES += \
	libdecode/perf/file/attrs.c \
	libdecode/perf/file/directory.c \
	libdecode/perf/file/errors.c \
	libdecode/perf/file/event_names.c \
	libdecode/perf/file/event_of_id.c \
	libdecode/perf/file/events.c \
	libdecode/perf/file/feature_parsers.c \
	libdecode/perf/file/features.c \
	libdecode/perf/file/features.h \
	libdecode/perf/file/file.c \
	libdecode/perf/file/header.c \
	libdecode/perf/file/ids.c \
	libdecode/perf/file/ids.h \
	libdecode/perf/file/info.c \
	libdecode/perf/file/kinds.c \
	libdecode/perf/file/loss_counters.c \
	libdecode/perf/file/loss_info.c \
	libdecode/perf/file/losses.c \
	libdecode/perf/file/losses.h \
	libdecode/perf/file/machine.c \
	libdecode/perf/file/merger.c \
	libdecode/perf/file/merger.h \
	libdecode/perf/file/next.c \
	libdecode/perf/file/numbering.c \
	libdecode/perf/file/numbering.h \
	libdecode/perf/file/order.c \
	libdecode/perf/file/payload.c \
	libdecode/perf/file/pebs_events.c \
	libdecode/perf/file/pebs_pt_events.c \
	libdecode/perf/file/pebs_pt_sample.c \
	libdecode/perf/file/pebs_pt_sample.h \
	libdecode/perf/file/pebs_pt_samples.c \
	libdecode/perf/file/pebs_pt_samples.h \
	libdecode/perf/file/pipe.c \
	libdecode/perf/file/private.h \
	libdecode/perf/file/record_stream.c \
	libdecode/perf/file/record_stream.h \
	libdecode/perf/file/sample.c \
	libdecode/perf/file/simpleperf.c \
	libdecode/perf/file/spool.c \
	libdecode/perf/file/stream_usual.h \
	libdecode/perf/file/throttle_spans.c \
	libdecode/perf/file/timelines.c \
	libdecode/perf/file/timelines.h \
	libdecode/perf/file/trace_tasks.c \
	libdecode/perf/file/trace_tasks.h
