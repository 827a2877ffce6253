# SPDX-License-Identifier: BSD-3-Clause
# Intel PEBS. Pure: libc's string functions alone.

libprecis_la_SOURCES += \
	libdecode/pebs/adaptive.c \
	libdecode/pebs/adaptive.h \
	libdecode/pebs/adaptive_encode.c \
	libdecode/pebs/arch.c \
	libdecode/pebs/arch.h \
	libdecode/pebs/arch_encode.c \
	libdecode/pebs/buffer.c \
	libdecode/pebs/columns.c \
	libdecode/pebs/encode.c \
	libdecode/pebs/encode.h \
	libdecode/pebs/fixed.c \
	libdecode/pebs/fixed.h \
	libdecode/pebs/fixed_encode.c \
	libdecode/pebs/formats.h \
	libdecode/pebs/groups.c \
	libdecode/pebs/groups.h \
	libdecode/pebs/names.c \
	libdecode/pebs/parse.c \
	libdecode/pebs/parts.c \
	libdecode/pebs/pt_decode.c \
	libdecode/pebs/pt_encode.c \
	libdecode/pebs/pt_items.c \
	libdecode/pebs/pt_items.def \
	libdecode/pebs/pt_packet.c \
	libdecode/pebs/pt_packet.h \
	libdecode/pebs/pt_packet_encode.c \
	libdecode/pebs/pt_packets.def \
	libdecode/pebs/pt_problems.c \
	libdecode/pebs/pt_record.c \
	libdecode/pebs/pt_record.h \
	libdecode/pebs/registers.def \
	libdecode/pebs/vectors.c \
	libdecode/pebs/vectors.h \
	libdecode/pebs/words.def
