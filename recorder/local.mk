# SPDX-License-Identifier: BSD-3-Clause
# libprecis-objects.so, which is loaded into the measured program. It has the unwinder inside of it, and needs
# nothing but the C library.

if WITH_RECORDER
pkglib_LTLIBRARIES += libprecis-objects.la
libprecis_objects_la_SOURCES = \
	recorder/arena.c \
	recorder/arena.h \
	recorder/call_frames.c \
	recorder/call_frames.h \
	recorder/clock.c \
	recorder/clock.h \
	recorder/clocks.c \
	recorder/clocks.h \
	recorder/code_changes.c \
	recorder/code_changes.h \
	recorder/definitions.c \
	recorder/definitions.h \
	recorder/encode.h \
	recorder/filters.c \
	recorder/heap.c \
	recorder/libraries.c \
	recorder/libraries.h \
	recorder/life.c \
	recorder/life.h \
	recorder/live.c \
	recorder/live.h \
	recorder/log.c \
	recorder/log.h \
	recorder/maps.c \
	recorder/modules.c \
	recorder/modules.h \
	recorder/names.c \
	recorder/options.c \
	recorder/options.h \
	recorder/output.c \
	recorder/output.h \
	recorder/programs.c \
	recorder/random.h \
	recorder/real.c \
	recorder/real.def \
	recorder/real.h \
	recorder/sampling.c \
	recorder/sampling.h \
	recorder/stacks.c \
	recorder/stacks.h \
	recorder/state.c \
	recorder/state.h \
	recorder/system.h \
	recorder/thread.c \
	recorder/thread.h \
	recorder/thread_state.h \
	recorder/threads.c \
	recorder/tracked.c \
	recorder/tracked.h \
	recorder/unloading.c
# Not with files of 64 bits by another name: mmap() and mmap64() are both there.
libprecis_objects_la_CPPFLAGS = -I$(top_srcdir) -I$(top_srcdir)/libdecode/include
libprecis_objects_la_CFLAGS = $(RECORDER_CFLAGS) $(VISIBILITY_CFLAGS) -O2 -fno-omit-frame-pointer \
	-fasynchronous-unwind-tables -fno-builtin -fno-tree-slp-vectorize -ftls-model=initial-exec
libprecis_objects_la_LDFLAGS = -module -avoid-version -shared -XCClinker -static-libgcc -Wl,-z,defs
endif
