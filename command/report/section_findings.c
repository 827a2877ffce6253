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
#include "command/validity/latency_filter.h"
#include "document/facts.h"
#include "sections.h"
#include "words.h"

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

static void offer_undecodable(struct findings *findings, const struct samples *samples,
			      const struct reported *reported, size_t count)
{
	struct finding found = { .total = samples->ops.count + samples->fetches.count };

	for (size_t n = 0; n < count; n++)
		found.count += reported[n].faults->undecodable.count + reported[n].faults->nothing;
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
	found.advice = serial_other_period(period, is_ibs ? 16 : 1);
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

/* All events of all recordings that are not precise; the first gives its name. */
static void offer_imprecise(struct findings *findings, const struct reported *reported, size_t count,
			    uint64_t all)
{
	struct finding found = { .total = all };

	for (size_t n = 0; n < count; n++) {
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
	found.size = all ? (double)found.count / (double)all : 0;
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

static void offer_recordings(struct findings *findings, const struct analysis_run *run,
			     const struct reported *reported, size_t count)
{
	const struct samples *samples = analysis_state(run, &analysis_samples);

	offer_losses(findings, reported, count);
	offer_undecodable(findings, samples, reported, count);
	/* of a selection the file does not tell how many are of which event */
	if (!run->about.is_selected)
		offer_imprecise(findings, reported, count, samples->all);
	offer_l3_misses(findings, &samples->ops.l3_miss_only, "ops");
	offer_l3_misses(findings, &samples->fetches.l3_miss_only, "fetches");
	for (size_t n = 0; n < count; n++) {
		const struct precis_file *file = precis_input_file(reported[n].input);

		for (uint32_t i = 0; i < reported[n].judged_count; i++)
			offer_event(findings, file, reported[n].judged[i].event);
	}
	if (samples->ops.count &&
	    samples->period_unit[PRECIS_PERIOD_UNIT_OPS] == samples->ops.count) {
		const struct finding found = { .where = "ibs_op", .size = 1 };

		findings_count(findings, &found, FINDING_ID_ops_not_time);
	}
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

static char *command_of(const struct finding *finding, const struct report_words *words)
{
	struct words function = { .text = NULL };
	struct finding_words filled = { .options = words->options, .files = words->files };
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

void section_findings(struct document *document, const struct analysis_run *run,
		      const struct reported *reported, size_t count,
		      const struct report_words *words)
{
	const struct samples *samples = analysis_state(run, &analysis_samples);
	const struct flag *kept = &samples->ops.l3_miss_only;
	struct findings findings = {
		.given = document->given,
		.is_l3_miss_only = kept->yes.samples && kept->yes.samples == kept->known.samples,
	};

	for (uint32_t n = 0; n < run->count; n++) {
		const struct running *running = &run->running[n];

		in_step_offer_all(&findings, &run->about, running->is->of);
		if (running->is->findings)
			running->is->findings(&findings, running->state);
	}
	if (!reported->dump)
		offer_recordings(&findings, run, reported, count);
	findings_settle(&findings);
	document->failed |= findings.failed;
	tell(document, &findings, words);
	findings_free(&findings);
}
