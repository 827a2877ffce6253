# SPDX-License-Identifier: BSD-3-Clause
# What sampling costs, and how to sample for what it may cost. Pure.

libprecis_la_SOURCES += \
	libdecode/plan/advise.c \
	libdecode/plan/cost.c \
	libdecode/plan/numbers.h \
	libdecode/plan/parse.c \
	libdecode/plan/period.c \
	libdecode/plan/predict.c \
	libdecode/plan/published.def \
	libdecode/plan/records.c \
	libdecode/plan/setup.h
