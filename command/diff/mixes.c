/* SPDX-License-Identifier: BSD-3-Clause */
/* See mixes.h. */
#include "mixes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/mix/compare.h"
#include "command/mix/mixed.h"
#include "command/usage/complain.h"
#include "document/facts.h"

#define TITLE_ROOM 64u

/* A recording, which stays where it is */
struct opened {
	struct mix_arguments arguments;
	struct mix_reading reading;
	struct mixed mixed;
	struct mix_pivot pivot;
};

struct mixes {
	struct report_arguments *arguments;
	struct opened *opened; /* by path */
	struct mix_compared_run *runs;
	char title[TITLE_ROOM];
	struct column columns[MIX_COMPARED_COLUMNS];
	size_t column_count;
	struct document document;
};

/* --- one recording --- */

static void take_arguments(struct opened *opened, const struct report_arguments *arguments)
{
	opened->arguments = (struct mix_arguments){
		.command = arguments->command,
		.output = arguments->output,
		.by = arguments->mixes.by,
		.method = MIX_JOINT,
		.cutoff = MIX_CUTOFF,
		.jobs = arguments->jobs,
		.recording = arguments->recording,
		.selection = arguments->selection,
		.symbols = arguments->symbols,
	};
}

static int estimate(struct opened *opened)
{
	const struct recording *recording = &opened->reading.recording;
	const struct mix_observations *seen = mix_sightings_seen(opened->reading.sightings);
	struct mix_pivot_of of = opened->arguments.by;
	int code;

	if (!seen->samples && !seen->stacks)
		return mix_reading_complain_nothing(&opened->reading);
	code = mixed_make(&opened->mixed, &opened->reading, &opened->arguments);
	if (code)
		return code;
	if (!opened->mixed.counts) {
		complain(recording->command, "%s: %s", recording->path,
			 mix_why_text(mix_why(opened->mixed.estimate, MIX_JOINT)));
		return EXIT_FAILED;
	}
	of.label = mix_label;
	of.data = &opened->mixed.labels;
	return mix_pivot_build(&opened->pivot, &opened->mixed.program, &of) < 0 ?
		       recording_out_of_memory(&opened->reading.recording) : EXIT_OK;
}

/* 'is_there': there is an estimate, whatever was wrong with the recording. An exit code */
static int open_recording(struct opened *opened, const char *path, int *is_there)
{
	int code = mix_reading_open(&opened->reading, &opened->arguments, path), read;

	*is_there = 0;
	if (code)
		return code;
	read = mix_reading_read(&opened->reading);
	if (opened->reading.failed)
		return read;
	code = estimate(opened);
	*is_there = !code;
	return code ? code : read;
}

static void close_recording(struct opened *opened)
{
	if (!opened->arguments.command)
		return;
	mix_pivot_free(&opened->pivot);
	mixed_free(&opened->mixed);
	mix_reading_close(&opened->reading);
}

/* --- all of them --- */

#define MODES 3u /* PERF_SAMPLE_BRANCH_USER, PERF_SAMPLE_BRANCH_KERNEL */

/* Whose code was sampled: bit 0 users', bit 1 the kernel's. Of stacks: what branches were asked for */
static unsigned int modes_of_event(const struct precis_event *event, const struct mix_event *how)
{
	const unsigned int own = (event->exclude_user ? 0u : 1u) | (event->exclude_kernel ? 0u : 2u);
	const unsigned int branches = event->layout->branch_sample_type & MODES;

	return (how->no_sample ? 0u : own) | (how->no_stack ? 0u : branches ? branches : own);
}

static unsigned int modes_of(const struct opened *opened)
{
	unsigned int modes = 0;

	for (uint32_t n = 0; n < opened->reading.event_count; n++) {
		const struct mix_reading_event *event = &opened->reading.events[n];

		if (event->samples)
			modes |= modes_of_event(precis_input_event(opened->reading.recording.input, n),
						&event->how);
	}
	return modes;
}

static int check_modes(const struct mixes *mixes)
{
	static const char *const names[] = { "no code", "users' code", "the kernel's code",
					     "users' and the kernel's code" };
	const unsigned int first = modes_of(&mixes->opened[0]);

	for (size_t n = 1; n < mixes->arguments->path_count; n++) {
		const unsigned int modes = modes_of(&mixes->opened[n]);

		if (modes == first)
			continue;
		complain(mixes->arguments->command, "%s cannot be compared with %s: %s was sampled, not %s",
			 mixes->arguments->paths[n], mixes->arguments->paths[0], names[modes], names[first]);
		return EXIT_FAILED;
	}
	return EXIT_OK;
}

/* An exit code; 'are_there': all have an estimate, so that they can be compared whatever was wrong */
static int open_recordings(struct mixes *mixes, int *are_there)
{
	const struct report_arguments *arguments = mixes->arguments;
	size_t there = 0;
	int worst = EXIT_OK;

	for (size_t n = 0; n < arguments->path_count && worst != EXIT_USAGE; n++) {
		struct opened *opened = &mixes->opened[n];
		int is_there, code;

		take_arguments(opened, arguments);
		code = open_recording(opened, arguments->paths[n], &is_there);
		worst = code > worst ? code : worst;
		there += (size_t)is_there;
		mixes->runs[n] = (struct mix_compared_run){ &opened->pivot, opened->mixed.estimate };
	}
	*are_there = there == arguments->path_count;
	if (!*are_there && worst != EXIT_USAGE)
		complain(arguments->command, "a side is not complete: nothing is compared");
	return worst;
}

