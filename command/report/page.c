/* SPDX-License-Identifier: BSD-3-Clause */
/* See page.h. */
#include "page.h"

#include <string.h>

#include "analysis/analyses.h"
#include "analysis/samples.h"
#include "command/recording/losses.h"

static void section_key_figures(struct document *document, const struct analysis_run *run)
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

		if (running->is->key_shares)
			topics |= running->is->key_shares(document, running->state);
	}
	table_about(document, topics, TABLE_OF_ALL);
	if (!topics)
		table_note(document, samples->all ?
			   "no sample carries what can be decoded of IBS or PEBS: see precis info" :
			   "there are no samples");
	for (uint32_t n = 0; n < run->count; n++) {
		const struct running *running = &run->running[n];

		if (running->is->key_latencies)
			running->is->key_latencies(document, running->state);
	}
}

/* What is so of all samples because the hardware kept no others */
static void tell_given(struct document *document, const struct analysis_run *run)
{
	const struct samples *samples = analysis_state(run, &analysis_samples);
	const struct flag *ops = &samples->ops.l3_miss_only;
	const struct flag *fetches = &samples->fetches.l3_miss_only;

	if (ops->yes && ops->yes == ops->known)
		precis_fields_add(document->given, PRECIS_FIELD_DCACHE_MISS);
	if (!fetches->yes || fetches->yes != fetches->known)
		return;
	precis_fields_add(document->given, PRECIS_FIELD_ICACHE_MISS);
	precis_fields_add(document->given, PRECIS_FIELD_FETCH_L2_MISS);
	precis_fields_add(document->given, PRECIS_FIELD_FETCH_L3_MISS);
}

void page_make(struct document *document, const struct reported *reported)
{
	const struct analysis_run *run = reported->run;

	tell_given(document, run);
	if (reported->dump)
		section_dump(document, reported);
	else
		section_recording(document, reported);
	section_key_figures(document, run);
	if (!reported->dump)
		section_losses(document, reported->recording);
	for (uint32_t n = 0; n < run->count; n++) {
		const struct running *running = &run->running[n];

		if (running->is->tables)
			running->is->tables(document, running->state, &running->reasons);
	}
	section_validity(document, run);
	document_settle(document);
}
