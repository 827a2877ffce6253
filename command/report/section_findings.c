/* SPDX-License-Identifier: BSD-3-Clause */
/* What to look at first: what analyses offer, and what the recordings say of how they were made. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analyses.h"
#include "analysis/findings/findings.h"
#include "analysis/ibs_config.h"
#include "analysis/in_step.h"
#include "analysis/samples.h"
#include "command/usage/words.h"
#include "command/validity/latency_filter.h"
#include "document/facts.h"
#include "sections.h"

/* --- how the recordings were made --- */

static void offer_losses(struct findings *findings, const struct reported *reported, size_t count)
{
	struct finding found = { .count = 0 };

	for (size_t n = 0; n < count; n++) {
		const struct precis_file *file = precis_input_file(reported[n].input);
		struct precis_file_counts counts = { .size = sizeof(counts) };

		precis_file_counts(file, &counts);
		found.count += recording_gaps_of(file, PRECIS_LOSS_ANY).lost;
		found.total += counts.samples;
	}
	if (found.count)
		found.size = (double)found.count / ((double)found.count + (double)found.total);
	findings_count(findings, &found, FINDING_ID_lost);
}

/* Those of a file are the same in each part: none is of a unit. */
static void offer_undecodable(struct findings *findings, const struct report_part *parts, size_t part_count)
{
	struct finding found = { .count = 0 };

	for (size_t n = 0; n < part_count; n++) {
		const struct samples *samples = analysis_state(parts[n].run, &analysis_samples);

		found.total += samples->ops.count + samples->fetches.count;
	}
	for (size_t n = 0; n < parts->count; n++) {
		const struct faults *faults = parts->reported[n].faults;

		found.count += faults->undecodable.count + faults->nothing;
	}
	found.total += found.count;
	if (found.count)
		found.size = (double)found.count / (double)found.total;
	findings_count(findings, &found, FINDING_ID_undecodable);
}

#define PERIOD_LEAST 1000u /* smaller ones, of events that are rare, are meant */
#define PERIOD_MOST UINT32_MAX

static void offer_period(struct findings *findings, const struct precis_event *event)
{
	const int is_ibs = event->kind == PRECIS_EVENT_IBS_OP || event->kind == PRECIS_EVENT_IBS_FETCH;
	const uint64_t period = event->sample_period;
	struct finding found = { .count = period, .where = (char *)(uintptr_t)event->name, .size = 1 };

	if (event->is_frequency || period < PERIOD_LEAST || period > PERIOD_MOST ||
	    (period % 1000 && (period & (period - 1))) ||
	    (event->kind == PRECIS_EVENT_IBS_FETCH && event->config & IBS_FETCH_RANDOM))
		return;
	found.advice = in_step_other_period(period, is_ibs ? 16 : 1);
	findings_count(findings, &found, FINDING_ID_round_period);
}

/* Does it count what the PMU does, without telling exactly where? */
static int is_imprecise(const struct precis_event *event)
{
	enum { SOFTWARE = 1, TRACEPOINT = 2, BREAKPOINT = 5 };

	return event->kind == PRECIS_EVENT_OTHER && !event->precise_ip && event->type != SOFTWARE &&
	       event->type != TRACEPOINT && event->type != BREAKPOINT &&
	       event->layout->sample_type & PRECIS_SAMPLE_IP;
}

static void offer_event(struct findings *findings, const struct precis_file *file,
			const struct precis_event *event)
{
	struct precis_throttled_share share = { .size = sizeof(share) };
	struct finding found = { .where = (char *)(uintptr_t)event->name };

	offer_period(findings, event);
	if (!precis_file_throttled_share(file, event->index, PRECIS_LOSS_ANY, &share) && share.of_ns) {
		found.size = fmin(1, (double)share.throttled_ns / (double)share.of_ns);
		findings_count(findings, &found, FINDING_ID_throttled);
	}
	found.count = latency_threshold_of(event);
	found.size = 1;
	if (found.count)
		findings_count(findings, &found, FINDING_ID_latency_threshold);
}

/* All events of all recordings that are not precise; the first gives its name. They are of the first part. */
static void offer_imprecise(struct findings *findings, const struct report_part *parts, size_t part_count)
{
	const struct reported *reported = parts->reported;
	struct finding found = { .count = 0 };

	for (size_t n = 0; n < part_count; n++) {
		const struct samples *samples = analysis_state(parts[n].run, &analysis_samples);

		found.total += samples->all;
	}
	for (size_t n = 0; n < parts->count; n++) {
		for (uint32_t i = 0; i < reported[n].judged_count; i++) {
			const struct precis_event *event = reported[n].judged[i].event;
			struct precis_event_counts counts = { .size = sizeof(counts) };

			if (!is_imprecise(event))
				continue;
			precis_file_event_counts(precis_input_file(reported[n].input), event->index,
						 &counts);
			found.count += counts.samples;
			found.where = found.where ? found.where : (char *)(uintptr_t)event->name;
		}
	}
	found.size = found.total ? (double)found.count / (double)found.total : 0;
	findings_count(findings, &found, FINDING_ID_not_precise);
}

/* What the hardware left out of samples of one unit: all are the same, or it is told nowhere */
static void offer_l3_misses(struct findings *findings, const struct flag *kept, const char *of)
{
	const struct finding found = {
		.size = kept->known.samples && kept->yes.samples == kept->known.samples,
		.count = kept->yes.samples,
		.of = (char *)(uintptr_t)of,
	};

	findings_count(findings, &found, FINDING_ID_l3_misses_alone);
}