/* --- the page --- */

struct sentences {
	struct document *document;
	char **text;
	uint32_t count;
};

static void tell_values(void *data, const char *rule, const char *of, const char *sentence,
			const struct compared *compared)
{
	struct sentences *sentences = data;
	struct document *document = sentences->document;
	char **more = realloc(sentences->text, (sentences->count + 1) * sizeof(*more));

	sentences->text = more ? more : sentences->text;
	if (more)
		more[sentences->count] = strdup(sentence);
	if (!more || !more[sentences->count]) {
		document->failed = 1;
		return;
	}
	sentences->count++;
	member_members(document, NULL);
	member_text(document, "rule", rule);
	member_text(document, "of", of);
	member_text(document, "sentence", sentence);
	member_decimal(document, "before", compared->side[0].value);
	member_decimal(document, "after", compared->side[1].value);
	member_decimal(document, "difference", compared->side[1].value - compared->side[0].value);
	member_decimal(document, "difference_low", compared->difference.low);
	member_decimal(document, "difference_high", compared->difference.high);
	close_nest(document);
}

static void add_findings(struct document *document, struct mix_comparing *comparing, uint32_t number)
{
	struct sentences sentences = { .document = document };

	facts_begin(document, "findings", 2, 2);
	facts_title(document, "Findings");
	fact(document, "findings");
	cell_entries(document);
	mix_compare_tell(comparing, tell_values, &sentences);
	close_nest(document);
	for (uint32_t n = 0; n < sentences.count; n++) {
		fact(document, "");
		fact_label(document, "%" PRIu32 ".", n + 1);
		fact_says(document, "%s", sentences.text[n]);
		free(sentences.text[n]);
	}
	if (!sentences.count) {
		fact(document, "");
		fact_label(document, "%s", "");
		fact_says(document, "none: no difference is certainly one");
	}
	free(sentences.text);
	if (number)
		table_numbered(document, number, ", comparison");
}

static void add_comparison(struct mixes *mixes, uint32_t side)
{
	const struct report_arguments *arguments = mixes->arguments;
	const uint32_t runs = arguments->by.runs;
	const struct mix_comparison of = {
		.side = { mixes->runs, mixes->runs + (size_t)side * runs },
		.runs = runs,
		.level = arguments->by.level,
		.top = arguments->top,
		.number = arguments->path_count > 2 * (size_t)runs ? side : 0,
		.columns = mixes->columns,
		.column_count = mixes->column_count,
	};
	struct mix_comparing *comparing = mix_compare_open(&of);

	if (!comparing) {
		mixes->document.failed = 1;
		return;
	}
	add_findings(&mixes->document, comparing, of.number);
	mix_compare_table(comparing, &mixes->document);
	mix_compare_close(comparing);
}

static int print(struct mixes *mixes)
{
	static const int colours[] = { [COLOUR_AUTO] = -1, [COLOUR_ALWAYS] = 1, [COLOUR_NEVER] = 0 };
	static const enum page_format formats[] = { [REPORT_TEXT] = PAGE_TEXT, [REPORT_JSON] = PAGE_JSON,
						    [REPORT_CSV] = PAGE_CSV };
	const struct report_arguments *arguments = mixes->arguments;
	const size_t sides = arguments->path_count / arguments->by.runs;

	mixes->column_count = mix_compare_columns(&arguments->mixes.by, mixes->title, mixes->columns);
	for (uint32_t side = 1; side < sides; side++)
		add_comparison(mixes, side);
	return page_print_coloured(arguments->command, &mixes->document, arguments->output,
				   formats[arguments->format], "rows", colours[arguments->colour]);
}

static void make_title(struct mixes *mixes)
{
	const struct mix_pivot_of *by = &mixes->arguments->mixes.by;
	size_t used = 0;

	for (uint32_t n = 0; n < by->count; n++)
		used += (size_t)snprintf(mixes->title + used, TITLE_ROOM - used, "%s%s", n ? ", " : "",
					 mix_dimension_info(by->dimension[n])->name);
}

int diff_mixes(struct report_arguments *arguments)
{
	struct mixes mixes = { .arguments = arguments };
	int code = EXIT_FAILED, are_there = 0, printed;

	mixes.opened = calloc(arguments->path_count, sizeof(*mixes.opened));
	mixes.runs = calloc(arguments->path_count, sizeof(*mixes.runs));
	make_title(&mixes);
	if (!mixes.opened || !mixes.runs) {
		complain(arguments->command, "out of memory");
	} else {
		code = open_recordings(&mixes, &are_there);
	}
	if (are_there) {
		printed = check_modes(&mixes);
		printed = printed ? printed : print(&mixes);
		code = printed > code ? printed : code;
	}
	for (size_t n = 0; mixes.opened && n < arguments->path_count; n++)
		close_recording(&mixes.opened[n]);
	free(mixes.opened);
	free(mixes.runs);
	return code;
}
