# SPDX-License-Identifier: BSD-3-Clause
# precis export.

precis_SOURCES += \
	command/export/about.c \
	command/export/about.h \
	command/export/arguments.c \
	command/export/arguments.h \
	command/export/arrow.c \
	command/export/arrow_ipc.c \
	command/export/arrow_ipc.h \
	command/export/cells.c \
	command/export/cells.h \
	command/export/chrome.c \
	command/export/command.c \
	command/export/command.h \
	command/export/export.h \
	command/export/firefox.c \
	command/export/flatbuffer.c \
	command/export/flatbuffer.h \
	command/export/folded.c \
	command/export/numbering.c \
	command/export/numbering.h \
	command/export/paged.c \
	command/export/paged.h \
	command/export/stacks.c \
	command/export/stacks.h \
	command/export/weight.c \
	command/export/weight.h

# The library's temporary files, which are none of its calls
noinst_LTLIBRARIES += libtemporary.la
libtemporary_la_SOURCES = libdecode/perf/stream/temporary_file.c
precis_LDADD += libtemporary.la

if HAVE_SQLITE
precis_SOURCES += command/export/sqlite.c
AM_CPPFLAGS += $(SQLITE_CFLAGS)
precis_LDADD += $(SQLITE_LIBS)
else
precis_SOURCES += command/export/no_sqlite.c
endif
