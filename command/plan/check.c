/* SPDX-License-Identifier: BSD-3-Clause */
/* See check.h. What a recording cannot tell is told with its reason. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/recordings.h"
#include "costs.h"
#include "document/facts.h"
#include "estimates.h"
#include "command/recording/recording.h"
#include "command/usage/complain.h"

#define EVENTS_MOST 64u
#define CPUS_MOST 4096u
#define LABEL 14
#define SHARE "of the time"
/* Parts of a sample that have any length */
#define LISTS                                                                                      \
	(PRECIS_SAMPLE_CALLCHAIN | PRECIS_SAMPLE_STACK_USER | PRECIS_SAMPLE_BRANCH_STACK |         \
	 PRECIS_SAMPLE_REGS_USER | PRECIS_SAMPLE_REGS_INTR | PRECIS_SAMPLE_READ |                  \
	 PRECIS_SAMPLE_RAW)
#define TYPE_SOFTWARE 1u /* PERF_TYPE_SOFTWARE; its configs */
#define TYPE_TRACEPOINT 2u
#define TYPE_BREAKPOINT 5u
#define SOFTWARE_CPU_CLOCK 0u
#define SOFTWARE_TASK_CLOCK 1u
#define SOFTWARE_PAGE_FAULTS 2u

/* What came of an event */
struct came {
	uint64_t samples, bytes, first_ns, last_ns;
	uint64_t cpu[CPUS_MOST / 64];
};

struct check {
	const struct plan_options *options;
	const struct plan_setting *setting;
	struct recording recording;
	struct came came[EVENTS_MOST];
};

static void take_sample(struct check *check, const struct precis_item *item, struct precis_sample *sample)
{
	uint64_t index, time, cpu;
	struct came *came;

	if (precis_input_sample(check->recording.input, NULL, NULL, sample) ||
	    !precis_get_event(sample, &index) || index >= EVENTS_MOST)
		return;
	came = &check->came[index];
	came->samples++;
	came->bytes += item->record ? item->record->size : 0;
	if (precis_get_time(sample, &time)) {
		came->first_ns = !came->first_ns || time < came->first_ns ? time : came->first_ns;
		came->last_ns = time > came->last_ns ? time : came->last_ns;
	}
	if (precis_get_cpu(sample, &cpu) && cpu < CPUS_MOST)
		came->cpu[cpu / 64] |= UINT64_C(1) << cpu % 64;
}

static void read_all(struct check *check)
{
	const struct precis_item *item;
	struct precis_sample sample;

	precis_sample_init(&sample);
	while (recording_next(&check->recording, &item)) {
		if (item->kind == PRECIS_ITEM_SAMPLE)
			take_sample(check, item, &sample);
	}
}

/* NULL if no plan is made for such an event */
static const struct plan_event *known_as(const struct precis_event *event)
{
	switch (event->kind) {
	case PRECIS_EVENT_IBS_OP:
		return plan_event_find("ibs_op");
	case PRECIS_EVENT_IBS_FETCH:
		return plan_event_find("ibs_fetch");
	case PRECIS_EVENT_PEBS:
		return plan_event_find(strstr(event->name, "stores") ? "mem-stores" : "mem-loads");
	default:
		break;
	}
	if (event->type == TYPE_TRACEPOINT)
		return plan_event_find("tracepoint");
	if (event->type == TYPE_BREAKPOINT)
		return plan_event_find("breakpoint");
	if (event->type != TYPE_SOFTWARE)
		return NULL;
	if (event->config == SOFTWARE_PAGE_FAULTS)
		return plan_event_find("page-faults");
	return event->config == SOFTWARE_CPU_CLOCK || event->config == SOFTWARE_TASK_CLOCK ?
		       plan_event_find("cpu-clock") : NULL;
}

static uint32_t cpus_of(const struct came *came)
{
	uint32_t count = 0;

	for (uint32_t word = 0; word < CPUS_MOST / 64; word++) {
		for (uint64_t left = came->cpu[word]; left; left &= left - 1)
			count++;
	}
	return count;
}

