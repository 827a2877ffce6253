# SPDX-License-Identifier: BSD-3-Clause
# precis fields, precis errata.

precis_SOURCES += \
	perf_scripts/precis/listing/command.h \
	perf_scripts/precis/listing/errata.c \
	perf_scripts/precis/listing/fields.c \
	perf_scripts/precis/listing/listing.c \
	perf_scripts/precis/listing/listing.h
