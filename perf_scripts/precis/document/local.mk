# SPDX-License-Identifier: BSD-3-Clause
# Tables of figures, and the three forms they are printed in.

precis_SOURCES += \
	perf_scripts/precis/document/csv.c \
	perf_scripts/precis/document/json.c \
	perf_scripts/precis/document/print.h \
	perf_scripts/precis/document/settle.c \
	perf_scripts/precis/document/table.c \
	perf_scripts/precis/document/table.h \
	perf_scripts/precis/document/text.c
