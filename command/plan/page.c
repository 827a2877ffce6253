/* SPDX-License-Identifier: BSD-3-Clause */
/* See page.h. */
#include "page.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "estimates.h"

#define LABEL 12

/* "at least ", "at most ": of which causes no more is known */
static const char *bound_of(const struct precis_plan_prediction *prediction)
{
	if (prediction->at_least && prediction->at_most)
		return "about ";
	return prediction->at_least ? "at least " : prediction->at_most ? "at most " : "";
}

static void list_causes(uint32_t bits, char *text, size_t room)
{
	size_t length = 0;

	text[0] = '\0';
	for (uint32_t cause = 0; cause < PRECIS_PLAN_CAUSES; cause++) {
		if (bits >> cause & 1 && length < room)
			length +=
				(size_t)snprintf(text + length, room - length, "%s%s",
						 length ? ", " : "", precis_plan_cause_name(cause));
	}
}

static void say_unknown(struct document *document, const struct precis_plan_prediction *prediction)
{
	char causes[128];

	if (prediction->at_least) {
		list_causes(prediction->at_least, causes, sizeof(causes));
		fact_says_line(document, "not in it, or not in full: %s", causes);
	}
	if (prediction->at_most) {
		list_causes(prediction->at_most, causes, sizeof(causes));
		fact_says_line(document, "in it more than it comes, as it was measured: %s",
			       causes);
	}
}

static const char *source_name(uint32_t source)
{
	return source == PRECIS_PLAN_PUBLISHED ? "published" :
	       source == PRECIS_PLAN_CALIBRATED ? "calibrated" : "given";
}

static void fact_source(struct document *document, const struct plan *plan)
{
	const struct precis_plan_cost *cost = &plan->cost;

	fact(document, "coefficients");
	cell_members(document);
	member_text(document, "source", source_name(cost->source));
	member_text(document, "cpu", cost->cpu);
	member_text(document, "kernel", cost->kernel);
	member_text(document, "governor", cost->governor[0] ? cost->governor : NULL);
	member_text(document, "made", cost->made);
	member_text(document, "origin", cost->origin);
	member_text(document, "note", plan->note[0] ? plan->note : NULL);
	close_nest(document);
	fact_label(document, "%s", "");
	if (cost->source == PRECIS_PLAN_PUBLISHED)
		fact_says(document, "published, %s, not this machine: %s (%s)", cost->cpu, cost->made,
			  cost->origin);
	else
		fact_says(document, "calibrated %s: %s, Linux %s, governor %s", cost->made, cost->cpu,
			  cost->kernel, cost->governor[0] ? cost->governor : "unknown");
	if (plan->note[0])
		fact_says_line(document, "%s", plan->note);
}

static void fact_parts(struct document *document, const struct plan *plan)
{
	const double of_events = plan->prediction.of_cause[PRECIS_PLAN_EVENT];
	const double samples = (plan->prediction.overhead.value - of_events) /
			       plan->prediction.sample_ns.value * 1e9;

	fact(document, "sample_parts_ns");
	cell_members(document);
	for (uint32_t cause = 0; cause < PRECIS_PLAN_EVENT; cause++) {
		const char *name = precis_plan_cause_name(cause);

		if (plan->cost.knowledge[cause] == PRECIS_PLAN_KNOWN)
			member_decimal(document, name,
				       plan->prediction.of_cause[cause] / samples * 1e9);
		else
			member_absent(document, name,
				      plan->cost.knowledge[cause] == PRECIS_PLAN_MERGED
					      ? "MERGED"
					      : "NOT_KNOWN");
	}
	close_nest(document);
	fact_label(document, "%s", "");
	for (uint32_t cause = 0; cause < PRECIS_PLAN_EVENT; cause++) {
		if (plan->prediction.of_cause[cause] > 0)
			fact_says(document, "%s %.0f ns", precis_plan_cause_name(cause),
				  plan->prediction.of_cause[cause] / samples * 1e9);
	}
}

