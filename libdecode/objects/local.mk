# SPDX-License-Identifier: BSD-3-Clause
# The side files of the recorder of objects' lifetimes: their layout, and reading them.

libprecis_la_SOURCES += \
	libdecode/objects/chunk.c \
	libdecode/objects/chunk.h \
	libdecode/objects/clock.c \
	libdecode/objects/definitions.c \
	libdecode/objects/definitions.h \
	libdecode/objects/file.c \
	libdecode/objects/format.h \
	libdecode/objects/memory.c \
	libdecode/objects/operations.c \
	libdecode/objects/operations.def \
	libdecode/objects/operations.h \
	libdecode/objects/order.c \
	libdecode/objects/order.h \
	libdecode/objects/private.h \
	libdecode/objects/scan.c \
	libdecode/objects/scan.h \
	libdecode/objects/varint.h
libprecis_la_LIBADD += $(LIBM)
