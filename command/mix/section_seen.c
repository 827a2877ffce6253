/* SPDX-License-Identifier: BSD-3-Clause */
/* The recording, what of it the mix is made of, and what was executed in all. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "document/facts.h"
#include "sections.h"

#define LABEL 14

static void fact_event(const struct mix_reading *reading, struct document *document, uint32_t n)
{
	const struct precis_event *event = precis_input_event(reading->recording.input, n);
	const struct mix_reading_event *of = &reading->events[n];
	const struct mix_event *how = &of->how;

	fact(document, "");
	fact_label(document, "event %" PRIu32, n);
	fact_says(document, "%s: %" PRIu64 " samples, counting %s.", event->name, of->samples,
		  mix_counts_text(how->counts));
	if (!how->no_sample)
		fact_says(document, "Addresses are taken%s.",
			  how->is_exact ? "" : ", which are behind what was counted");
	else
		fact_says(document, "Addresses are not taken: %s.", how->no_sample);
	if (!how->no_stack)
		fact_says(document, "Branch stacks are taken%s.",
			  how->is_synthesized ? ", which perf made of a trace" : "");
	else if (how->refusal != CODE_STACKS_NO_STACK)
		fact_says(document, "Branch stacks are not taken: %s.", how->no_stack);
}

static void member_event(const struct mix_reading *reading, struct document *document, uint32_t n)
{
	const struct precis_event *event = precis_input_event(reading->recording.input, n);
	const struct mix_reading_event *of = &reading->events[n];

	member_members(document, NULL);
	member_text(document, "name", event->name);
	member_text(document, "counts", mix_counts_text(of->how.counts));
	member_count(document, "samples", of->samples);
	member_count(document, "stacks", of->stacks);
	member_count(document, "entries", of->streams->entries);
	member_count(document, "wrong_path", of->streams->wrong_path);
	member_count(document, "other_ring", of->streams->other_ring);
	member_count(document, "not_frozen", of->not_frozen);
	member_text(document, "made_of", of->how.is_synthesized ? "a trace" : NULL);
	member_text(document, "addresses_not_taken", of->how.no_sample);
	member_text(document, "stacks_not_taken", of->how.no_stack);
	close_nest(document);
}

static void facts_events(const struct mixed *mixed, struct document *document)
{
	const struct mix_reading *reading = mixed->reading;

	fact(document, "events");
	cell_entries(document);
	for (uint32_t n = 0; n < reading->event_count; n++)
		member_event(reading, document, n);
	close_nest(document);
	for (uint32_t n = 0; n < reading->event_count; n++)
		fact_event(reading, document, n);
}

/* Absent where nothing tells of it */
static void fact_if_known(struct document *document, const char *name, int is_known, int is_so)
{
	if (is_known) {
		fact_bool(document, name, is_so);
	} else {
		fact(document, name);
		cell_absent(document);
	}
}

static void facts_stacks(const struct mixed *mixed, struct document *document)
{
	/* By places: branches in code that is not known tell of windows as well */
	const struct mix_observations *seen = mix_sightings_seen(mixed->reading->sightings);
	const struct mix_bias bias = mix_bias_of(seen);
	const int is_copied = mix_newest_is_copied(seen);

	fact_count(document, "instruction_samples", seen->samples);
	fact_count(document, "stacks", seen->stacks);
	fact_count(document, "depth", seen->depth);
	fact_if_known(document, "newest_is_copied", seen->stacks > 0, is_copied);
	fact_known(document, "bias_excess", bias.excess);
	fact_known(document, "bias_baseline", bias.baseline);
	fact_if_known(document, "is_biased", !isnan(bias.excess), bias.is_flagged);
	fact(document, "biased_branches");
	if (isnan(bias.excess))
		cell_absent(document);
	else
		cell_count(document, mixed->biased.count);
	if (!seen->stacks)
		return;
	fact(document, "");
	fact_label(document, "stacks");
	fact_says(document, "%" PRIu64 ", up to %" PRIu32 " branches deep.", seen->stacks, seen->depth);
	if (is_copied)
		fact_says(document, "The newest entry is a copy of the next one too often: it is left out.");
	if (!isnan(bias.excess))
		fact_says(document,
			  "%.1f%% of their windows are not where chance would have them (%.1f%% is "
			  "chance)%s.",
			  100 * bias.excess, 100 * bias.baseline,
			  bias.is_flagged ? ": levels are biased" : "");
}