/* What each event costs that the kernel counts, sampled or not */
static void fact_each_event(struct document *document, const struct plan *plan)
{
	if (!plan->event->kernel_counts)
		return;
	fact(document, "event_ns");
	if (plan->cost.knowledge[PRECIS_PLAN_EVENT] != PRECIS_PLAN_KNOWN) {
		cell_absent(document);
		cell_why_absent(document, "NOT_KNOWN");
		return;
	}
	cell_known(document, plan->cost.ns[PRECIS_PLAN_EVENT]);
	cell_unit(document, "ns");
	fact_label(document, "an event");
	fact_says(document, "%.0f ns, sampled or not: %.3f%% of the time, whatever the period",
		  plan->cost.ns[PRECIS_PLAN_EVENT],
		  100 * plan->prediction.of_cause[PRECIS_PLAN_EVENT]);
}

/* What a sample costs, and whose coefficients that are */
static void fact_cost(struct document *document, const struct plan *plan)
{
	char text[ESTIMATE_TEXT];

	estimate_text(&plan->prediction.sample_ns, 1, 0, text);
	fact_estimate(document, "sample_ns", &plan->prediction.sample_ns, "ns");
	fact_label(document, "a sample");
	fact_says(document, "%s%s ns", bound_of(&plan->prediction), text);
	fact_parts(document, plan);
	fact_each_event(document, plan);
	fact_source(document, plan);
}

/* --- what is wanted --- */

/* What was counted, and of what */
static void fact_counted(struct document *document, const struct plan *plan)
{
	const struct counted_run *counted = plan->counted;
	const struct plan_options *options = plan->options;

	if (!counted)
		return;
	fact(document, "counted");
	cell_members(document);
	member_text(document, "command", options->program ? options->program[0] : NULL);
	if (options->pid) {
		member_count(document, "pid", (uint64_t)options->pid);
		member_count(document, "threads", counted->threads);
	}
	member_count(document, "runs", counted->runs);
	member_decimal(document, "events", counted->events);
	member_decimal(document, "cpu_seconds", counted->cpu_seconds);
	member_decimal(document, "seconds", counted->seconds);
	member_decimal(document, "cpus", counted->cpus);
	member_decimal(document, "peak", counted->peak);
	member_known(document, "rate_deviation", counted->rate_deviation, "ONE_RUN");
	member_decimal(document, "share_counted", counted->share);
	member_known(document, "counting_ns", counted->slowed_ns, "NOT_MEASURED");
	member_count(document, "slowed_by_counting", (uint64_t)counted->has_slowed);
	member_count(document, "user_mode_only", (uint64_t)counted->is_user_only);
	member_text(document, "end", counted->end[0] ? counted->end : NULL);
	close_nest(document);
}

static void say_counted(struct document *document, const struct plan *plan)
{
	const struct counted_run *counted = plan->counted;

	fact(document, "");
	fact_label(document, "counted");
	fact_says(document, "%.6g events in %.3g s of CPU time, %.3g s of the clock: %.2f CPUs;",
		  counted->events, counted->cpu_seconds, counted->seconds, counted->cpus);
	fact_says(document, "at most %.4g/s", counted->peak);
	if (counted->runs > 1)
		fact_says_line(document, "the mean of %u runs; another may differ by %.2g%%", counted->runs,
			       196 * counted->rate_deviation / counted->rate);
	else if (plan->options->program)
		fact_says_line(document, "of one run: how runs differ is in no interval (--runs)");
	else
		fact_says_line(document, "of %u threads, and of those that they began", counted->threads);
	if (!isnan(counted->slowed_ns))
		fact_says_line(document, "as it was counted it took %.0f ns more for each, in another run",
			       counted->slowed_ns);
	if (counted->has_slowed)
		fact_says_line(document, "counting each of them slows it, by how much is not "
					 "known: without, rate and overhead are higher");
	if (counted->is_user_only)
		fact_says_line(document, "in user mode alone: kernel.perf_event_paranoid");
	if (counted->share < 0.9995)
		fact_says_line(document, "it was counted for %.3g%% of the time, and scaled up",
			       100 * counted->share);
	if (counted->end[0])
		fact_says_line(document, "%s", counted->end);
}

