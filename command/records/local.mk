# SPDX-License-Identifier: BSD-3-Clause
# Bodies of records other than samples.

precis_SOURCES += \
	command/records/bodies.c \
	command/records/bodies.h \
	command/records/lists.c \
	command/records/lists.h \
	command/records/members.c \
	command/records/members.h \
	command/records/record_sink.c \
	command/records/record_sink.h
