# SPDX-License-Identifier: BSD-3-Clause
# Lines of source files.

precis_SOURCES += \
	command/source/source.c \
	command/source/source.h

# The library's way of opening files, below a root or not, which is none of its calls
noinst_LTLIBRARIES += libregular.la
libregular_la_SOURCES = \
	libdecode/symbols/beneath.c \
	libdecode/symbols/places.c \
	libdecode/symbols/text_file.c
precis_LDADD += libregular.la
