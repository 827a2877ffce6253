/* SPDX-License-Identifier: BSD-3-Clause */
/* What was recorded, how much of it, and what the figures cannot say because of that. */
#include <inttypes.h>
#include <stdio.h>

#include "command/recording/losses.h"
#include "analysis/cpu_text.h"
#include "analysis/kinds.h"
#include "analysis/samples.h"
#include "command/recording/traces.h"
#include "sections.h"

void list_of_reported(struct document *document, const struct reported *reported, const char *title)
{
	list_begin(document, "recording", title);
	if (reported->number)
		table_numbered(document, reported->number, "");
}

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

static const char *unit_of(const struct precis_event *event)
{
	static const char *const units[] = {
		[PRECIS_PERIOD_UNIT_CYCLES] = "cycles",
		[PRECIS_PERIOD_UNIT_OPS] = "ops",
		[PRECIS_PERIOD_UNIT_FETCHES] = "fetches",
	};

	if (event->kind == PRECIS_EVENT_IBS_FETCH)
		return units[PRECIS_PERIOD_UNIT_FETCHES];
	return event->kind == PRECIS_EVENT_IBS_OP ? units[op_event_unit(event)] : "";
}

static void row_event(struct document *document, const struct precis_event *event, uint32_t number,
		      uint64_t samples)
{
	const char *unit = unit_of(event);

	row_begin(document, "event %" PRIu32, number);
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
	member_count(document, "index", number);
	member_text(document, "name", event->name);
	member_count(document, "samples", samples);
	if (event->sample_period)
		member_count(document, event->is_frequency ? "frequency" : "period",
			     event->sample_period);
	if (event->sample_period && !event->is_frequency && *unit)
		member_text(document, "unit", unit);
}

static void rows_events(struct document *document, const struct reported *reported)
{
	const struct precis_file *file = reported->recording->file;

	for (uint32_t n = 0; n < precis_file_event_count(file); n++) {
		const struct precis_event *event = precis_file_event(file, n);
		struct precis_event_counts counts = { .size = sizeof(counts) };

		precis_file_event_counts(file, n, &counts);
		counts.samples += counts.traced;
		if (counts.samples || event->kind != PRECIS_EVENT_OTHER)
			row_event(document, event, reported->first_event + n, counts.samples);
	}
}

static void row_periods(struct document *document, const struct samples *samples)
{
	if (samples->least_period >= samples->most_period)
		return;
	row_begin(document, "periods");
	cell_text(document, "from %" PRIu64 " to %" PRIu64 ": samples do not weigh alike",
		  samples->least_period, samples->most_period);
	member_count(document, "least", samples->least_period);
	member_count(document, "most", samples->most_period);
}

static void row_time(struct document *document, const struct samples *samples)
{
	uint64_t first = samples->first_time, last = samples->last_time;
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

void row_count(struct document *document, const char *name, uint64_t count)
{
	row_begin(document, "%s", name);
	cell_count(document, count);
}

/* Of any event, and of none that is known */
static uint64_t traced_samples(const struct recording *recording)
{
	struct precis_pebs_pt_counts counts = { .size = sizeof(counts) };

	return recording_traces(recording, &counts) ? counts.samples : 0;
}

static void rows_samples(struct document *document, const struct reported *reported,
			 const struct samples *samples)
{
	struct precis_file_counts counts = { .size = sizeof(counts) };
	uint64_t traced = traced_samples(reported->recording);

	precis_file_counts(reported->recording->file, &counts);
	row_count(document, "samples", counts.samples + traced);
	if (traced)
		row_count(document, "out of Intel PT", traced);
	if (reported->run->about.is_selected)
		row_count(document, "selected", samples->all);
	row_count(document, "ibs_op", samples->ops.count);
	row_count(document, "ibs_fetch", samples->fetches.count);
	row_count(document, "pebs", samples->pebs);
	/* samples that told nothing, and payloads that were none although perf's words told something */
	row_count(document, "undecodable",
		  reported->faults->undecodable.count + reported->faults->nothing);
	row_count(document, "other events", samples->others);
	row_count(document, "unreadable", counts.samples_unread);
}

static void tell_units(struct document *document, const struct samples *samples)
{
	if (samples->period_unit[PRECIS_PERIOD_UNIT_CYCLES] && samples->period_unit[PRECIS_PERIOD_UNIT_OPS])
		table_note(document, "ibs_op: %" PRIu64 " samples by cycles and %" PRIu64
			   " by micro-ops are not added up: each have tables of their own",
			   samples->period_unit[PRECIS_PERIOD_UNIT_CYCLES],
			   samples->period_unit[PRECIS_PERIOD_UNIT_OPS]);
}

static void warn_words(struct document *document, const struct samples *samples)
{
	if (samples->ops_from_words)
		table_note(document,
			   "ibs_op: %" PRIu64 " of %" PRIu64 " samples have no registers: what "
			   "perf made of them counts here. It tells neither prefetches nor "
			   "load-stores from loads, no kind of other ops, and latencies of loads "
			   "alone that missed the L1",
			   samples->ops_from_words, samples->ops.count);
}

static void warn_unmatched(struct document *document, const struct samples *samples)
{
	if (samples->pebs_unmatched)
		table_note(document,
			   "pebs: %" PRIu64 " samples out of the Intel PT trace are of no known "
			   "event, and not summed up: no AUX_OUTPUT_HW_ID record tells whose their "
			   "counter was", samples->pebs_unmatched);
}

void section_recording(struct document *document, const struct reported *reported)
{
	const struct samples *samples = analysis_state(reported->run, &analysis_samples);
	const struct precis_file *file = reported->recording->file;
	struct precis_file_info info = { .size = sizeof(info) };

	precis_file_info(file, &info);
	list_of_reported(document, reported, "Recording");
	row_file(document, reported->recording);
	row_cpu(document, precis_file_cpu(file), info.cpu_description);
	rows_events(document, reported);
	row_periods(document, samples);
	row_time(document, samples);
	row_losses(document, reported->recording);
	rows_samples(document, reported, samples);
	tell_units(document, samples);
	warn_words(document, samples);
	warn_unmatched(document, samples);
	reasons_tell(&samples->undecodable, PRECIS_FIELD_OP, POPULATION(POPULATION_UNDECODABLE),
		     document);
	reasons_tell(&samples->undecodable, PRECIS_FIELD_FETCH_COMPLETED,
		     POPULATION(POPULATION_UNDECODABLE), document);
}
