# SPDX-License-Identifier: BSD-3-Clause
# libprecis: bytes in, samples out.

lib_LTLIBRARIES += libprecis.la

libprecis_la_SOURCES = libdecode/vendors.c
libprecis_la_CFLAGS = $(AM_CFLAGS) $(VISIBILITY_CFLAGS)
libprecis_la_LIBADD =
libprecis_la_LDFLAGS = $(AM_LDFLAGS) $(NO_UNDEFINED) $(BIND_LOCALLY) -version-info $(PRECIS_VERSION_INFO)
EXTRA_libprecis_la_DEPENDENCIES = libdecode/libprecis.map
if HAVE_VERSION_SCRIPT
libprecis_la_LDFLAGS += -Wl,--version-script=$(top_srcdir)/libdecode/libprecis.map
endif
if HAVE_LIBDW
libprecis_la_CFLAGS += $(ELFUTILS_CFLAGS)
libprecis_la_LIBADD += $(ELFUTILS_LIBS)
endif
if HAVE_ZSTD
libprecis_la_CFLAGS += $(ZSTD_CFLAGS)
libprecis_la_LIBADD += $(ZSTD_LIBS)
endif
if HAVE_LIBTRACEEVENT
libprecis_la_CFLAGS += $(LIBTRACEEVENT_CFLAGS)
libprecis_la_LIBADD += $(LIBTRACEEVENT_LIBS)
endif
if HAVE_ZYDIS
libprecis_la_LIBADD += $(ZYDIS_LIBS)
endif

# <precis/...>
pkginclude_HEADERS = \
	libdecode/include/precis/access.h \
	libdecode/include/precis/accesses.h \
	libdecode/include/precis/amd.h \
	libdecode/include/precis/code.h \
	libdecode/include/precis/columns.h \
	libdecode/include/precis/cpu.h \
	libdecode/include/precis/data_source.h \
	libdecode/include/precis/data_types.h \
	libdecode/include/precis/decoder.h \
	libdecode/include/precis/ds.h \
	libdecode/include/precis/errata.h \
	libdecode/include/precis/error.h \
	libdecode/include/precis/escape.h \
	libdecode/include/precis/export.h \
	libdecode/include/precis/feature_number.h \
	libdecode/include/precis/features.h \
	libdecode/include/precis/fields.def \
	libdecode/include/precis/fields.h \
	libdecode/include/precis/file.h \
	libdecode/include/precis/filter.h \
	libdecode/include/precis/ibs.h \
	libdecode/include/precis/input.h \
	libdecode/include/precis/intel.h \
	libdecode/include/precis/kernel_records.h \
	libdecode/include/precis/loss.h \
	libdecode/include/precis/object_file.h \
	libdecode/include/precis/objects.h \
	libdecode/include/precis/pebs.h \
	libdecode/include/precis/pebs_data_source.h \
	libdecode/include/precis/pebs_groups.h \
	libdecode/include/precis/pebs_pt.h \
	libdecode/include/precis/pebs_pt_events.h \
	libdecode/include/precis/pebs_pt_samples.h \
	libdecode/include/precis/pebs_record.h \
	libdecode/include/precis/pebs_sample.h \
	libdecode/include/precis/plan.h \
	libdecode/include/precis/precis_objects.f90 \
	libdecode/include/precis/precis.h \
	libdecode/include/precis/record.h \
	libdecode/include/precis/ring.h \
	libdecode/include/precis/sample.h \
	libdecode/include/precis/sample_parts.h \
	libdecode/include/precis/symbols.h \
	libdecode/include/precis/tool_records.h \
	libdecode/include/precis/tracepoint.h \
	libdecode/include/precis/writer.h

pkgconfig_DATA = precis.pc

EXTRA_DIST += libdecode/libprecis.map

include libdecode/sample/local.mk
include libdecode/ibs/local.mk
include libdecode/pebs/local.mk
include libdecode/plan/local.mk
include libdecode/perf/local.mk
include libdecode/objects/local.mk
include libdecode/symbols/local.mk
include libdecode/code/local.mk