/* A total with its interval */
static void fact_sum(struct mixed *mixed, struct document *document, const char *name, const char *label,
		     const double *weights)
{
	const struct mix_figure figure = mix_sum(mixed->estimate, mixed->arguments->method, weights);
	char ends[64];

	fact(document, name);
	fact_label(document, "%s", label);
	if (!mix_cell_number(document, figure, mixed->program.is_relative, 1))
		return;
	snprintf(ends, sizeof(ends), "%s_low", name);
	fact_known(document, ends, mix_not_negative(figure.interval.low));
	snprintf(ends, sizeof(ends), "%s_high", name);
	fact_known(document, ends, figure.interval.high);
}

static int flops_are_known(const struct code_form *form)
{
	return form->flops_figure != CODE_FIGURE_UNKNOWN;
}

static int bytes_are_known(const struct code_form *form)
{
	return form->bytes_figure != CODE_FIGURE_UNKNOWN;
}

/* Of what part of the instructions is it known? Without an interval, which costs a solution of the system. */
static double known_part(const struct mixed *mixed, mixed_forms *is_known)
{
	double known = 0, all = 0;

	mixed_weigh(mixed, is_known, MIX_EXECUTIONS, mixed->weights);
	for (uint32_t n = 0; n < mixed->program.count; n++) {
		known += mixed->counts[n] * mixed->weights[n];
		all += mixed->counts[n] * mixed->whole[n];
	}
	mixed_clear(mixed, mixed->weights);
	return all > 0 ? known / all : 0;
}

/* 'known': of what part of the instructions it is */
static void fact_measure(struct mixed *mixed, struct document *document, double known,
			 enum mix_measure measure, const char *name, const char *label)
{
	if (!(known > 0)) {
		fact(document, name);
		fact_label(document, "%s", label);
		cell_absent(document);
		cell_why_absent(document, code_figure_text(CODE_FIGURE_UNKNOWN));
		return;
	}
	mixed_weigh(mixed, NULL, measure, mixed->weights);
	fact_sum(mixed, document, name, label, mixed->weights);
	mixed_clear(mixed, mixed->weights);
}

static void fact_ratio(struct mixed *mixed, struct document *document)
{
	struct mix_figure ratio = { NAN, { NAN, NAN } };

	mixed_weigh(mixed, NULL, MIX_FLOPS, mixed->weights);
	mixed_weigh(mixed, NULL, MIX_READ, mixed->others);
	mixed_weigh(mixed, NULL, MIX_WRITTEN, mixed->others);
	ratio = mix_share(mixed->estimate, mixed->arguments->method, mixed->weights, mixed->others);
	mixed_clear(mixed, mixed->weights);
	mixed_clear(mixed, mixed->others);
	fact(document, "flops_per_byte");
	fact_label(document, "FLOP/byte");
	cell_decimal_between(document, mix_ratio_told(ratio.value),
			     mix_not_negative(ratio.interval.low), ratio.interval.high,
			     mixed->seen);
	fact_known(document, "flops_per_byte_low", mix_not_negative(ratio.interval.low));
	fact_known(document, "flops_per_byte_high", ratio.interval.high);
}

static int is_masked(const struct code_form *form)
{
	return form->flops_figure == CODE_FIGURE_MASKED;
}

static void fact_masked(struct mixed *mixed, struct document *document)
{
	const struct mix_figure share = mixed_share(mixed, is_masked, NULL, MIX_FLOPS);

	fact(document, "masked_flops");
	cell_share_between(document, share.value, share.interval.low, share.interval.high, mixed->seen);
	if (share.value > 0) {
		fact_label(document, "masked");
		fact_says(document,
			  "%.1f%% of the FLOPs are of instructions under a mask, which may leave some out: "
			  "these are counted as if it left out none.",
			  100 * share.value);
	}
}