static void fact_events(struct document *document, const struct plan *plan)
{
	const char *name = plan->options->event ? plan->options->event : plan->event->name;

	fact_counted(document, plan);
	if (plan->counted)
		say_counted(document, plan);
	fact_text(document, "event", "events", name);
	fact_says(document, "%.4g/s of %s on each of %u CPUs, for %.4g s", plan->setup.rate, name,
		  plan->setup.cpus, plan->setup.seconds);
	fact_known(document, "rate", plan->setup.rate);
	cell_unit(document, "events/s");
	fact_count(document, "cpus", plan->setup.cpus);
	fact_known(document, "seconds", plan->setup.seconds);
	cell_unit(document, "s");
}

static void fact_needed(struct document *document, const struct plan *plan)
{
	if (plan->advice.samples_needed <= 0)
		return;
	fact_known(document, "samples_needed", ceil(plan->advice.samples_needed));
	fact_label(document, "needed");
	if (plan->wish.share > 0)
		fact_says(document, "%.0f samples for a share of %g%% to within %g%% of it",
			  ceil(plan->advice.samples_needed), 100 * plan->wish.share,
			  100 * plan->wish.error);
	else
		fact_says(document, "%.0f samples", ceil(plan->advice.samples_needed));
}

static void fact_gives(struct document *document, const struct plan *plan)
{
	const struct precis_plan_advice *advice = &plan->advice;

	if (!advice->size)
		return;
	fact_bool(document, "is_feasible", (int)advice->is_feasible);
	fact_known(document, "seconds_needed", advice->seconds_needed);
	fact_known(document, "budget_needed", advice->budget_needed);
	fact_known(document, "error_reached", advice->error_reached);
	if (advice->is_feasible)
		return;
	fact(document, "");
	fact_label(document, "what gives");
	fact_says(document, "all of that does not go together. Any of these would:");
	if (!isnan(advice->seconds_needed))
		fact_says_line(document, "  a run of %.3g s (--duration)", advice->seconds_needed);
	if (!isnan(advice->budget_needed))
		fact_says_line(document, "  a budget of %.3g%% (--budget)", 100 * advice->budget_needed);
	if (!isnan(advice->error_reached))
		fact_says_line(document, "  an error of %.3g%% (--error)", 100 * advice->error_reached);
	if (plan->ends_large_pebs)
		fact_says_line(document, "  no call chains, stacks, branches or data page sizes: then "
					 "records gather, and share an interrupt");
}

/* --- what is advised --- */

static const char *why_period(const struct plan *plan)
{
	static const char *const bounds[] = {
		[PRECIS_PLAN_BY_BUDGET] = "as short as the budget allows",
		[PRECIS_PLAN_BY_PRECISION] = "as long as the precision allows: more samples cost more",
		[PRECIS_PLAN_BY_THROTTLING] = "as short as the kernel allows",
		[PRECIS_PLAN_BY_EVENT] = "what the event can have",
	};

	return plan->advice.size ? bounds[plan->advice.bound] : "as given";
}

static void fact_period(struct document *document, const struct plan *plan)
{
	const struct precis_plan_prediction *prediction = &plan->prediction;
	char text[ESTIMATE_TEXT];

	fact(document, "period");
	cell_count(document, plan->setup.period);
	fact_label(document, "period");
	fact_says(document, "%" PRIu64 " (%s)", plan->setup.period, why_period(plan));
	estimate_text(&prediction->overhead, 100, 3, text);
	fact_estimate(document, "overhead", &prediction->overhead, "share of the time without sampling");
	fact_label(document, "overhead");
	fact_says(document, "%s%s%% of the time", bound_of(prediction), text);
	say_unknown(document, prediction);
	fact_estimate(document, "overhead_of_a_run", &prediction->run,
		      "share of the time without sampling");
}

