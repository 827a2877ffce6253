# SPDX-License-Identifier: BSD-3-Clause
# A recording that is read: which samples of it, what was lost, what could not be read.

precis_SOURCES += \
	command/recording/closing.c \
	command/recording/closing.h \
	command/recording/loss_lines.c \
	command/recording/loss_lines.h \
	command/recording/losses.c \
	command/recording/losses.h \
	command/recording/progress.c \
	command/recording/progress.h \
	command/recording/ranges.c \
	command/recording/ranges.h \
	command/recording/recording.c \
	command/recording/recording.h \
	command/recording/selection.c \
	command/recording/selection.h \
	command/recording/span.c \
	command/recording/span.h \
	command/recording/traces.c \
	command/recording/traces.h
