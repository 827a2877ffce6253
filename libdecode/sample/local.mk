# SPDX-License-Identifier: BSD-3-Clause
# The sample that all vendors share: names, types, values, reasons, the filter.

libprecis_la_SOURCES += \
	libdecode/sample/abi.h \
	libdecode/sample/access.c \
	libdecode/sample/access.h \
	libdecode/sample/access_whys.def \
	libdecode/sample/bit_field.h \
	libdecode/sample/branch_entry.h \
	libdecode/sample/bytes.h \
	libdecode/sample/catalogue.c \
	libdecode/sample/catalogue.h \
	libdecode/sample/cpu.c \
	libdecode/sample/data_source.c \
	libdecode/sample/data_source_members.def \
	libdecode/sample/data_source_text.c \
	libdecode/sample/data_source_values.def \
	libdecode/sample/errata.c \
	libdecode/sample/error.c \
	libdecode/sample/escape.c \
	libdecode/sample/field_text.c \
	libdecode/sample/fields.c \
	libdecode/sample/filter_compile.c \
	libdecode/sample/find_vendor.c \
	libdecode/sample/find_vendor.h \
	libdecode/sample/filter_internal.h \
	libdecode/sample/filter_lex.c \
	libdecode/sample/filter_match.c \
	libdecode/sample/filter_message.c \
	libdecode/sample/filter_text.c \
	libdecode/sample/filter_value.c \
	libdecode/sample/kernel_access.c \
	libdecode/sample/os_release.c \
	libdecode/sample/os_release.h \
	libdecode/sample/perf_sources.def \
	libdecode/sample/sample.c \
	libdecode/sample/text.h \
	libdecode/sample/values.c \
	libdecode/sample/vendor.h \
	libdecode/sample/version.c \
	libdecode/sample/why.c \
	libdecode/sample/words.h