/* One quantity: predicted, and what came of it. Either NAN: 'why' says why it is not known */
static void fact_quantity(struct document *document, const char *name, const char *label,
			  const struct precis_plan_estimate *predicted, double came, const char *unit,
			  const char *why)
{
	const int is_share = strcmp(unit, SHARE) == 0;
	char text[ESTIMATE_TEXT];
	const char *verdict = NULL;

	if (!isnan(came) && !isnan(predicted->low) && !isnan(predicted->high))
		verdict = came >= predicted->low && came <= predicted->high ? "within" : "outside";
	fact(document, name);
	cell_members(document);
	member_members(document, "predicted");
	member_known(document, "value", predicted->value, why);
	member_known(document, "low", predicted->low, why ? why : "NOT_KNOWN");
	member_known(document, "high", predicted->high, why ? why : "NOT_KNOWN");
	close_nest(document);
	member_known(document, "came", came, why);
	member_text(document, "unit", unit);
	member_text(document, "verdict", verdict);
	member_text(document, "reason", why);
	close_nest(document);
	fact_label(document, "  %s", label);
	estimate_text(predicted, is_share ? 100 : 1, is_share ? 3 : 0, text);
	fact_says(document, "predicted %s%s", text, is_share ? "%" : "");
	if (isnan(came))
		fact_says(document, "%s; came: not known", unit);
	else
		fact_says(document, "%s, came %.6g%s%s", unit, came, verdict ? ": " : "",
			  verdict ? verdict : "");
	if (why)
		fact_says(document, "(%s)", why);
}

static const struct precis_plan_estimate not_known = { NAN, NAN, NAN };

/* What the recording says of how it was made, as far as it says anything */
static struct precis_plan_setup setup_of(const struct check *check, const struct precis_event *event,
					 const struct plan_event *known, const struct came *came,
					 double calibrated_delay_ns)
{
	const struct plan_options *options = check->options;
	const uint32_t cpus = cpus_of(came);
	const double seconds = (double)(came->last_ns - came->first_ns) / 1e9;
	const double random = known->unit > 1 && event->config >> 19 & 1 ? known->random_start : 0;
	struct precis_plan_setup setup = {
		.size = sizeof(setup),
		.cpus = cpus ? cpus : 1,
		.period = event->sample_period,
		.random_start = random,
		.seconds = seconds,
		.record_bytes = precis_plan_record_bytes(event->layout->sample_type, known->raw_bytes,
							 options->frames, options->registers,
							 options->branches, options->stack_bytes),
		.ring_bytes = PERF_RING_BYTES,
		.interrupts_most = known->is_throttled ? check->setting->sample_rate_most : 0,
		.reader_delay_ns = options->delay_ns > 0   ? options->delay_ns :
				   calibrated_delay_ns > 0 ? calibrated_delay_ns :
							     PRECIS_PLAN_DELAY_NS,
		.rate = options->rate,
		.kernel_counts = (uint32_t)known->kernel_counts,
	};

	/* what came says how many events there were */
	if (options->rate <= 0 && seconds > 0)
		setup.rate = (double)came->samples * ((double)event->sample_period - random) / seconds /
			     setup.cpus;
	if (known->pebs_bytes && !precis_plan_ends_large_pebs(event->layout->sample_type))
		setup.samples_per_interrupt = precis_plan_large_pebs(known->pebs_bytes);
	return setup;
}

static void describe_losses(struct document *document, const struct check *check,
			    const struct precis_event *event, const struct precis_plan_estimate *lost)
{
	struct precis_loss loss = { .size = sizeof(loss) };
	struct precis_throttled_share share = { .size = sizeof(share) };
	double came = NAN, throttled = NAN;

	if (!precis_file_loss_sum(check->recording.file, PRECIS_LOSS_ANY, PRECIS_LOSS_ANY, &loss))
		came = (double)loss_in_buffers(&loss);
	fact_quantity(document, "lost", "lost", lost, came, "samples",
		      "of all events; the ring's size is not in the file: perf record's own is taken");
	if (!precis_file_throttled_share(check->recording.file, event->index, PRECIS_LOSS_ANY, &share) &&
	    share.of_ns)
		throttled = (double)share.throttled_ns / (double)share.of_ns;
	fact_known(document, "throttled", throttled);
	fact_label(document, "  throttled");
	if (isnan(throttled))
		fact_says(document, "not known: the recording has no two times");
	else
		fact_says(document, "%.3g%% of the time", 100 * throttled);
}

