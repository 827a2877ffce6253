# SPDX-License-Identifier: BSD-3-Clause
# Which data an instruction accesses: the type and the member, by its operand and the variables around it.

libcode_la_SOURCES += \
	libdecode/code/operands/absences.def \
	libdecode/code/operands/evidence.def \
	libdecode/code/operands/flow.h \
	libdecode/code/operands/function.h \
	libdecode/code/operands/locals.c \
	libdecode/code/operands/locals.h \
	libdecode/code/operands/pointers.c \
	libdecode/code/operands/pointers.h \
	libdecode/code/operands/state.c \
	libdecode/code/operands/state.h \
	libdecode/code/operands/thread.h \
	libdecode/code/operands/type.c \
	libdecode/code/operands/type.h \
	libdecode/code/operands/types.c \
	libdecode/code/operands/types.h
if HAVE_ZYDIS
libcode_la_SOURCES += \
	libdecode/code/operands/flow.c \
	libdecode/code/operands/function.c \
	libdecode/code/operands/thread.c
else
libcode_la_SOURCES += libdecode/code/operands/no_function.c
endif
