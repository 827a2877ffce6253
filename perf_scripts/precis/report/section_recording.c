/* SPDX-License-Identifier: BSD-3-Clause */
/* What was recorded, how much of it, and what the figures cannot say because of that. */
#include <inttypes.h>
#include <stdio.h>

#include "perf_scripts/precis/recording/losses.h"
#include "pebs_tables.h"
#include "sections.h"

/*
 * What an event's configuration leaves out, as Linux names it in the PMU's
 * format directory (arch/x86/events/amd/ibs.c). That the hardware kept only L3
 * misses is in each sample and not judged by this.
 */
static const struct {
	uint32_t kind;
	uint64_t config1_bits;
	const char *name, *meaning;
} filters[] = {
	{ PRECIS_EVENT_IBS_OP, 0xfff, "ldlat", "loads whose miss took longer than that" },
	{ PRECIS_EVENT_IBS_OP, 1u << 12, "strmst", "streaming stores" },
	{ PRECIS_EVENT_IBS_FETCH, 0x7ff, "fetchlat", "fetches that took longer than that" },
};

static void core_text(const struct precis_cpu *cpu, char *text, size_t room)
{
	uint32_t cores = precis_cpu_cores(cpu, 0);

	text[0] = '\0';
	if (cpu->vendor == PRECIS_VENDOR_UNKNOWN)
		snprintf(text, room, "model not known: give its --cpuid");
	else if (cores && !(cores & (cores - 1)))
		snprintf(text, room, "%s, family %u model %u stepping %u",
			 precis_core_name((uint32_t)__builtin_ctz(cores)), cpu->family, cpu->model,
			 cpu->stepping);
	else
		snprintf(text, room, "family %u model %u stepping %u", cpu->family, cpu->model,
			 cpu->stepping);
}

static void row_cpu(struct document *document, const struct precis_file *file)
{
	struct precis_file_info info = { .size = sizeof(info) };
	char core[120];

	precis_file_info(file, &info);
	core_text(precis_file_cpu(file), core, sizeof(core));
	row_begin(document, "cpu");
	if (info.cpu_description)
		cell_text(document, "%s (%s)", info.cpu_description, core);
	else
		cell_text(document, "%s", core);
}