/* What was counted, beside what is estimated */
static void fact_counted(const struct mixed *mixed, struct document *document,
			 enum mix_counts_of what, const char *name)
{
	const struct mix_total total = mix_reading_total(mixed->reading, what);
	char source[64];

	snprintf(source, sizeof(source), "%s_by", name);
	if (!total.source) {
		fact(document, name);
		cell_absent(document);
		fact_text(document, source, NULL, NULL);
		return;
	}
	fact_count(document, name, (uint64_t)llround(total.value));
	fact_text(document, source, NULL, mix_total_source_text(total.source));
	fact(document, "");
	fact_label(document, "counted");
	fact_says(document, "%.0f %s, by %s%s.", total.value, mix_counts_text(what),
		  mix_total_source_text(total.source),
		  total.read < 1 ? " and samples of the others" : "");
}

/* What the rule goes by, where it is asked for */
static void facts_rule(const struct mix_arguments *arguments, struct document *document)
{
	const int is_published = arguments->cutoff == MIX_CUTOFF;

	if (arguments->method != MIX_RULE && !arguments->is_compared)
		return;
	fact_count(document, "cutoff", arguments->cutoff);
	fact_text(document, "cutoff_training", NULL, is_published ? MIX_CUTOFF_TRAINING : NULL);
	fact(document, "");
	fact_label(document, "rule");
	fact_says(document,
		  "stacks for blocks of up to %" PRIu32
		  " instructions, samples for longer ones: %s.",
		  arguments->cutoff,
		  is_published ? "a cutoff learnt on " MIX_CUTOFF_TRAINING
				 "; of other cores none is known"
			       : "the cutoff that --cutoff says");
}

#define UNKNOWN_LEAST 0.0005 /* of which text says something */

/* Whose operations and bytes are in no sum */
static void fact_unknown(struct document *document, double part)
{
	fact_known(document, "unknown_share", mix_not_negative(part));
	if (part < UNKNOWN_LEAST || part >= 1)
		return;
	fact(document, "");
	fact_label(document, "unknown");
	fact_says(document, "%.1f%% of instructions: FLOPs and bytes are those of the others.",
		  100 * part);
}

static void facts_totals(struct mixed *mixed, struct document *document)
{
	const struct mix_arguments *arguments = mixed->arguments;
	double flops, bytes; /* known of such parts of the instructions */

	fact_text(document, "method", "method", mix_method_name(arguments->method));
	facts_rule(arguments, document);
	if (!mixed->counts) {
		fact_text(document, "no_estimate", "no estimate",
			  mix_why_text(mix_why(mixed->estimate, arguments->method)));
		return;
	}
	fact_sum(mixed, document, "instructions", "instructions", mixed->whole);
	flops = known_part(mixed, flops_are_known);
	bytes = known_part(mixed, bytes_are_known);
	fact_measure(mixed, document, flops, MIX_FLOPS, "flops", "FLOPs");
	fact_measure(mixed, document, bytes, MIX_READ, "bytes_read", "bytes read");
	fact_measure(mixed, document, bytes, MIX_WRITTEN, "bytes_written", "bytes written");
	fact_ratio(mixed, document);
	fact_masked(mixed, document);
	fact_unknown(document, 1 - flops);
	if (mixed->program.is_relative) {
		fact(document, "");
		fact_label(document, "%s", "");
		fact_says(
			document,
			"How many executions there were is not known: stacks were not sampled by taken "
			"branches, and no event counts instructions%s. Shares are right as far as stacks "
			"are where they are by chance.",
			mixed->program.seen.samples ? " in the code that they ran through" : "");
	}
}

void section_seen(struct mixed *mixed, struct document *document)
{
	facts_begin(document, "recording", 2, LABEL);
	facts_title(document, "Recording");
	fact_text(document, "file", "file", mixed->reading->recording.path);
	facts_events(mixed, document);
	facts_stacks(mixed, document);
	fact_counted(mixed, document, MIX_COUNTS_INSTRUCTIONS, "counted_instructions");
	fact_counted(mixed, document, MIX_COUNTS_TAKEN, "counted_taken");
	facts_totals(mixed, document);
}
