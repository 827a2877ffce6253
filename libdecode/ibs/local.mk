# SPDX-License-Identifier: BSD-3-Clause
# AMD's registers of Instruction-Based Sampling.

libprecis_la_SOURCES += \
	libdecode/ibs/answers.h \
	libdecode/ibs/bits.c \
	libdecode/ibs/bits.def \
	libdecode/ibs/context.h \
	libdecode/ibs/cores.c \
	libdecode/ibs/cores.def \
	libdecode/ibs/cores.h \
	libdecode/ibs/data_source.c \
	libdecode/ibs/data_source.h \
	libdecode/ibs/decode.h \
	libdecode/ibs/errata.c \
	libdecode/ibs/errata.def \
	libdecode/ibs/errata.h \
	libdecode/ibs/fetch_decode.c \
	libdecode/ibs/fetch_layout.c \
	libdecode/ibs/field_bits.c \
	libdecode/ibs/field_text.c \
	libdecode/ibs/fields.def \
	libdecode/ibs/gates.def \
	libdecode/ibs/learn.c \
	libdecode/ibs/masks.h \
	libdecode/ibs/op.h \
	libdecode/ibs/op_decode.c \
	libdecode/ibs/op_gates.c \
	libdecode/ibs/op_tables.c \
	libdecode/ibs/op_tables.h \
	libdecode/ibs/payload.c \
	libdecode/ibs/payload.h \
	libdecode/ibs/registers.c \
	libdecode/ibs/registers.def \
	libdecode/ibs/registers.h \
	libdecode/ibs/tables.c \
	libdecode/ibs/tables.h \
	libdecode/ibs/transforms.def \
	libdecode/ibs/vendor.c \
	libdecode/ibs/why.c \
	libdecode/ibs/word.c \
	libdecode/ibs/word.h \
	libdecode/ibs/word_levels.def \
	libdecode/ibs/word_whys.def
