/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a recording for a mix: samples and stacks to places of code, processes and threads to numbers. */
#ifndef MIX_READING_H
#define MIX_READING_H

#include "analysis/by/names.h"
#include "analysis/mix/events.h"
#include "analysis/mix/program.h"
#include "analysis/mix/sightings.h"
#include "analysis/mix/totals.h"
#include "arguments.h"
#include "command/recording/closing.h"
#include "command/recording/recording.h"
#include "command/symbols/filter_names.h"

/* An event, how its samples are used, and how many there were */
struct mix_reading_event {
	struct mix_event how;
	struct code_streams *streams; /* which stays where it is */
	uint64_t samples, stacks;
	uint64_t user_stacks; /* that were taken in user mode … */
	uint64_t not_frozen; /* … and of these, as code_stack_is_not_frozen() */
};

/* It stays where it is while it is open. */
struct mix_reading {
	struct mix_arguments *arguments;
	struct recording_options options;
	struct selection selection;
	struct filter_names names;
	struct recording recording;
	struct places places;
	struct mix_sightings *sightings;
	struct mix_totals totals;
	struct mix_reading_event *events;
	uint32_t event_count;
	uint64_t wanted[PRECIS_FIELD_WORDS];
	struct precis_sample sample;
	struct numbering contexts; /* process, thread */
	struct names context_names;
	uint32_t *named, named_room; /* by these numbers: numbers of names */
	struct faults faults;
	uint64_t clusters, unlearnt;
	uint64_t addressless, addressless_weight; /* instruction samples without an address; their periods */
	uint64_t latest; /* time of what was taken; 0: nothing had one */
	int is_out_of_order; /* it has to be read in the order of time */
	int failed; /* memory was short */
};

/* EXIT_OK, or an exit code after it has been said why. To be closed in any case */
int mix_reading_open(struct mix_reading *reading, struct mix_arguments *arguments, const char *path);
/* All of it. EXIT_OK or EXIT_FAILED, after it has been said what could not be read */
int mix_reading_read(struct mix_reading *reading);
void mix_reading_close(struct mix_reading *reading);

/* Nothing tells of executions: of each event why neither its addresses nor its stacks do. EXIT_FAILED */
int mix_reading_complain_nothing(const struct mix_reading *reading);

/* "name (number)" of a context; "-" where executions are not told apart by process or thread */
const char *mix_reading_context(const struct mix_reading *reading, uint32_t context);

/* Do instruction samples come by ops; are they all exact; do stacks count something else than branches? */
int mix_reading_is_by_op(const struct mix_reading *reading);
int mix_reading_is_exact(const struct mix_reading *reading);
int mix_reading_is_relative(const struct mix_reading *reading);

/*
 * What was counted in all of what samples are of: instructions or taken branches. MIX_TOTAL_NONE: nothing
 * was, or what is selected is a part
 */
struct mix_total mix_reading_total(const struct mix_reading *reading, enum mix_counts_of what);

#endif
