/* SPDX-License-Identifier: BSD-3-Clause */
/* What was recorded, how much of it, and what the figures cannot say because of that. */
#include <inttypes.h>
#include <stdio.h>

#include "command/recording/losses.h"
#include "command/validity/cpu_text.h"
#include "sections.h"

void row_cpu(struct document *document, const struct precis_cpu *cpu, const char *description)
{
	char text[CPU_TEXT], cores[CPU_TEXT];
	int is_known = cpu->vendor != PRECIS_VENDOR_UNKNOWN;

	cpu_text(cpu, text, sizeof(text));
	cpu_cores_text(cpu, cores, sizeof(cores));
	row_begin(document, "cpu");
	if (!is_known)
		snprintf(text, sizeof(text), "model not known: give it with --cpuid");
	if (description)
		cell_text(document, "%s (%s)", description, text);
	else
		cell_text(document, "%s", text);
	member_text(document, "description", description);
	member_text(document, "cores", is_known && *cores ? cores : NULL);
	if (!is_known)
		return;
	member_count(document, "family", cpu->family);
	member_count(document, "model", cpu->model);
	member_count(document, "stepping", cpu->stepping);
}

static const char *unit_of(const struct collection *collection, uint32_t kind)
{
	static const char *const units[] = {
		[PRECIS_PERIOD_UNIT_CYCLES] = "cycles",
		[PRECIS_PERIOD_UNIT_OPS] = "ops",
		[PRECIS_PERIOD_UNIT_FETCHES] = "fetches",
	};

	if (kind == PRECIS_EVENT_IBS_FETCH)
		return units[PRECIS_PERIOD_UNIT_FETCHES];
	for (uint32_t unit = 0; kind == PRECIS_EVENT_IBS_OP && unit + 1 < PERIOD_UNITS; unit++) {
		/* Two units: two events, and no telling here which is which */
		if (collection->op.period_unit[unit])
			return collection->op.period_unit[unit] == collection->op.samples ?
				       units[unit] :
				       "";
	}
	return "";
}

static void row_event(struct document *document, const struct collection *collection,
		      const struct precis_event *event, uint64_t samples)
{
	const char *unit = unit_of(collection, event->kind);

	row_begin(document, "event %" PRIu32, event->index);
	row_in(document, "events");
	if (event->is_frequency)
		cell_text(document, "%s: %" PRIu64 " samples, frequency %" PRIu64 " Hz",
			  event->name, samples, event->sample_period);
	else if (event->sample_period)
		cell_text(document, "%s: %" PRIu64 " samples, period %" PRIu64 "%s%s", event->name,
			  samples, event->sample_period, *unit ? " " : "", unit);
	else
		cell_text(document, "%s: %" PRIu64 " samples, period in its config", event->name,
			  samples);
	member_count(document, "index", event->index);
	member_text(document, "name", event->name);
	member_count(document, "samples", samples);
	if (event->sample_period)
		member_count(document, event->is_frequency ? "frequency" : "period",
			     event->sample_period);
	if (event->sample_period && !event->is_frequency && *unit)
		member_text(document, "unit", unit);
}

static void rows_events(struct document *document, const struct collection *collection)
{
	const struct precis_file *file = collection->file;

	for (uint32_t n = 0; n < precis_file_event_count(file); n++) {
		const struct precis_event *event = precis_file_event(file, n);
		struct precis_event_counts counts = { .size = sizeof(counts) };

		precis_file_event_counts(file, n, &counts);
		counts.samples += counts.traced;
		if (counts.samples || event->kind != PRECIS_EVENT_OTHER)
			row_event(document, collection, event, counts.samples);
	}
}

static void row_periods(struct document *document, const struct collection *collection)
{
	if (collection->least_period >= collection->most_period)
		return;
	row_begin(document, "periods");
	cell_text(document, "from %" PRIu64 " to %" PRIu64 ": samples do not weigh alike",
		  collection->least_period, collection->most_period);
	member_count(document, "least", collection->least_period);
	member_count(document, "most", collection->most_period);
}

static void row_time(struct document *document, const struct collection *collection)
{
	uint64_t first = collection->first_time, last = collection->last_time;
	const uint64_t second = UINT64_C(1000000000);

	row_begin(document, "time");
	if (first > last)
		return;
	cell_text(document,
		  "%" PRIu64 ".%09" PRIu64 " s, from %" PRIu64 ".%09" PRIu64 " to %" PRIu64
		  ".%09" PRIu64, (last - first) / second, (last - first) % second,
		  first / second, first % second, last / second, last % second);
	member_count(document, "duration_ns", last - first);
	member_count(document, "first_ns", first);
	member_count(document, "last_ns", last);
}

