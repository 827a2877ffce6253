# SPDX-License-Identifier: BSD-3-Clause
# Instructions: how long, what they do, what they are called. Alone in the library it knows Zydis.

if HAVE_ZYDIS
libprecis_la_SOURCES += libdecode/code/code.c
else
libprecis_la_SOURCES += libdecode/code/no_code.c
endif
