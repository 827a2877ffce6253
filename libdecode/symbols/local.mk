# SPDX-License-Identifier: BSD-3-Clause
# From addresses to files and symbols. Alone in the library it knows elfutils.

libprecis_la_SOURCES += \
	libdecode/symbols/budget.h \
	libdecode/symbols/build_id.c \
	libdecode/symbols/build_id.h \
	libdecode/symbols/elf_symbols.h \
	libdecode/symbols/images.c \
	libdecode/symbols/images.h \
	libdecode/symbols/objects.c \
	libdecode/symbols/objects.h \
	libdecode/symbols/ranges.c \
	libdecode/symbols/ranges.h \
	libdecode/symbols/symbol_table.c \
	libdecode/symbols/symbol_table.h \
	libdecode/symbols/symbols.c

if HAVE_LIBDW
libprecis_la_SOURCES += \
	libdecode/symbols/elf_plt.c \
	libdecode/symbols/elf_source.c \
	libdecode/symbols/elf_source.h \
	libdecode/symbols/elf_symbols.c
else
libprecis_la_SOURCES += libdecode/symbols/no_elf_symbols.c
endif
