# SPDX-License-Identifier: BSD-3-Clause
# Figures in, a page out: tables, the forms they are printed in, and how these write.

noinst_LTLIBRARIES += libdocument.la
libdocument_la_SOURCES = \
	document/chart.c \
	document/chart.h \
	document/facts.c \
	document/facts.h \
	document/json.c \
	document/json.h \
	document/made_rows.c \
	document/made_rows.h \
	document/matrix.c \
	document/matrix.h \
	document/number_text.c \
	document/number_text.h \
	document/output.c \
	document/output.h \
	document/print.h \
	document/print_csv.c \
	document/print_json.c \
	document/print_text.c \
	document/quote.c \
	document/quote.h \
	document/text_facts.c \
	document/text_facts.h \
	document/text_matrix.c \
	document/text_table.c \
	document/text_table.h \
	document/value_sink.c \
	document/value_sink.h \
	document/wrap.c \
	document/wrap.h
libdocument_la_LIBADD = libprecis.la libstatistics.la
