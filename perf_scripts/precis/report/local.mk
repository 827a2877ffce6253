# SPDX-License-Identifier: BSD-3-Clause
# precis report.

precis_SOURCES += \
	perf_scripts/precis/report/arguments.c \
	perf_scripts/precis/report/arguments.h \
	perf_scripts/precis/report/buffer.c \
	perf_scripts/precis/report/buffer.h \
	perf_scripts/precis/report/class.c \
	perf_scripts/precis/report/class.h \
	perf_scripts/precis/report/collect.c \
	perf_scripts/precis/report/collect.h \
	perf_scripts/precis/report/command.c \
	perf_scripts/precis/report/command.h \
	perf_scripts/precis/report/definitions.c \
	perf_scripts/precis/report/definitions.h \
	perf_scripts/precis/report/figures.c \
	perf_scripts/precis/report/figures.h \
	perf_scripts/precis/report/kinds.h \
	perf_scripts/precis/report/latencies.c \
	perf_scripts/precis/report/latencies.h \
	perf_scripts/precis/report/offcpu.c \
	perf_scripts/precis/report/offcpu.h \
	perf_scripts/precis/report/offcpu_records.c \
	perf_scripts/precis/report/offcpu_records.h \
	perf_scripts/precis/report/pebs_collect.c \
	perf_scripts/precis/report/pebs_collect.h \
	perf_scripts/precis/report/pebs_figures.c \
	perf_scripts/precis/report/pebs_figures.h \
	perf_scripts/precis/report/pebs_tables.c \
	perf_scripts/precis/report/pebs_tables.h \
	perf_scripts/precis/report/reasons.c \
	perf_scripts/precis/report/reasons.h \
	perf_scripts/precis/report/section_branches.c \
	perf_scripts/precis/report/section_buffer.c \
	perf_scripts/precis/report/section_data_sources.c \
	perf_scripts/precis/report/section_dtlb.c \
	perf_scripts/precis/report/section_fetch.c \
	perf_scripts/precis/report/section_miss_buffers.c \
	perf_scripts/precis/report/section_offcpu.c \
	perf_scripts/precis/report/section_ops.c \
	perf_scripts/precis/report/section_pebs.c \
	perf_scripts/precis/report/section_pebs_sources.c \
	perf_scripts/precis/report/section_pebs_summary.c \
	perf_scripts/precis/report/section_pipeline.c \
	perf_scripts/precis/report/section_recording.c \
	perf_scripts/precis/report/section_summary.c \
	perf_scripts/precis/report/section_summary_latencies.c \
	perf_scripts/precis/report/section_top.c \
	perf_scripts/precis/report/sections.h \
	perf_scripts/precis/report/summary.h \
	perf_scripts/precis/report/top.c \
	perf_scripts/precis/report/top.h \
	perf_scripts/precis/report/top_process.c \
	perf_scripts/precis/report/top_process.h \
	perf_scripts/precis/report/top_tasks.c \
	perf_scripts/precis/report/top_tasks.h
