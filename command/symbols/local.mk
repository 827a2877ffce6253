# SPDX-License-Identifier: BSD-3-Clause
# Where addresses lie and what is there, for people to read.

precis_SOURCES += \
	command/symbols/demangle.h \
	command/symbols/fetch.h \
	command/symbols/filter_names.c \
	command/symbols/filter_names.h \
	command/symbols/options.c \
	command/symbols/options.h \
	command/symbols/places.c \
	command/symbols/places.h \
	command/symbols/rust_names.h

if HAVE_DEMANGLE
precis_SOURCES += command/symbols/demangle.c command/symbols/rust_names.c
precis_LDADD += $(DEMANGLE_LIBS)
else
precis_SOURCES += command/symbols/no_demangle.c
endif

if HAVE_DEBUGINFOD
precis_SOURCES += command/symbols/fetch.c
else
precis_SOURCES += command/symbols/no_fetch.c
endif
