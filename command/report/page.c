/* SPDX-License-Identifier: BSD-3-Clause */
/* See page.h. */
#include "page.h"

#include <string.h>

#include "analysis/analyses.h"
#include "analysis/in_step.h"
#include "analysis/samples.h"
#include "command/recording/losses.h"

/* What is so of all samples because the hardware kept no others */
static void tell_given(struct document *document, const struct analysis_run *run)
{
	const struct samples *samples = analysis_state(run, &analysis_samples);
	const struct flag *ops = &samples->ops.l3_miss_only;
	const struct flag *fetches = &samples->fetches.l3_miss_only;

	if (ops->yes.samples && ops->yes.samples == ops->known.samples)
		precis_fields_add(document->given, PRECIS_FIELD_DCACHE_MISS);
	if (!fetches->yes.samples || fetches->yes.samples != fetches->known.samples)
		return;
	precis_fields_add(document->given, PRECIS_FIELD_ICACHE_MISS);
	precis_fields_add(document->given, PRECIS_FIELD_FETCH_L2_MISS);
	precis_fields_add(document->given, PRECIS_FIELD_FETCH_L3_MISS);
}

int page_add(struct document *document, struct reported *reported)
{
	if (reported->dump)
		section_dump(document, reported);
	else
		section_recording(document, reported);
	return validity_judge(reported);
}

/* Cycles, levels and nodes are what each CPU means by them. */
static void note_cpus(struct document *document, const struct reported *reported, size_t count)
{
	const struct precis_cpu *first = precis_input_cpu(reported[0].input);

	for (size_t n = 1; n < count; n++) {
		if (cpus_are_alike(first, precis_input_cpu(reported[n].input)))
			continue;
		table_note(document,
			   "the recordings are of different CPUs: what is added up here are cycles "
			   "and levels of each");
		return;
	}
}

static void section_key_figures(struct document *document, const struct analysis_run *run,
				const struct reported *reported, size_t count)
{
	static const struct column columns[] = {
		{ "share", "share [95% CI]", 0 },
		{ "of", "of", COLUMN_OF },
	};
	const struct samples *samples = analysis_state(run, &analysis_samples);
	uint32_t topics = 0;

	table_begin(document, "summary", "Key figures", "", columns, 2);
	for (uint32_t n = 0; n < run->count; n++) {
		const struct running *running = &run->running[n];

		if (running->is_missing)
			continue;
		in_step_tell_all(document, &run->about, running->is->of);
		if (running->is->key_shares)
			topics |= running->is->key_shares(document, running->state);
	}
	table_about(document, topics, TABLE_OF_ALL);
	if (!topics)
		table_note(document, samples->all ?
			   "no sample carries what can be decoded of IBS or PEBS: see precis info" :
			   "there are no samples");
	note_cpus(document, reported, count);
	for (uint32_t n = 0; n < run->count; n++) {
		const struct running *running = &run->running[n];

		if (running->is_missing)
			continue;
		in_step_tell_all(document, &run->about, running->is->of);
		if (running->is->key_latencies)
			running->is->key_latencies(document, running->state);
	}
}

void page_finish(struct document *document, const struct analysis_run *run,
		 const struct reported *reported, size_t count)
{
	int is_one_of_several;

	tell_given(document, run);
	if (!run->about.by && !run->about.sharing)
		section_key_figures(document, run, reported, count);
	for (size_t n = 0; n < count && !reported->dump; n++) {
		section_losses(document, reported[n].recording);
		if (reported[n].number)
			table_numbered(document, reported[n].number, ", recording");
	}
	for (uint32_t n = 0; n < run->count; n++) {
		const struct running *running = &run->running[n];

		if (running->is_missing)
			continue;
		in_step_tell_all(document, &run->about, running->is->of);
		if (running->is->tables)
			running->is->tables(document, running->state, &running->reasons);
	}
	is_one_of_several = validity_is_of_several(reported, count);
	in_step_warn(document, &run->about, is_one_of_several);
	for (size_t n = 0; n < count; n++)
		section_validity(document, run, &reported[n], is_one_of_several);
	document_settle(document);
}