void row_file(struct document *document, const struct recording *recording)
{
	row_begin(document, "file");
	cell_text(document, "%s", recording->path);
	if (!recording->broken)
		return;
	row_begin(document, "broken");
	cell_flag(document, "read as far as it goes");
}

static void row_count(struct document *document, const char *name, uint64_t count)
{
	row_begin(document, "%s", name);
	cell_count(document, count);
}

/* Of any event, and of none that is known */
static uint64_t traced_samples(const struct recording *recording)
{
	struct precis_pebs_pt_counts counts = { .size = sizeof(counts) };

	if (recording->traced)
		precis_pebs_pt_samples_counts(recording->traced, &counts);
	return counts.samples;
}

/* IBS samples that told nothing, and payloads that were none although perf's words told something */
static uint64_t undecodable_samples(const struct collection *collection)
{
	return collection->faults.undecodable.count + collection->faults.nothing;
}

static void rows_samples(struct document *document, const struct collection *collection,
			 const struct recording *recording, const struct precis_file_counts *counts,
			 const struct report_options *options)
{
	uint64_t traced = traced_samples(recording);

	row_count(document, "samples", counts->samples + traced);
	if (traced)
		row_count(document, "out of Intel PT", traced);
	if (options->is_selected)
		row_count(document, "selected", collection->samples);
	row_count(document, "ibs_op", collection->op.samples);
	row_count(document, "ibs_fetch", collection->fetch.samples);
	row_count(document, "pebs", collection->pebs.samples);
	row_count(document, "undecodable", undecodable_samples(collection));
	row_count(document, "other events", collection->other);
	row_count(document, "unreadable", counts->samples_unread);
}

static void warn_mixture(struct document *document, const struct op_counts *op)
{
	if (op->period_unit[PRECIS_PERIOD_UNIT_CYCLES] && op->period_unit[PRECIS_PERIOD_UNIT_OPS])
		table_note(document, "ibs_op: %" PRIu64 " samples by cycles and %" PRIu64
			   " by ops are added up here: tell them apart with --event",
			   op->period_unit[PRECIS_PERIOD_UNIT_CYCLES],
			   op->period_unit[PRECIS_PERIOD_UNIT_OPS]);
}

static void warn_words(struct document *document, const struct op_counts *op)
{
	if (op->from_words)
		table_note(document,
			   "ibs_op: %" PRIu64 " of %" PRIu64 " samples have no registers: what "
			   "perf made of them counts here. It tells neither prefetches nor "
			   "load-stores from loads, no kind of other ops, and latencies of loads "
			   "alone that missed the L1",
			   op->from_words, op->samples);
}

static void warn_unmatched(struct document *document, const struct pebs_counts *pebs)
{
	if (pebs->unmatched)
		table_note(document,
			   "pebs: %" PRIu64 " samples out of the Intel PT trace are of no known "
			   "event, and not summed up: no AUX_OUTPUT_HW_ID record tells whose their "
			   "counter was", pebs->unmatched);
}

void section_recording(struct document *document, const struct collection *collection,
		       const struct recording *recording, const struct report_options *options)
{
	struct precis_file_counts counts = { .size = sizeof(counts) };
	struct precis_file_info info = { .size = sizeof(info) };

	precis_file_counts(collection->file, &counts);
	precis_file_info(collection->file, &info);
	list_begin(document, "recording", "Recording");
	row_file(document, recording);
	row_cpu(document, precis_file_cpu(collection->file), info.cpu_description);
	rows_events(document, collection);
	row_periods(document, collection);
	row_time(document, collection);
	row_losses(document, recording);
	rows_samples(document, collection, recording, &counts, options);
	warn_mixture(document, &collection->op);
	warn_words(document, &collection->op);
	warn_unmatched(document, &collection->pebs);
	reasons_tell(&collection->reasons, PRECIS_FIELD_OP, POPULATION(POPULATION_UNDECODABLE),
		     document);
	reasons_tell(&collection->reasons, PRECIS_FIELD_FETCH_COMPLETED,
		     POPULATION(POPULATION_UNDECODABLE), document);
}
