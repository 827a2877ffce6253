# SPDX-License-Identifier: BSD-3-Clause
# precis(1): options in, a document out. A room includes headers of its own and of those above it here.

bin_PROGRAMS += precis
precis_SOURCES = command/main.c
precis_LDFLAGS = $(PRECIS_LDFLAGS)
precis_LDADD = libanalysis.la libdocument.la libsharing.la libprecis.la libstatistics.la $(LIBM) $(DLOPEN_LIBS)

include command/usage/local.mk
include command/saved/local.mk
include command/recording/local.mk
include command/validity/local.mk
include command/symbols/local.mk
include command/source/local.mk
include command/parts/local.mk
include command/records/local.mk
include command/pebs/local.mk
include command/dump/local.mk
include command/export/local.mk
include command/info/local.mk
include command/listing/local.mk
include command/profiles/local.mk
include command/mix/local.mk
include command/report/local.mk
include command/diff/local.mk
include command/annotate/local.mk
include command/bench/local.mk
include command/plan/local.mk
include command/sharing/local.mk
include command/objects/local.mk
