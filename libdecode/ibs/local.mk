libprecis_la_SOURCES += \
	libdecode/ibs/bits.c \
	libdecode/ibs/bits.def \
	libdecode/ibs/context.c \
	libdecode/ibs/context.h \
	libdecode/ibs/cores.c \
	libdecode/ibs/cores.def \
	libdecode/ibs/cores.h \
	libdecode/ibs/data_source.c \
	libdecode/ibs/data_source.h \
	libdecode/ibs/decode.h \
	libdecode/ibs/fetch_decode.c \
	libdecode/ibs/fetch_layout.c \
	libdecode/ibs/field_bits.c \
	libdecode/ibs/op.h \
	libdecode/ibs/op_decode.c \
	libdecode/ibs/op_gates.c \
	libdecode/ibs/op_tables.c \
	libdecode/ibs/op_tables.h \
	libdecode/ibs/payload.c \
	libdecode/ibs/registers.c \
	libdecode/ibs/registers.h \
	libdecode/ibs/vendor.c