static void describe_outcome(struct document *document, const struct check *check,
			     const struct precis_event *event, const struct came *came,
			     const struct precis_plan_setup *setup,
			     const struct precis_plan_prediction *found)
{
	const double mean = (double)came->bytes / (double)came->samples;
	const int is_fixed = !(event->layout->sample_type & LISTS);
	const struct precis_plan_estimate bytes = { setup->record_bytes, setup->record_bytes,
						    is_fixed ? setup->record_bytes : NAN };

	if (check->options->rate > 0)
		fact_quantity(document, "samples", "samples", &found->samples,
			      (double)came->samples, "samples",
			      "if it ran all the time from its first sample to its last");
	else
		fact_quantity(document, "samples", "samples", &not_known, (double)came->samples, "samples",
			      "how many events there were is not in the file: --rate says it");
	fact_quantity(document, "record_bytes", "a record", &bytes, mean, "bytes",
		      is_fixed ? NULL : "lists in it have any length");
	describe_losses(document, check, event, &found->lost);
	fact_quantity(document, "overhead", "overhead", &found->overhead, NAN, SHARE,
		      "a recording does not tell how long the program takes without it");
	fact_quantity(document, "interrupts_per_sample", "interrupts", &not_known, NAN, "for each sample",
		      "a recording does not tell its interrupts: rows PMI and NMI of /proc/interrupts do");
}

/* Why nothing can be predicted; NULL if it can */
static const char *why_not(const struct precis_event *event, const struct plan_event *known,
			   const struct came *came)
{
	if (!known)
		return "no plan is made for such an event";
	if (event->is_frequency)
		return "its period varies (perf record -F)";
	if (came->samples < 2 || came->last_ns <= came->first_ns)
		return "it has no two samples with times";
	return event->sample_period ? NULL : "it has no period";
}

/* 0, or an exit code after it has been said why */
static int describe_event(struct document *document, const struct check *check,
			  const struct precis_event *event, const struct came *came)
{
	const struct plan_event *known = known_as(event);
	struct precis_plan_prediction found = { .size = sizeof(found) };
	struct precis_plan_cost cost = { .size = sizeof(cost) };
	struct precis_plan_setup setup;
	const char *reason = why_not(event, known, came);
	char note[PLAN_NOTE];
	int code = EXIT_OK;

	facts_begin(document, "events", 0, LABEL);
	facts_entry_of(document, "events");
	fact_text(document, "event", "event", event->name);
	if (!reason)
		code = plan_cost_find(check->options, check->setting, known, &cost, note);
	if (code)
		return code;
	if (!reason) {
		setup = setup_of(check, event, known, came, cost.reader_delay_ns);
		if (precis_plan_predict(&cost, &setup, &found))
			reason = "the recording does not say how it was made";
	}
	fact_text(document, "refused", reason ? "  not checked" : NULL, reason);
	if (reason)
		return EXIT_OK;
	fact_text(document, "coefficients", "  cost", cost.source == PRECIS_PLAN_PUBLISHED ?
							      "published, not this machine" : "calibrated");
	fact_says(document, "%s: %s %s", cost.source == PRECIS_PLAN_PUBLISHED ? "published" : "calibrated",
		  cost.cpu, cost.made);
	fact_text(document, "note", NULL, note[0] ? note : NULL);
	fact_known(document, "seconds", setup.seconds);
	fact_count(document, "cpus", setup.cpus);
	describe_outcome(document, check, event, came, &setup, &found);
	return EXIT_OK;
}

static int describe(struct document *document, const struct check *check)
{
	const uint32_t count = precis_file_event_count(check->recording.file);
	int code = EXIT_OK;

	document->is_bare = 1;
	document->absent_means = "the recording does not tell it";
	for (uint32_t n = 0; n < count && n < EVENTS_MOST && !code; n++)
		code = describe_event(document, check, precis_file_event(check->recording.file, n),
				      &check->came[n]);
	if (count > EVENTS_MOST)
		complain(check->options->command, "%s: only the first %u events are checked",
			 check->options->recording, EVENTS_MOST);
	return code;
}

static int print_check(const struct check *check)
{
	const struct plan_options *options = check->options;
	struct document document = { 0 };
	int code = describe(&document, check);

	if (code) {
		document_free(&document);
		return code;
	}
	return page_print(options->command, &document, options->output, options->format, "events");
}

int plan_check(const struct plan_options *options, const struct plan_setting *setting)
{
	const struct recording_options reading = { .order = 0 };
	struct check *check = calloc(1, sizeof(*check));
	int code;

	if (!check) {
		complain(options->command, "out of memory");
		return EXIT_FAILED;
	}
	check->options = options;
	check->setting = setting;
	code = recording_open(&check->recording, options->command, options->recording, &reading);
	if (!code) {
		if (recording_is_output(&check->recording, options->output)) {
			code = EXIT_FAILED;
		} else {
			read_all(check);
			code = print_check(check);
			if (check->recording.broken)
				code = EXIT_FAILED;
		}
		recording_close(&check->recording);
	}
	free(check);
	return code;
}
