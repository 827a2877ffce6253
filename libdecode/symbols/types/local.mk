# SPDX-License-Identifier: BSD-3-Clause
# The data of a program file: variables, types, members at an offset.

libprecis_la_SOURCES += libdecode/symbols/types/reasons.c

if HAVE_LIBDW
libprecis_la_SOURCES += \
	libdecode/symbols/types/address.c \
	libdecode/symbols/types/address.h \
	libdecode/symbols/types/allocation.c \
	libdecode/symbols/types/allocators.def \
	libdecode/symbols/types/arrays.c \
	libdecode/symbols/types/arrays.h \
	libdecode/symbols/types/at.c \
	libdecode/symbols/types/code_window.c \
	libdecode/symbols/types/code_window.h \
	libdecode/symbols/types/complete.c \
	libdecode/symbols/types/complete.h \
	libdecode/symbols/types/debug_file.c \
	libdecode/symbols/types/debug_file.h \
	libdecode/symbols/types/die.c \
	libdecode/symbols/types/die.h \
	libdecode/symbols/types/elf_objects.c \
	libdecode/symbols/types/followed.c \
	libdecode/symbols/types/followed.h \
	libdecode/symbols/types/found.c \
	libdecode/symbols/types/functions.c \
	libdecode/symbols/types/index.c \
	libdecode/symbols/types/index.h \
	libdecode/symbols/types/instruction.c \
	libdecode/symbols/types/instruction.h \
	libdecode/symbols/types/instructions.def \
	libdecode/symbols/types/layout.c \
	libdecode/symbols/types/locals.c \
	libdecode/symbols/types/measure.c \
	libdecode/symbols/types/measure.h \
	libdecode/symbols/types/members.c \
	libdecode/symbols/types/members.h \
	libdecode/symbols/types/model.c \
	libdecode/symbols/types/model.h \
	libdecode/symbols/types/named.c \
	libdecode/symbols/types/named.h \
	libdecode/symbols/types/open.c \
	libdecode/symbols/types/paths.c \
	libdecode/symbols/types/paths.h \
	libdecode/symbols/types/pointer_state.c \
	libdecode/symbols/types/pointer_state.h \
	libdecode/symbols/types/pointer_sums.c \
	libdecode/symbols/types/pointer_sums.h \
	libdecode/symbols/types/pointer_types.c \
	libdecode/symbols/types/pointer_types.h \
	libdecode/symbols/types/result.c \
	libdecode/symbols/types/result.h \
	libdecode/symbols/types/scopes.c \
	libdecode/symbols/types/scopes.h \
	libdecode/symbols/types/split_image.c \
	libdecode/symbols/types/split_image.h \
	libdecode/symbols/types/split_package.c \
	libdecode/symbols/types/split_package.h \
	libdecode/symbols/types/trail.c \
	libdecode/symbols/types/type.c \
	libdecode/symbols/types/type.h \
	libdecode/symbols/types/type_names.c \
	libdecode/symbols/types/unit_ranges.c \
	libdecode/symbols/types/unit_ranges.h \
	libdecode/symbols/types/units.c \
	libdecode/symbols/types/units.h \
	libdecode/symbols/types/variables.c \
	libdecode/symbols/types/variables.h
else
libprecis_la_SOURCES += libdecode/symbols/types/no_types.c
endif