/* Of all parts together */
static void offer_recordings(struct findings *findings, const struct report_part *parts, size_t part_count)
{
	offer_losses(findings, parts->reported, parts->count);
	offer_undecodable(findings, parts, part_count);
	/* of a selection the file does not tell how many are of which event */
	if (!parts->run->about.is_selected)
		offer_imprecise(findings, parts, part_count);
}

/* What its events and its samples were recorded with */
static void offer_settings(struct findings *findings, const struct report_part *part)
{
	const struct samples *samples = analysis_state(part->run, &analysis_samples);

	for (size_t n = 0; n < part->count; n++) {
		const struct reported *reported = &part->reported[n];

		for (uint32_t i = 0; i < reported->judged_count; i++)
			offer_event(findings, precis_input_file(reported->input),
				    reported->judged[i].event);
	}
	offer_l3_misses(findings, &samples->fetches.l3_miss_only, "fetches");
	findings_of_ops(findings, 1);
	offer_l3_misses(findings, &samples->ops.l3_miss_only, "ops");
	if (samples->ops.count &&
	    samples->period_unit[PRECIS_PERIOD_UNIT_OPS] == samples->ops.count) {
		const struct finding found = { .where = "ibs_op", .size = 1 };

		findings_count(findings, &found, FINDING_ID_ops_not_time);
	}
	findings_of_ops(findings, 0);
}

/* --- the section --- */

/* In JSON and CSV; text has it in the facts behind it */
static void tell_values(struct document *document, const struct finding *finding, const char *text,
			const char *command)
{
	const enum finding_kind kind = finding->rule->kind;

	member_members(document, NULL);
	member_text(document, "name", finding->rule->name);
	member_text(document, "text", text);
	if (kind == FINDING_COUNT) {
		member_absent(document, "share", NULL);
		member_count(document, "count", finding->count);
		member_count(document, "total", finding->total);
	} else {
		document_depend(document, finding->effect);
		member_share(document, "share", &finding->part, &finding->whole, kind != FINDING_SHARE);
		document_depend(document, 1);
		member_absent(document, "count", NULL);
		member_absent(document, "total", NULL);
	}
	member_decimal(document, "size", finding->size);
	member_text(document, "unit", finding->unit);
	member_text(document, "of", finding->of);
	member_text(document, "where", finding->where);
	member_text(document, "command", command);
	close_nest(document);
}

static void tell_text(struct document *document, size_t number, const char *text, const char *command)
{
	fact(document, "");
	fact_label(document, "%zu.", number);
	fact_says(document, "%s", text);
	fact_says_line(document, "%s", "");
	fact_says_word(document, command);
}

/* What the finding is of is chosen by the options of its part. */
struct report_words {
	const struct report_part *parts;
	size_t part_count;
	const char *options, *files;
};

static const char *options_of(const struct finding *finding, const struct report_words *words)
{
	for (size_t n = 0; finding->unit && n < words->part_count; n++) {
		if (words->parts[n].unit == finding->unit)
			return words->parts[n].options;
	}
	return words->options;
}

static char *command_of(const struct finding *finding, const struct report_words *words)
{
	struct words function = { .text = NULL };
	struct finding_words filled = { .options = options_of(finding, words), .files = words->files };
	char *command;

	if (finding->function)
		words_add(&function, finding->function);
	filled.function = function.text;
	command = function.failed ? NULL : finding_command(finding, &filled);
	words_free(&function);
	return command;
}

static void tell(struct document *document, const struct findings *findings,
		 const struct report_words *words)
{
	char *text[FINDINGS_MOST][2] = { { NULL } };

	facts_begin(document, "findings", 2, 2);
	facts_title(document, "Findings");
	fact(document, "findings");
	cell_entries(document);
	for (size_t n = 0; n < findings->count; n++) {
		text[n][0] = finding_sentence(&findings->list[n]);
		text[n][1] = command_of(&findings->list[n], words);
		document->failed |= !text[n][0] || !text[n][1];
		if (!document->failed)
			tell_values(document, &findings->list[n], text[n][0], text[n][1]);
	}
	close_nest(document);
	for (size_t n = 0; n < findings->count; n++) {
		if (!document->failed)
			tell_text(document, n + 1, text[n][0], text[n][1]);
		free(text[n][0]);
		free(text[n][1]);
	}
	if (!findings->count) {
		fact(document, "");
		fact_label(document, "%s", "");
		fact_says(document, "none: no figure is certainly above what a finding needs");
	}
	document_lead(document);
}

/* What analyses of the part have counted */
static void offer_part(struct findings *findings, const struct report_part *part)
{
	const struct analysis_run *run = part->run;
	const struct samples *samples = analysis_state(run, &analysis_samples);
	const struct flag *kept = &samples->ops.l3_miss_only;

	findings->given = part->given;
	findings->unit = part->unit;
	findings->is_l3_miss_only = kept->yes.samples && kept->yes.samples == kept->known.samples;
	for (uint32_t n = 0; n < run->count; n++) {
		const struct running *running = &run->running[n];

		if (running->is_missing)
			continue;
		in_step_offer_all(findings, &run->about, running->is->of);
		if (running->is->findings)
			running->is->findings(findings, running->state);
	}
	findings_depend(findings, 1);
	findings_of_ops(findings, 0);
	if (!part->reported->dump)
		offer_settings(findings, part);
}

void section_findings(struct document *document, const struct report_part *parts, size_t part_count,
		      const char *options, const char *files)
{
	const struct report_words words = { parts, part_count, options, files };
	struct findings findings = { .list = NULL };

	for (size_t n = 0; n < part_count; n++)
		offer_part(&findings, &parts[n]);
	if (!parts->reported->dump)
		offer_recordings(&findings, parts, part_count);
	findings_settle(&findings);
	document->failed |= findings.failed;
	tell(document, &findings, &words);
	findings_free(&findings);
}
