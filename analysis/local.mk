# SPDX-License-Identifier: BSD-3-Clause
# Samples and records in, figures out. One analysis is a file or a folder here, and a row in list.c.

noinst_LTLIBRARIES += libanalysis.la
libanalysis_la_SOURCES = \
	analysis/analyses.h \
	analysis/analysis.h \
	analysis/batch.h \
	analysis/branches.c \
	analysis/counting.c \
	analysis/counting.h \
	analysis/definitions.c \
	analysis/definitions.h \
	analysis/dtlb.c \
	analysis/event_places.c \
	analysis/event_places.h \
	analysis/fetch.c \
	analysis/figures.c \
	analysis/figures.h \
	analysis/firsts.c \
	analysis/firsts.h \
	analysis/groups.c \
	analysis/groups.h \
	analysis/kinds.h \
	analysis/latencies.c \
	analysis/latencies.h \
	analysis/list.c \
	analysis/list.h \
	analysis/memory.c \
	analysis/merge.h \
	analysis/miss_buffers.c \
	analysis/offcpu/offcpu.c \
	analysis/offcpu/switches.c \
	analysis/offcpu/switches.h \
	analysis/offcpu/tasks.c \
	analysis/offcpu/tasks.h \
	analysis/ops.c \
	analysis/pebs/counts.c \
	analysis/pebs/counts.h \
	analysis/pebs/figures.c \
	analysis/pebs/figures.h \
	analysis/pebs/key_figures.c \
	analysis/pebs/key_figures.h \
	analysis/pebs/pebs.c \
	analysis/pebs/sources.c \
	analysis/pebs/sources.h \
	analysis/pebs/tables.c \
	analysis/pebs/tables.h \
	analysis/pebs_event.c \
	analysis/pebs_event.h \
	analysis/pipeline.c \
	analysis/reasons.c \
	analysis/reasons.h \
	analysis/record_id.c \
	analysis/record_id.h \
	analysis/recordings.c \
	analysis/recordings.h \
	analysis/run.c \
	analysis/run.h \
	analysis/samples.c \
	analysis/samples.h \
	analysis/tlb.c \
	analysis/tlb.h \
	analysis/top/merge.c \
	analysis/top/merge.h \
	analysis/top/objects.c \
	analysis/top/objects.h \
	analysis/top/places.c \
	analysis/top/places.h \
	analysis/top/processes.c \
	analysis/top/processes.h \
	analysis/top/tables.c \
	analysis/top/tables.h \
	analysis/top/task_records.c \
	analysis/top/task_records.h \
	analysis/top/top.c \
	analysis/topics.h
libanalysis_la_LIBADD = libprecis.la libstatistics.la $(LIBM)
