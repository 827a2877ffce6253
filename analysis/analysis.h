/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an analysis is: which samples it is of, which fields of them it wants, and what it does with
 * them. It prints nothing and opens nothing; it gives figures (statistics/table.h).
 *
 * Most that a sample says (kind of op, level, page size, branch outcome, and why the rest is absent)
 * follows from a few bits of its registers, of which a recording has a few hundred combinations. So
 * an analysis does not see one sample after the other: it gets a sample decoded in full for each
 * group of those that it does not tell apart, with their number, and says where the numbers go in
 * which they differ. That is as exact as if it saw each, and costs next to nothing.
 *
 * An analysis to which each sample matters by itself (its address, its time) takes batches: columns
 * of the fields that it asks for, and the group that each row is of.
 *
 * A new one: a file or folder here with its struct analysis, a row in list.c, a section in the
 * manual, tests.
 */
#ifndef ANALYSIS_ANALYSIS_H
#define ANALYSIS_ANALYSIS_H

#include <precis/precis.h>

#include "statistics/table.h"
#include "statistics/weighted.h"
#include "latencies.h"
#include "reasons.h"

/* Whose samples an analysis is of */
enum analysis_of {
	ANALYSIS_OF_OPS,     /* ibs_op: registers, or what the kernel made of them */
	ANALYSIS_OF_FETCHES, /* ibs_fetch */
	ANALYSIS_OF_PEBS,    /* events of Intel's PEBS */
	ANALYSIS_OF_ALL      /* all, also those that nothing precise is known of */
};

/* Numbers of one sample that one analysis counts */
#define ANALYSIS_NUMBERS 4u

/* A list of fields ends with it. */
#define FIELDS_END 0xff

struct sample_batch;
struct event_places;
struct findings;
struct analysis_recordings;
struct analysis_merge;
struct by_request;
struct sharing_request;
struct in_step;
struct saving;
struct saved_field;

/* Samples that an analysis does not tell apart, but for their numbers. */
struct sample_group {
	const struct precis_sample *sample; /* the first of them, decoded for all that anybody wants */
	const struct weighted *weighted; /* all of them */
	uint32_t place; /* of their event among those of their kind (event_places.h), from 1; 0: none */
};

#define EVENT_KINDS 4u /* enum precis_event_kind */

/* What is read, and what a user asked for. It stays where it is as long as the analyses run. */
struct analysis_about {
	const struct precis_input *input;
	const char *path; /* the recording's; NULL: it has none */
	int is_sorted;   /* records come in the order of their times */
	int is_selected; /* some samples are left out */
	int is_filtered; /* likewise, by what they tell */
	int may_be_shared; /* several may read it, each some parts */
	int is_behind;   /* other runs count the parts before, and parts are to be kept for them */
	uint32_t readers; /* so many read it now, of which this is one; 0: it is the only one */
	uint32_t top;    /* rows of tables that list the most frequent */
	uint32_t order;  /* enum top_order, of places */
	uint64_t first_time, last_time; /* ns, of the input's samples, where 'by' needs to know */
	const struct by_request *by; /* by what to tell samples apart, and nothing else; NULL: all */
	const struct sharing_request *sharing; /* who shares lines with whom, and nothing else; NULL: all */
	const struct precis_symbols_options *symbols; /* NULL: places get none */
	char *(*demangle)(const char *symbol); /* a name to be freed, or NULL; NULL: as they are */
	/* Set by the run: what it is of, and by kind the events that are told apart */
	const struct analysis_recordings *recordings;
	const struct event_places *events[EVENT_KINDS];
	const struct in_step *in_step; /* see in_step.h */
};

struct analysis {
	const char *name;
	enum analysis_of of;
	size_t state_bytes; /* of its state, which begins zeroed */
	const uint8_t *decided; /* fields that tell its groups apart. NULL here and below: none */
	const uint8_t *numbers; /* at most ANALYSIS_NUMBERS, which 'number' counts */
	const uint8_t *explained; /* fields of which its tables tell why samples lack them */

