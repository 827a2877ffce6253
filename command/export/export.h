/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * precis export: what its formats get, and their table. They are formats of samples as those of
 * precis dump are, and read as these do; a format here keeps a state of its own between samples.
 */
#ifndef EXPORT_H
#define EXPORT_H

#include "arguments.h"
#include "command/dump/dump.h"
#include "weight.h"

struct export {
	struct dump dump; /* the first member: what a format gets is this */
	const struct export_arguments *arguments;
	const struct export_format *format;
	struct weight weight;
	void *state; /* the format's */
};

/* What of the options means something to a format */
#define EXPORT_WEIGHT (1u << 0)
#define EXPORT_FIELDS (1u << 1)
#define EXPORT_REASONS (1u << 2)
#define EXPORT_SORTED (1u << 3) /* --sorted is a choice: else it always is */
#define EXPORT_FORCE (1u << 4)  /* it is a file that it opens by itself */
#define EXPORT_BINARY (1u << 5) /* nothing for a terminal */
#define EXPORT_LISTS (1u << 6)  /* fields that are neither numbers nor texts, too */

struct export_format {
	struct dump_format dump;
	unsigned int takes; /* EXPORT_* */
	unsigned int parts; /* PART_NEEDS_* that it has to have */
	const char *fields; /* unless others are chosen; NULL: all */
	/* Before anything is read. 0, or -1 after what is wrong has been printed */
	int (*open)(struct export *export);
	void (*close)(struct export *export);
	/* In place of a sample at a time, where nothing but fields is wanted; NULL: it takes none. The
	 * columns are those of the dump, in their order. */
	void (*batch)(struct export *export, const struct precis_columns *columns, uint32_t rows);
};

static inline struct export *export_of(struct dump *dump)
{
	return (struct export *)(void *)dump;
}

/* The format cannot go on: memory is short. */
static inline void export_out_of_memory(struct export *export)
{
	export->dump.is_stopped = 1;
	recording_out_of_memory(export->dump.recording);
}

/* Formats, each in its file */
extern const struct export_format export_arrow;
extern const struct export_format export_arrow_stream;
extern const struct export_format export_chrome;
extern const struct export_format export_firefox;
extern const struct export_format export_folded;
extern const struct export_format export_sqlite;

#endif