static void fact_outcome(struct document *document, const struct plan *plan)
{
	const struct precis_plan_prediction *prediction = &plan->prediction;
	char lost[ESTIMATE_TEXT];

	fact_estimate(document, "samples", &prediction->samples, "samples");
	fact_label(document, "gives");
	fact_says(document, "%.0f samples, %.3g MB (%.3g MB/min), %u bytes each", prediction->samples.value,
		  prediction->bytes.value / 1e6, prediction->bytes.value / 1e6 / plan->setup.seconds * 60,
		  plan->setup.record_bytes);
	fact_estimate(document, "bytes", &prediction->bytes, "bytes");
	estimate_text(&prediction->lost, 1, 0, lost);
	fact_estimate(document, "lost", &prediction->lost, "samples");
	fact_label(document, "lost");
	fact_says(document, "%s samples, with a reader that is up to %.3g ms late", lost,
		  plan->setup.reader_delay_ns / 1e6);
	fact_known(document, "wakeups", prediction->wakeups);
	fact_known(document, "interrupts", prediction->interrupts);
	fact_count(document, "record_bytes", plan->setup.record_bytes);
}

static void fact_ring(struct document *document, const struct plan *plan)
{
	static const char *const bounds[] = {
		[PRECIS_PLAN_RING_BY_DELAY] = "half of it may lose samples",
		[PRECIS_PLAN_RING_BY_WAKEUPS] = "half of it wakes the reader too often",
		[PRECIS_PLAN_RING_BY_LIMIT] = "more is not allowed here (kernel.perf_event_mlock_kb)",
		[PRECIS_PLAN_RING_BY_PAGE] = "there is no smaller one",
	};
	const uint64_t pages = plan->setup.ring_bytes / plan->setting->page_bytes;

	fact(document, "ring_bytes");
	cell_count(document, plan->setup.ring_bytes);
	fact_label(document, "ring");
	fact_says(document, "%" PRIu64 " pages, watermark half%s%s", pages, plan->advice.size ? ": " : "",
		  plan->advice.size ? bounds[plan->advice.ring_bound] : "");
	fact_count(document, "watermark_bytes", plan->setup.watermark_bytes);
}

static void fact_limits(struct document *document, const struct plan *plan)
{
	const uint32_t limits = plan->prediction.limits;
	static const struct {
		uint32_t bit;
		const char *name, *words;
	} rows[] = {
		{ PRECIS_PLAN_THROTTLED, "throttled", "the kernel will throttle the event "
		  "(kernel.perf_event_max_sample_rate): samples are missing in bursts" },
		{ PRECIS_PLAN_SMALL_RING, "small_ring", "the ring is too small for so late a reader" },
		{ PRECIS_PLAN_LONG_INTERRUPT, "long_interrupt", "interrupts are so long that the kernel "
		  "will lower kernel.perf_event_max_sample_rate, and leave it so: look at it before and "
		  "after" },
		{ PRECIS_PLAN_NO_POLLUTION, "no_pollution", "what the ring displaces from the cache is not "
		  "in it (--working-set, --cache)" },
	};
	int is_first = 1;

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		fact_bool(document, rows[n].name, (limits & rows[n].bit) != 0);
		if (!(limits & rows[n].bit))
			continue;
		fact_label(document, is_first ? "limits" : "");
		fact_says(document, "%s", rows[n].words);
		is_first = 0;
	}
}

/* --- what to type --- */

#define LINE 512
/* What no shell takes for anything else */
#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:=@%"

/* No control characters */
static int is_text(const char *word)
{
	for (; *word; word++) {
		if ((unsigned char)*word < ' ' || *word == 0x7f)
			return 0;
	}
	return 1;
}

/* Which tracepoint or breakpoint */
static const char *name_of_kind(const struct plan *plan)
{
	if (strchr(plan->options->event, ':'))
		return plan->options->event;
	return plan->event->kind == PLAN_TRACEPOINT ? "SYSTEM:NAME" : "mem:ADDRESS/8:w";
}

/* Behind what the line has: -p PID, or the command as a shell takes it if there is room, else COMMAND */
static void add_program(const struct plan_options *options, char *text)
{
	const size_t before = strlen(text);
	char *const *word = options->program;

	if (options->pid)
		snprintf(text + before, LINE - before, " -p %ld", (long)options->pid);
	else
		snprintf(text + before, LINE - before, " --");
	for (; word && *word; word++) {
		const size_t length = strlen(text);
		const int is_plain = **word && strspn(*word, PLAIN) == strlen(*word);

		if (strlen(*word) + 4 > LINE - length || strchr(*word, '\'') || !is_text(*word))
			break;
		snprintf(text + length, LINE - length, is_plain ? " %s" : " '%s'", *word);
	}
	if (!options->pid && (!word || *word))
		snprintf(text + before, LINE - before, " -- COMMAND");
}