	/* Any of these may be NULL. What returns int: 0, or -1 if memory is short. */
	/* Is it asked for? NULL: where nobody asks for one thing alone */
	int (*is_wanted)(const struct analysis_about *about);
	int (*begin)(void *state, const struct analysis_about *about);
	/* More fields that tell its groups apart, as 'decided', which depend on what was asked for */
	void (*decides)(const void *state, uint8_t fields[PRECIS_FIELD_COUNT + 1]);
	/*
	 * What tells groups apart of a decided field of an IBS payload: the same for what is the same to
	 * it. 'value' NULL: it is absent. NULL: each value, and reasons that are explained
	 */
	uint32_t (*apart)(uint32_t field, const uint64_t *value);
	/* Where the n-th number of 'numbers' of such samples goes; NULL: nowhere */
	struct latencies **(*number)(void *state, const struct sample_group *group, uint32_t n);
	/* All samples of a group; it may come again with others. */
	int (*settle)(void *state, const struct sample_group *group);
	/* Fields of each sample that 'batch' wants: fills in the list, which ends with FIELDS_END */
	void (*columns)(const void *state, uint8_t fields[PRECIS_FIELD_COUNT + 1]);
	/* What 'batch' is to know of a group: a word of its own. */
	uint32_t (*note)(void *state, const struct sample_group *group);
	int (*batch)(void *state, const struct sample_batch *batch);
	/*
	 * A sample by itself, before the batch that has it as that row: for what of it is no field.
	 * Samples are told one by one then, which is slower: does it want that? Asked at the start.
	 */
	void (*sample)(void *state, struct precis_input *input, const struct precis_sample *sample,
		       uint32_t row);
	int (*sees_samples)(const void *state);
	/* Records other than samples, behind the batches of all samples before them. */
	int (*record)(void *state, struct precis_file *file, const struct precis_record *record);
	/*
	 * Records may be told behind samples that stand behind them in the file, if all have times: what
	 * that may change is known by 'starts_over'. 0: no. Of no matter without 'record'
	 */
	int takes_late_records;
	/* Does 'record' take samples, too, as those of tracepoints? Asked when events become known. */
	int (*takes_samples)(const void *state);
	/*
	 * Have records come too late: would samples have counted otherwise? Then all analyses start
	 * over, once this one has been told of all records; 'again' forgets nothing but samples.
	 */
	int (*starts_over)(const void *state);
	int (*again)(void *state);
	/* All has been read, by one alone: would it tell more if it were read once more? Likewise. */
	int (*reads_again)(void *state);
	int (*finish)(void *state);
	/* What another run counted, too, which has finished as well; what is the other's may go over. */
	int (*merge)(void *state, void *other, const struct analysis_merge *how);
	/*
	 * How it is saved once it has finished, and loaded into one that has begun (saving/fields.h): a table
	 * of the state's members, and what no table says; one of the two there must be. Loaded it has what
	 * 'merge' and all below it want. 'about' has the events that are told apart.
	 */
	const struct saved_field *saved;
	void (*saves)(struct saving *saving, void *state);
	uint32_t since; /* the version of what is saved that it came with (SAVING_VERSION); 0: the first */
	/*
	 * What bounds its memory by leaving something out would leave out something else if samples came
	 * in another order. Where a recording is read by parts, which are the same however many read it,
	 * it is told of the end of each, and counts each by itself: then it is only the order of parts.
	 */
	int (*part)(void *state);
	/*
	 * When all is read: has it not kept parts apart, and might so many others like it be too much
	 * together? Then it is to start over.
	 */
	int (*is_crowded)(const void *state, uint32_t others);
	/*
	 * Has merging parts of one recording left out what reading it in one go would have kept? Then
	 * it is to be read so.
	 */
	int (*is_partial)(const void *state);
	/* Records that it would have kept, and there was no memory for */
	uint64_t (*unlearnt)(const void *state);
	void (*free)(void *state);

	/* Rows of the key figures' table of shares, and the tables of those that are latencies */
	uint32_t (*key_shares)(struct document *document, const void *state);
	void (*key_latencies)(struct document *document, const void *state);
	/* What is to be looked at first (findings/findings.h) */
	void (*findings)(struct findings *findings, const void *state);
	void (*tables)(struct document *document, const void *state, const struct reasons *reasons);
};

#endif
