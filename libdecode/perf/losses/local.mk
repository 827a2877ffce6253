# SPDX-License-Identifier: BSD-3-Clause
# Records that are counted, and what they say of losses.

libprecis_la_SOURCES += \
	libdecode/perf/losses/loss_counters.c \
	libdecode/perf/losses/loss_counters.h \
	libdecode/perf/losses/loss_parts.c \
	libdecode/perf/losses/loss_parts.h \
	libdecode/perf/losses/loss_rows.c \
	libdecode/perf/losses/loss_rows.h \
	libdecode/perf/losses/losses.c \
	libdecode/perf/losses/losses.h \
	libdecode/perf/losses/numbering.c \
	libdecode/perf/losses/numbering.h \
	libdecode/perf/losses/tallies.c \
	libdecode/perf/losses/tallies.h \
	libdecode/perf/losses/thread_losses.c \
	libdecode/perf/losses/thread_losses.h \
	libdecode/perf/losses/thread_names.c \
	libdecode/perf/losses/thread_names.h \
	libdecode/perf/losses/throttle_spans.c \
	libdecode/perf/losses/throttle_spans.h
