# SPDX-License-Identifier: BSD-3-Clause
# From addresses to files and symbols. Alone in the library it knows elfutils.

libprecis_la_SOURCES += \
	libdecode/symbols/beneath.c \
	libdecode/symbols/beneath.h \
	libdecode/symbols/budget.h \
	libdecode/symbols/build_id.c \
	libdecode/symbols/build_id.h \
	libdecode/symbols/elf_bytes.h \
	libdecode/symbols/elf_data.h \
	libdecode/symbols/elf_image.h \
	libdecode/symbols/elf_lines.h \
	libdecode/symbols/elf_symbols.h \
	libdecode/symbols/found.h \
	libdecode/symbols/images.c \
	libdecode/symbols/images.h \
	libdecode/symbols/kernel.c \
	libdecode/symbols/kernel.h \
	libdecode/symbols/kernel_code.c \
	libdecode/symbols/learn.c \
	libdecode/symbols/memory.c \
	libdecode/symbols/model.h \
	libdecode/symbols/names.c \
	libdecode/symbols/names.h \
	libdecode/symbols/object_code.c \
	libdecode/symbols/objects.c \
	libdecode/symbols/objects.h \
	libdecode/symbols/past.c \
	libdecode/symbols/past.h \
	libdecode/symbols/places.c \
	libdecode/symbols/places.h \
	libdecode/symbols/ranges.c \
	libdecode/symbols/ranges.h \
	libdecode/symbols/symbol_table.c \
	libdecode/symbols/symbol_table.h \
	libdecode/symbols/symbols.c \
	libdecode/symbols/tasks.c \
	libdecode/symbols/tasks.h \
	libdecode/symbols/text_file.c \
	libdecode/symbols/text_file.h \
	libdecode/symbols/text_lines.c \
	libdecode/symbols/text_lines.h

if HAVE_LIBDW
libprecis_la_SOURCES += \
	libdecode/symbols/crc32.c \
	libdecode/symbols/crc32.h \
	libdecode/symbols/elf_bytes.c \
	libdecode/symbols/elf_image.c \
	libdecode/symbols/elf_lines.c \
	libdecode/symbols/elf_plt.c \
	libdecode/symbols/elf_search.c \
	libdecode/symbols/elf_search.h \
	libdecode/symbols/elf_source.c \
	libdecode/symbols/elf_source.h \
	libdecode/symbols/elf_symbols.c \
	libdecode/symbols/line_cursor.h \
	libdecode/symbols/line_program.c \
	libdecode/symbols/line_program.h \
	libdecode/symbols/line_unit.c
else
libprecis_la_SOURCES += libdecode/symbols/no_elf_symbols.c
endif
include libdecode/symbols/types/local.mk
