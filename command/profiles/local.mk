# SPDX-License-Identifier: BSD-3-Clause
# How often blocks and branches of a program ran, as compilers and BOLT read it.

precis_SOURCES += \
	command/profiles/autofdo.c \
	command/profiles/bolt.c \
	command/profiles/nests.c \
	command/profiles/nests.h \
	command/profiles/profile.h
