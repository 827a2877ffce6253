# SPDX-License-Identifier: BSD-3-Clause
# precis bench: how good this machine's sampling is. What it measures is in bench/accuracy.

precis_SOURCES += \
	command/bench/arguments.c \
	command/bench/arguments.h \
	command/bench/cells.c \
	command/bench/cells.h \
	command/bench/command.c \
	command/bench/command.h \
	command/bench/compare.c \
	command/bench/compare.h \
	command/bench/figure.c \
	command/bench/figure.h \
	command/bench/ladder.c \
	command/bench/ladder.h \
	command/bench/listing.c \
	command/bench/machines.c \
	command/bench/machines.h \
	command/bench/periods.c \
	command/bench/periods.h \
	command/bench/plot_kinds.c \
	command/bench/plot_kinds.h \
	command/bench/plots.c \
	command/bench/plots.h \
	command/bench/preflight.c \
	command/bench/preflight.h \
	command/bench/present.c \
	command/bench/present.h \
	command/bench/published.c \
	command/bench/published.h \
	command/bench/raw.c \
	command/bench/raw.h \
	command/bench/read.h \
	command/bench/sweep_table.c \
	command/bench/sweep_table.h \
	command/bench/thread_numbers.c \
	command/bench/thread_numbers.h \
	command/bench/threads.c \
	command/bench/threads.h
precis_LDADD += libaccuracy.la

if HAVE_JANSSON
precis_SOURCES += command/bench/json_source.c command/bench/json_source.h command/bench/read.c
AM_CPPFLAGS += $(JANSSON_CFLAGS)
precis_LDADD += $(JANSSON_LIBS)
else
precis_SOURCES += command/bench/no_read.c
endif
