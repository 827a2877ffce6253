# SPDX-License-Identifier: BSD-3-Clause
# Where addresses lie and what is there, for people to read.

precis_SOURCES += \
	perf_scripts/precis/symbols/demangle.h \
	perf_scripts/precis/symbols/names.c \
	perf_scripts/precis/symbols/names.h \
	perf_scripts/precis/symbols/options.c \
	perf_scripts/precis/symbols/options.h \
	perf_scripts/precis/symbols/places.c \
	perf_scripts/precis/symbols/places.h

if HAVE_DEMANGLE
precis_SOURCES += perf_scripts/precis/symbols/demangle.c
precis_LDADD += $(DEMANGLE_LIBS)
else
precis_SOURCES += perf_scripts/precis/symbols/no_demangle.c
endif
