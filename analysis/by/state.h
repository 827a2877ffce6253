/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples by whatever a user asks for: symbols, threads, nodes, pages, fields of the catalogue.
 *
 * With several keys there are rows for the first, in each of them rows for the first two, and so on: a
 * table of its own for each depth, so that a row is as exact as if nobody had asked for more keys.
 */
#ifndef ANALYSIS_BY_STATE_H
#define ANALYSIS_BY_STATE_H

#include "analysis/analysis.h"
#include "analysis/batch.h"
#include "analysis/event_places.h"
#include "analysis/model/cgroup_paths.h"
#include "analysis/model/known_places.h"
#include "analysis/model/model.h"
#include "analysis/objects/lifetimes.h"
#include "analysis/objects/program_types.h"
#include "analysis/objects/side_files.h"
#include "analysis/objects/thread_pointers.h"
#include "analysis/objects/type_votes.h"
#include "analysis/type_page/member_tally.h"
#include "analysis/type_page/shapes.h"
#include "names.h"
#include "nodes.h"
#include "rows.h"
#include "type_methods.h"

/* Columns that rows have: those that were asked for, or those of a page for a type */
#define BY_COLUMNS_HELD 32u

/* What is the same in samples of a group, by its note */
struct by_class {
	uint8_t latency;                /* field + 1; 0: none */
	uint8_t has_own_place;          /* its instruction is the one that was sampled */
	uint8_t why[BY_KEYS_MOST];      /* enum precis_reason, of keys that the sample lacks */
	uint8_t is[BY_COLUMNS_HELD];    /* 0: not known, 1: no, 2: yes */
};

struct by_event {
	struct by_rows rows[BY_KEYS_MOST]; /* by depth */
	struct by_row *total; /* NULL: no sample so far */
	uint32_t latency;     /* of PEBS: field; 0: no sample has had one */
	struct type_tally **types; /* of the type that pages are asked for */
	uint32_t type_count;
	struct weighted untold_types; /* samples of it that have no page: there are too many */
	struct type_methods methods; /* what tells types */
};

/* Those of a recording; of several that are not compared, of all */
struct by_events {
	struct by_event *list[EVENT_KINDS];
	uint32_t count[EVENT_KINDS];
};

/* Where an address is, found once */
struct by_place {
	uint64_t space, address; /* mode 32..34, pid */
	uint32_t epoch;
	int is_known;
	uint32_t object, symbol, file, line; /* numbers of names, and of the line */
	uint64_t offset;
};

/* What an instruction says of its data, asked once */
struct by_access {
	uint64_t address;
	uint32_t pid, epoch;
	uint8_t is_known, is_from_thread; /* so far from the thread's pointer */
	int64_t offset;
};

#define BY_ACCESSES 1024u

/* What the data of a row is in */
struct by_memory {
	struct precis_memory is;
	struct lifetime life; /* what of it was recorded beside */
	uint64_t data; /* its address in the process, without tags */
	uint32_t pid, epoch;
};

/* What the callchain of a row's sample says */
struct by_chained {
	struct by_value caller, stack;
};

#define BY_PLACES 4096u
#define BY_TASKS 1024u

/* The name of a thread, found once */
struct by_task {
	uint32_t tid, epoch;
	int is_known;
	uint32_t name;
};

/* Tables with a latency or without, with rows that may lack something or not, with estimates or not */
#define BY_VARIANTS 8u /* of tables that are no comparison */

/* The heap's block that the data of a row is in, where some are recorded by chance. */
struct by_block {
	int is_of_heap; /* what is known here is of this: else the row stands for itself */
	uint64_t id; /* ROW_BLOCK_UNRECORDED: in none that was recorded */
	double probability;
};

struct by {
	const struct analysis_about *about;
	const struct by_request *request;
	struct by_column columns[BY_COLUMNS_HELD]; /* those asked for, or the usual ones */
	uint32_t column_count;
	uint32_t flags; /* of them BY_IS */
	struct by_column sort;
	uint32_t object_depth; /* from which on rows are of objects; as many as keys: none are */
	struct by_block block; /* of the last sample that keys were asked of */
	uint32_t depths; /* of rows: as many as keys; without a key one row has all */
	int has_values; /* values of latencies are kept */
	uint32_t parts; /* of time, of which rows have the weights */
	int sorts_by_cycles;
	struct by_class *classes;
	uint32_t class_count, class_room;
	struct by_events own;
	struct by_events *others; /* of further recordings, where they are compared */
	uint32_t other_count;
	struct model model;
	int wants_places, wants_symbols, wants_lines, wants_tasks, wants_memory, wants_objects,
		wants_caller, wants_stack;
	struct names names;
	struct by_place places[BY_PLACES];
	struct by_task tasks[BY_TASKS];
	struct by_chained chained[BATCH_ROWS]; /* of the samples that wait for their batch */
	struct precis_sample reader; /* that callchains are read with */
	struct nodes nodes;
	struct program_types types;
	struct type_agreements agreements;
	struct type_votes votes;
	uint32_t told_at; /* the key that counts what tells types; as many as keys: none does … */
	enum by_key told_key; /* … and what it is */
	struct type_told told; /* of the last sample that keys were asked of */
	struct type_shapes shapes;
	struct typed typed; /* what the last sample was told by such a key; its names are those of files */
	struct lifetimes lifetimes;
	struct thread_pointers threads;
	struct by_access accesses[BY_ACCESSES];
	struct side_files side_files; /* that it has read, at the end */
	struct cgroup_paths cgroups;
	struct precis_symbols **taken; /* of other recordings, whose names are told, too */
	uint32_t taken_count;
	struct known_places known; /* of runs that were saved: symbols of instructions, 'name' its object */
	int is_partial; /* rows went that another order of reading would have kept */
	int failed;
	char title[256]; /* names of the keys */
	/* Of tables, which refer to them: of each variant TABLE_COLUMNS_MOST */
	struct column *table_columns;
	uint32_t table_column_count[BY_VARIANTS];
	struct by_own_columns **own_columns; /* likewise of tables of nodes and of types, a list */
};

/* The number of a text; 0: NULL, or memory is short */
static inline uint32_t by_name_of(struct by *by, const char *text)
{
	const uint32_t number = text ? names_add(&by->names, text) : 0;

	by->failed |= text && !number;
	return number;
}

static inline void by_cell(struct document *document, const char *text)
{
	if (text)
		cell_text(document, "%s", text);
	else
		cell_absent(document);
}

#endif
