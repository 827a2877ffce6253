# SPDX-License-Identifier: BSD-3-Clause
# precis fields, precis errata.

precis_SOURCES += \
	command/listing/command.h \
	command/listing/errata.c \
	command/listing/fields.c \
	command/listing/listing.c \
	command/listing/listing.h