static const char *unit_of(const struct collection *collection, uint32_t kind)
{
	static const char *const units[] = {
		[PRECIS_PERIOD_UNIT_CYCLES] = " cycles",
		[PRECIS_PERIOD_UNIT_OPS] = " ops",
		[PRECIS_PERIOD_UNIT_FETCHES] = " fetches",
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

static void rows_events(struct document *document, const struct collection *collection)
{
	const struct precis_file *file = collection->file;

	for (uint32_t n = 0; n < precis_file_event_count(file); n++) {
		const struct precis_event *event = precis_file_event(file, n);
		struct precis_event_counts counts = { .size = sizeof(counts) };

		precis_file_event_counts(file, n, &counts);
		counts.samples += counts.traced;
		if (!counts.samples && event->kind == PRECIS_EVENT_OTHER)
			continue;
		row_begin(document, "event %" PRIu32, n);
		if (event->is_frequency)
			cell_text(document, "%s: %" PRIu64 " samples, frequency %" PRIu64 " Hz",
				  event->name, counts.samples, event->sample_period);
		else if (event->sample_period)
			cell_text(document, "%s: %" PRIu64 " samples, period %" PRIu64 "%s",
				  event->name, counts.samples, event->sample_period,
				  unit_of(collection, event->kind));
		else
			cell_text(document, "%s: %" PRIu64 " samples, period in its config",
				  event->name, counts.samples);
	}
}

static void row_periods(struct document *document, const struct collection *collection)
{
	if (collection->least_period >= collection->most_period)
		return;
	row_begin(document, "periods");
	cell_text(document, "from %" PRIu64 " to %" PRIu64 ": samples do not weigh alike",
		  collection->least_period, collection->most_period);
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
}

/* Losses are the whole recording's, whatever was selected */
static void row_losses(struct document *document, const struct recording *recording)
{
	char text[200];

	losses_in_short(recording, text, sizeof(text));
	row_begin(document, "losses");
	cell_text(document, "%s", text);
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

static void rows_samples(struct document *document, const struct collection *collection,
			 const struct recording *recording, const struct precis_file_counts *counts,
			 const struct report_options *options)
{
	uint64_t undecodable = 0, traced = traced_samples(recording);

	for (uint32_t kind = 0; kind < TOP_KINDS; kind++)
		undecodable += collection->undecodable[kind];
	row_count(document, "samples", counts->samples + traced);
	if (traced)
		row_count(document, "out of Intel PT", traced);
	if (options->is_selected)
		row_count(document, "selected", collection->samples);
	row_count(document, "ibs_op", collection->op.samples);
	row_count(document, "ibs_fetch", collection->fetch.samples);
	row_count(document, "pebs", collection->pebs.samples);
	row_count(document, "undecodable", undecodable);
	row_count(document, "other events", collection->other);
	row_count(document, "unreadable", counts->samples_unread);
}

static void warn_filters(struct document *document, const struct precis_file *file)
{
	for (uint32_t n = 0; n < precis_file_event_count(file); n++) {
		const struct precis_event *event = precis_file_event(file, n);

		for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
			uint64_t value = event->config1 & filters[i].config1_bits;

			if (event->kind == filters[i].kind && value)
				table_note(document,
					   "%s: %s=%" PRIu64 " kept only %s; shares are of these, "
					   "and the period is skewed",
					   event->name, filters[i].name,
					   value / (filters[i].config1_bits &
						    -filters[i].config1_bits),
					   filters[i].meaning);
		}
	}
}

static void warn_auxiliary(struct document *document, const struct precis_file *file)
{
	for (uint32_t n = 0; n < precis_file_event_count(file); n++) {
		const struct precis_event *event = precis_file_event(file, n);

		note_auxiliary(document, precis_file_cpu(file), event, event->name);
	}
}

static void warn_thresholds(struct document *document, const struct precis_file *file)
{
	for (uint32_t n = 0; n < precis_file_event_count(file); n++) {
		const struct precis_event *event = precis_file_event(file, n);
		uint64_t threshold = pebs_threshold(event);

		if (threshold)
			table_note(document,
				   "%s: ldlat=%" PRIu64 " kept only loads that took %" PRIu64
				   " cycles or longer; shares are of these, not of all loads",
				   event->name, threshold, threshold);
	}
}

static void warn_l3_miss_only(struct document *document, const char *what, const struct flag *flag,
			      uint64_t samples)
{
	if (flag->yes)
		table_note(document,
			   "%s: the hardware kept only L3 misses in %" PRIu64 " of %" PRIu64
			   " samples (l3missonly); shares are of these, and the period is skewed",
			   what, flag->yes, samples);
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

static void warn_left_out(struct document *document, const struct pebs_counts *pebs)
{
	if (pebs->left_out)
		table_note(document,
			   "pebs: %" PRIu64 " samples of further events are not summed up: choose "
			   "with --event", pebs->left_out);
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

	precis_file_counts(collection->file, &counts);
	list_begin(document, "recording", "Recording");
	row_begin(document, "file");
	cell_text(document, "%s%s", recording->path,
		  recording->broken ? " (broken: read as far as it goes)" : "");
	row_cpu(document, collection->file);
	rows_events(document, collection);
	row_periods(document, collection);
	row_time(document, collection);
	row_losses(document, recording);
	rows_samples(document, collection, recording, &counts, options);
	warn_l3_miss_only(document, "ibs_op", &collection->op.l3_miss_only, collection->op.samples);
	warn_l3_miss_only(document, "ibs_fetch", &collection->fetch.l3_miss_only,
			  collection->fetch.samples);
	warn_filters(document, collection->file);
	warn_thresholds(document, collection->file);
	warn_auxiliary(document, collection->file);
	warn_mixture(document, &collection->op);
	warn_words(document, &collection->op);
	warn_left_out(document, &collection->pebs);
	warn_unmatched(document, &collection->pebs);
	reasons_tell(&collection->reasons, PRECIS_FIELD_OP, POPULATION(POPULATION_UNDECODABLE),
		     document);
	reasons_tell(&collection->reasons, PRECIS_FIELD_FETCH_COMPLETED,
		     POPULATION(POPULATION_UNDECODABLE), document);
}
