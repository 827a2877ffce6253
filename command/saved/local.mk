# SPDX-License-Identifier: BSD-3-Clause
# The file that precis report --save writes: parts with names, lengths and checksums.

precis_SOURCES += \
	command/saved/parts.c \
	command/saved/parts.h
