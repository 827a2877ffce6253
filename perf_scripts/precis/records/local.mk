# SPDX-License-Identifier: BSD-3-Clause
# Bodies of records other than samples.

precis_SOURCES += \
	perf_scripts/precis/records/bodies.c \
	perf_scripts/precis/records/bodies.h \
	perf_scripts/precis/records/lists.c \
	perf_scripts/precis/records/lists.h \
	perf_scripts/precis/records/members.c \
	perf_scripts/precis/records/members.h
