# SPDX-License-Identifier: BSD-3-Clause

libprecis_la_SOURCES += \
	libdecode/pebs/adaptive.c \
	libdecode/pebs/adaptive.h \
	libdecode/pebs/arch.c \
	libdecode/pebs/arch.h \
	libdecode/pebs/fixed.c \
	libdecode/pebs/fixed.h \
	libdecode/pebs/formats.h \
	libdecode/pebs/groups.c \
	libdecode/pebs/groups.h \
	libdecode/pebs/names.c \
	libdecode/pebs/parse.c \
	libdecode/pebs/parts.c \
	libdecode/pebs/registers.def \
	libdecode/pebs/vectors.c \
	libdecode/pebs/vectors.h \
	libdecode/pebs/words.def
