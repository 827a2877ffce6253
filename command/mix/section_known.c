/* SPDX-License-Identifier: BSD-3-Clause */
/* What of all that was seen is known, and what is not and why: parts that add up to what was counted. */
#include "sections.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const struct column columns[] = {
	{ "samples", "samples", 0 },
	{ "counted", "stand for", 0 },
	{ "streams", "streams", 0 },
	{ "reason", "why", COLUMN_LEFT },
	{ "file", NULL, COLUMN_LEFT },
};

static const struct column fate_columns[] = {
	{ "streams", "streams", 0 },
	{ "share", "share", 0 },
};

static void put_row(struct document *document, const char *name, uint64_t samples, uint64_t weight,
		    uint64_t streams)
{
	row_begin(document, "%s", name);
	cell_count(document, samples);
	cell_count(document, weight);
	cell_count(document, streams);
}

static void put_unknown(const struct mixed *mixed, struct document *document)
{
	const struct mix_program *program = &mixed->program;

	for (uint32_t n = 0; n < program->absent_count; n++) {
		const struct mix_absent *absent = &program->absent[n];

		put_row(document, mix_label_module(absent->text), absent->samples, absent->weight,
			absent->streams);
		cell_text(document, "%s", absent->why);
		if (absent->text)
			cell_text(document, "%s", code_text_name(absent->text));
	}
}

static void put_addressless(const struct mix_reading *reading, struct document *document)
{
	if (!reading->addressless)
		return;
	put_row(document, "samples without an address", reading->addressless, reading->addressless_weight, 0);
	cell_text(document, "the processor marked it as not valid");
}

static void put_code(const struct mixed *mixed, struct document *document)
{
	const struct mix_program *program = &mixed->program;
	const struct mix_reading *reading = mixed->reading;
	const uint64_t streams = mix_program_streams(program);
	const uint64_t counted = mix_weight_of_samples(&program->seen);
	uint64_t samples = program->seen.samples, weight = counted, unknown = 0, lost = 0;

	for (uint32_t n = 0; n < program->absent_count; n++) {
		samples -= program->absent[n].samples;
		weight -= program->absent[n].weight;
		unknown += program->absent[n].streams;
	}
	for (uint32_t n = 0; n < CODE_FATES; n++)
		lost += code_fate_is_kept(n) ? 0 : program->fates[n];
	table_begin(document, "known", "Where code is known, and where it is not", "", columns,
		    COUNT_OF(columns));
	put_row(document, "code that is known", samples, weight, streams - unknown - lost);
	put_unknown(mixed, document);
	put_addressless(reading, document);
	put_row(document, "streams that never ran so", 0, 0, lost);
	cell_text(document, "see below");
	put_row(document, "all", program->seen.samples + reading->addressless,
		counted + reading->addressless_weight, streams);
	row_is_sum(document);
}

static void put_fates(const struct mixed *mixed, struct document *document)
{
	const struct mix_program *program = &mixed->program;
	const uint64_t streams = mix_program_streams(program);

	if (!streams)
		return;
	table_begin(document, "streams", "Streams of branch stacks: code from one taken branch to the next",
		    "", fate_columns, COUNT_OF(fate_columns));
	for (uint32_t n = 0; n < CODE_FATES; n++) {
		if (!program->fates[n])
			continue;
		row_begin(document, "%s", code_fate_text(n));
		cell_count(document, program->fates[n]);
		cell_share_between(document, (double)program->fates[n] / (double)streams, NAN, NAN,
				   streams);
	}
	row_begin(document, "all");
	row_is_sum(document);
	cell_count(document, streams);
}

static void put_stale(const struct mixed *mixed, struct document *document)
{
	static const struct column stale_columns[] = { { "streams", "streams", 0 } };
	const struct mix_program *program = &mixed->program;
	const uint32_t top = mixed->arguments->top;
	struct mix_labels labels = mixed->labels;

	if (!program->stale)
		return;
	table_begin(document, "stale", "Functions whose code was another one than is known", "function",
		    stale_columns, COUNT_OF(stale_columns));
	for (uint32_t n = 0; n < program->stale_texts.count && (!top || n < top); n++) {
		row_begin(document, "%s", mix_label_stale(&labels, n));
		cell_count(document, program->stale_streams[n]);
	}
	if (top && program->stale_texts.count > top)
		table_note(document, "%u more functions are not shown (--top)",
			   program->stale_texts.count - top);
}

void section_known(const struct mixed *mixed, struct document *document)
{
	put_code(mixed, document);
	put_fates(mixed, document);
	put_stale(mixed, document);
}
