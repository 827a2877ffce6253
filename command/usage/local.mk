# SPDX-License-Identifier: BSD-3-Clause
# How the command is called, and what it complains of.

precis_SOURCES += \
	command/usage/complain.c \
	command/usage/complain.h \
	command/usage/destination.c \
	command/usage/destination.h \
	command/usage/help.c \
	command/usage/help.h \
	command/usage/interruption.c \
	command/usage/interruption.h \
	command/usage/nearest.c \
	command/usage/nearest.h \
	command/usage/option_value.c \
	command/usage/option_value.h \
	command/usage/page_format.c \
	command/usage/page_format.h \
	command/usage/words.c \
	command/usage/words.h
