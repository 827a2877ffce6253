libprecis_la_SOURCES += \
	libdecode/sample/bytes.h \
	libdecode/sample/catalogue.c \
	libdecode/sample/catalogue.h \
	libdecode/sample/cpu.c \
	libdecode/sample/errata.c \
	libdecode/sample/errata.def \
	libdecode/sample/error.c \
	libdecode/sample/field_text.c \
	libdecode/sample/fields.c \
	libdecode/sample/filter_internal.h \
	libdecode/sample/filter_compile.c \
	libdecode/sample/filter_lex.c \
	libdecode/sample/filter_match.c \
	libdecode/sample/filter_message.c \
	libdecode/sample/filter_value.c \
	libdecode/sample/ibs_gates.def \
	libdecode/sample/ibs_registers.def \
	libdecode/sample/ibs_transforms.def \
	libdecode/sample/sample.c \
	libdecode/sample/text.h \
	libdecode/sample/values.c \
	libdecode/sample/version.c \
	libdecode/sample/why.c \
	libdecode/sample/words.h
