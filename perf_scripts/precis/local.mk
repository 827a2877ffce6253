# SPDX-License-Identifier: BSD-3-Clause
# precis(1)

precis_SOURCES += \
	perf_scripts/precis/closing.c \
	perf_scripts/precis/closing.h \
	perf_scripts/precis/columns.c \
	perf_scripts/precis/columns.h \
	perf_scripts/precis/command.h \
	perf_scripts/precis/complain.c \
	perf_scripts/precis/demangle.h \
	perf_scripts/precis/dump.c \
	perf_scripts/precis/dump.h \
	perf_scripts/precis/dump_csv.c \
	perf_scripts/precis/dump_formats.c \
	perf_scripts/precis/dump_json.c \
	perf_scripts/precis/dump_registers_csv.c \
	perf_scripts/precis/dump_registers_json.c \
	perf_scripts/precis/dump_registers_text.c \
	perf_scripts/precis/dump_text.c \
	perf_scripts/precis/errata.c \
	perf_scripts/precis/fields.c \
	perf_scripts/precis/help.c \
	perf_scripts/precis/info.c \
	perf_scripts/precis/info.h \
	perf_scripts/precis/info_gather.c \
	perf_scripts/precis/info_json.c \
	perf_scripts/precis/info_remarks.c \
	perf_scripts/precis/info_system.h \
	perf_scripts/precis/info_system_json.c \
	perf_scripts/precis/info_system_text.c \
	perf_scripts/precis/info_text.c \
	perf_scripts/precis/json.c \
	perf_scripts/precis/json.h \
	perf_scripts/precis/listing.c \
	perf_scripts/precis/listing.h \
	perf_scripts/precis/machine.h \
	perf_scripts/precis/machine_checks.c \
	perf_scripts/precis/machine_print.c \
	perf_scripts/precis/machine_read.c \
	perf_scripts/precis/main.c \
	perf_scripts/precis/number_text.c \
	perf_scripts/precis/number_text.h \
	perf_scripts/precis/output.c \
	perf_scripts/precis/output.h \
	perf_scripts/precis/progress.c \
	perf_scripts/precis/progress.h \
	perf_scripts/precis/quote.c \
	perf_scripts/precis/quote.h \
	perf_scripts/precis/ranges.c \
	perf_scripts/precis/ranges.h \
	perf_scripts/precis/recording.c \
	perf_scripts/precis/recording.h \
	perf_scripts/precis/register_view.c \
	perf_scripts/precis/register_view.h \
	perf_scripts/precis/report.c \
	perf_scripts/precis/report_branches.c \
	perf_scripts/precis/report_class.c \
	perf_scripts/precis/report_class.h \
	perf_scripts/precis/report_collect.c \
	perf_scripts/precis/report_collect.h \
	perf_scripts/precis/report_csv.c \
	perf_scripts/precis/report_data_sources.c \
	perf_scripts/precis/report_dtlb.c \
	perf_scripts/precis/report_fetch.c \
	perf_scripts/precis/report_figures.c \
	perf_scripts/precis/report_figures.h \
	perf_scripts/precis/report_json.c \
	perf_scripts/precis/report_miss_buffers.c \
	perf_scripts/precis/report_ops.c \
	perf_scripts/precis/report_pipeline.c \
	perf_scripts/precis/report_print.h \
	perf_scripts/precis/report_reasons.c \
	perf_scripts/precis/report_reasons.h \
	perf_scripts/precis/report_recording.c \
	perf_scripts/precis/report_sections.h \
	perf_scripts/precis/report_summary.c \
	perf_scripts/precis/report_table.c \
	perf_scripts/precis/report_table.h \
	perf_scripts/precis/report_text.c \
	perf_scripts/precis/report_top.c \
	perf_scripts/precis/report_top.h \
	perf_scripts/precis/report_top_process.c \
	perf_scripts/precis/report_top_process.h \
	perf_scripts/precis/report_top_section.c \
	perf_scripts/precis/report_top_tasks.c \
	perf_scripts/precis/report_top_tasks.h \
	perf_scripts/precis/selection.c \
	perf_scripts/precis/selection.h \
	perf_scripts/precis/symbol_options.c \
	perf_scripts/precis/symbol_options.h \
	perf_scripts/precis/wrap.c \
	perf_scripts/precis/wrap.h

if HAVE_DEMANGLE
precis_SOURCES += perf_scripts/precis/demangle.c
precis_LDADD += $(DEMANGLE_LIBS)
else
precis_SOURCES += perf_scripts/precis/no_demangle.c
endif
