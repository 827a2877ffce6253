# SPDX-License-Identifier: BSD-3-Clause
# Instructions: how long, what they do, what they are called. Alone in the tree it knows Zydis and capstone.

if HAVE_ZYDIS
libprecis_la_SOURCES += libdecode/code/code.c
else
libprecis_la_SOURCES += libdecode/code/no_code.c
endif
libprecis_la_SOURCES += \
	libdecode/code/aarch64_branches.h \
	libdecode/code/aarch64_capstone.h \
	libdecode/code/aarch64_text.h \
	libdecode/code/library.h
if HAVE_CAPSTONE
libprecis_la_SOURCES += libdecode/code/aarch64_text.c
libprecis_la_LIBADD += $(DLOPEN_LIBS)
else
libprecis_la_SOURCES += libdecode/code/no_aarch64_text.c
endif

# What analyses count instructions with, and programs have no use for: it uses the library as they do.
noinst_LTLIBRARIES += libcode.la
libcode_la_SOURCES = \
	libdecode/code/aarch64.h \
	libdecode/code/aarch64_branches.h \
	libdecode/code/aarch64_capstone.h \
	libdecode/code/aarch64_flops.def \
	libdecode/code/absence.c \
	libdecode/code/absence.h \
	libdecode/code/absences.def \
	libdecode/code/block.h \
	libdecode/code/blocks.c \
	libdecode/code/blocks.h \
	libdecode/code/blocks_state.c \
	libdecode/code/blocks_state.h \
	libdecode/code/bpf_programs.c \
	libdecode/code/bpf_programs.h \
	libdecode/code/branches.def \
	libdecode/code/cut.c \
	libdecode/code/cut.h \
	libdecode/code/decoded.h \
	libdecode/code/fates.def \
	libdecode/code/figures.def \
	libdecode/code/find_mnemonic.c \
	libdecode/code/flops.def \
	libdecode/code/follow.c \
	libdecode/code/follow.h \
	libdecode/code/form.c \
	libdecode/code/form.h \
	libdecode/code/form_set.c \
	libdecode/code/form_set.h \
	libdecode/code/groups.c \
	libdecode/code/groups.h \
	libdecode/code/instruction.h \
	libdecode/code/jitdump.c \
	libdecode/code/jitdump.h \
	libdecode/code/kept.c \
	libdecode/code/kept.h \
	libdecode/code/pokes.c \
	libdecode/code/pokes.h \
	libdecode/code/refusals.def \
	libdecode/code/run_time_code.c \
	libdecode/code/run_time_code.h \
	libdecode/code/sde_names.c \
	libdecode/code/sde_names.h \
	libdecode/code/specials.def \
	libdecode/code/stack_digest.c \
	libdecode/code/stack_digest.h \
	libdecode/code/streams.c \
	libdecode/code/streams.h \
	libdecode/code/texts.c \
	libdecode/code/texts.h
if HAVE_ZYDIS
libcode_la_SOURCES += \
	libdecode/code/instruction.c
else
libcode_la_SOURCES += \
	libdecode/code/no_instruction.c
endif
if HAVE_CAPSTONE
libcode_la_SOURCES += libdecode/code/aarch64.c
else
libcode_la_SOURCES += libdecode/code/no_aarch64.c
endif
libcode_la_LIBADD = libprecis.la $(DLOPEN_LIBS)
if HAVE_ZYDIS
libcode_la_LIBADD += $(ZYDIS_LIBS)
endif

include libdecode/code/operands/local.mk