static void perf_line(const struct plan *plan, char text[LINE])
{
	const uint64_t parts = plan->options->parts;
	const int is_named = plan->event->kind != PLAN_PLAIN;

	snprintf(text, LINE, "perf record %s%s%.100s -c %" PRIu64 " -m %" PRIu64 "%s%s%s%s",
		 plan->event->perf, is_named ? " " : "", is_named ? name_of_kind(plan) : "",
		 plan->setup.period, plan->setup.ring_bytes / plan->setting->page_bytes,
		 parts & PRECIS_SAMPLE_STACK_USER ? " --call-graph dwarf" :
		 parts & PRECIS_SAMPLE_CALLCHAIN  ? " -g" : "",
		 parts & PRECIS_SAMPLE_PHYS_ADDR ? " --phys-data" : "",
		 parts & PRECIS_SAMPLE_REGS_INTR ? " --intr-regs" : "",
		 parts & PRECIS_SAMPLE_BRANCH_STACK ? " -b" : "");
	add_program(plan->options, text);
}

/* Why there is no such line; NULL if there is one */
static const char *precis_record_line(const struct plan *plan, char text[LINE])
{
	if (!plan->event->record || plan->options->parts & ~(uint64_t)PRECIS_SAMPLE_CALLCHAIN ||
	    plan->setup.ring_bytes > PERF_RING_BYTES)
		return "it has no option for that event, these fields or that ring";
	if (plan->options->pid)
		return "it records commands, and no process that runs";
	snprintf(text, LINE, "precis-record %s%s -c %" PRIu64, plan->event->record,
		 plan->options->parts & PRECIS_SAMPLE_CALLCHAIN ? " -g" : "", plan->setup.period);
	add_program(plan->options, text);
	return NULL;
}

static void fact_papi(struct document *document, const struct plan *plan)
{
	const struct plan_options *options = plan->options;
	char text[LINE];

	fact(document, "papi");
	if (!plan->event->papi) {
		cell_absent(document);
		cell_why_absent(document, plan->event->kind == PLAN_TRACEPOINT ?
						  "the component has no tracepoints" :
						  "a breakpoint's address is another in each program");
		return;
	}
	snprintf(text, sizeof(text),
		 "%s, .delivery = %s, .period = %" PRIu64 ", .ring_bytes = %" PRIu64 ", .max_overhead = %.3g",
		 plan->event->papi, options->is_signalled ? "PRECIS_PAPI_SAMPLE" : "PRECIS_PAPI_BATCH",
		 plan->setup.period, plan->setup.ring_bytes,
		 plan->wish.budget > 0 ? plan->wish.budget : 0.01);
	cell_text(document, "%s", text);
	fact_label(document, "PAPI");
	fact_says(document, "%s", text);
}

static void fact_commands(struct document *document, const struct plan *plan)
{
	char text[LINE];
	const char *why;

	perf_line(plan, text);
	fact_text(document, "perf_record", NULL, text);
	fact_label(document, "record");
	fact_says_word(document, text);
	why = precis_record_line(plan, text);
	fact(document, "precis_record");
	if (why) {
		cell_absent(document);
		cell_why_absent(document, why);
	} else {
		cell_text(document, "%s", text);
		fact_label(document, "or");
		fact_says_word(document, text);
	}
	fact_papi(document, plan);
	fact(document, "");
	fact_label(document, "then");
	fact_says_word(document, "precis plan --check perf.data");
}

void plan_page(struct document *document, const struct plan *plan)
{
	document->is_bare = 1;
	document->absent_means = "it is not known, or was not asked for";
	facts_begin(document, "plan", 0, LABEL);
	fact_cost(document, plan);
	fact_events(document, plan);
	fact_needed(document, plan);
	fact_period(document, plan);
	fact_outcome(document, plan);
	fact_ring(document, plan);
	fact_limits(document, plan);
	fact_gives(document, plan);
	fact_commands(document, plan);
}
