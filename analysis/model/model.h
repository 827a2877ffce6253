/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which program ran where, and what its addresses were, for analyses that tell places apart.
 *
 * Which program a process ran is a question of time, and the file has the exec of one CPU perhaps
 * behind samples of another that are later. So records are kept until all are known; where samples must
 * be asked for earlier, or have been counted for the program before, reading starts over and knows all
 * of them beforehand.
 */
#ifndef ANALYSIS_MODEL_H
#define ANALYSIS_MODEL_H

#include <precis/precis.h>

#include "analysis/analysis.h"
#include "analysis/saving/saving.h"
#include "processes.h"
#include "task_records.h"

enum model_phase {
	MODEL_READING, /* records are kept: the symbols know none yet */
	MODEL_TELLING, /* there are too many to keep, or they come sorted: they are told as they come */
	MODEL_COMPLETE /* the symbols know all of the recording */
};

/* Zeroed memory has none: nothing is known of any address. */
struct model {
	enum model_phase phase;
	int names_threads; /* 'threads' is wanted */
	int starts_over;   /* the records not read are to be told, and samples to be read again */
	int is_unsorted;   /* there were too many to keep */
	struct precis_symbols *symbols; /* NULL: not wanted, or … */
	uint32_t sharers; /* so many have of memory what one may have */
	int was_saved; /* … they were, of a run that was saved: what they told is known */
	struct task_records records;
	struct processes processes;
	struct processes threads; /* by tid: when they got another name */
	uint64_t unlearnt; /* records that the symbols had no memory for */
};

/* In place of a pid: the kernel, whose functions come and go as processes begin anew */
#define MODEL_KERNEL UINT32_MAX

/*
 * Of several that read a recording each has its share of the memory that one may have: where that is not
 * enough 'unlearnt' says so, and one is to read it. 0, or -1 if memory is short
 */
int model_begin(struct model *model, const struct analysis_about *about,
		const struct precis_symbols_options *options);
void model_free(struct model *model);

/* Were symbols wanted? */
static inline int model_has_symbols(const struct model *model)
{
	return model->symbols || model->was_saved;
}

/* What it lacks, and that places were looked up, of a run that has finished. */
void model_saved(struct saving *saving, struct model *model);

/* Any record, before the samples behind it. */
void model_record(struct model *model, struct precis_file *file,
		  const struct precis_record *record);

/* The symbols get to know all records that were kept. */
void model_tell(struct model *model, enum model_phase phase);

/* All records have been told: samples come from the first one on. */
void model_again(struct model *model);

/*
 * Which of the programs of that process ran at a time, or under which name the thread did: a number
 * below 2^16, to be asked for by model_time()
 */
static inline uint32_t model_epoch(struct processes *of, uint32_t id, uint64_t time)
{
	struct process *process = process_of(of, id);

	return process ? process_epoch(process, time) : 0;
}

/* The first epoch of the same program */
static inline uint32_t model_program(struct processes *of, uint32_t id, uint32_t epoch)
{
	struct process *process = process_of(of, id);

	return process ? process_program(process, epoch) : 0;
}

/* When that began: something to ask the symbols for. UINT64_MAX: the last one is all that is known */
uint64_t model_time(struct processes *of, uint32_t id, uint32_t epoch);

#endif
