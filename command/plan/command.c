/* SPDX-License-Identifier: BSD-3-Clause */
/* precis plan: how to sample for what it may cost. */
#include "command.h"

#include <math.h>

#include "calibrate.h"
#include "check.h"
#include "page.h"
#include "setting.h"
#include "command/usage/complain.h"

#define CLOCK_RATE 1e9 /* of cpu-clock: ns */
#define DURATION 10

/* NULL after it has been said that there is none */
static const struct plan_event *choose_event(const struct plan_options *options,
					     const struct plan_setting *setting)
{
	if (options->event)
		return plan_event_find(options->event);
	if (setting->is_amd)
		return plan_event_find("ibs_op");
	if (setting->is_intel)
		return plan_event_find("mem-loads");
	complain_usage(options->command, "--event: this CPU (%s) has no precise event that is known",
		       setting->cpu);
	return NULL;
}

/* 0: not known */
static double rate_of(const struct plan *plan)
{
	if (plan->counted)
		return plan->counted->rate;
	if (plan->options->rate > 0)
		return plan->options->rate;
	/* it counts what passes */
	return plan->event == plan_event_find("cpu-clock") ? CLOCK_RATE : 0;
}

/* CPUs of which each has a ring, and how long each is busy */
static void set_time(const struct plan *plan, struct precis_plan_setup *setup)
{
	const struct plan_options *options = plan->options;
	const struct counted_run *counted = plan->counted;
	const double usual = counted && options->program ? counted->seconds : DURATION;
	double busy = 1;

	setup->seconds = options->duration > 0 ? options->duration : usual;
	setup->cpus = options->threads ? options->threads : 1;
	if (!counted)
		return;
	if (!options->threads) {
		busy = counted->cpus;
		setup->cpus = busy > 1 ? (uint32_t)(busy + 0.5) : 1;
	}
	setup->seconds *= busy / (options->threads ? 1 : setup->cpus);
	setup->rate_deviation = isnan(counted->rate_deviation) ? 0 : counted->rate_deviation;
	if (options->peak <= 0)
		setup->rate_peak = counted->peak;
}

static uint32_t raw_bytes(const struct plan *plan)
{
	const uint32_t known = plan->event->kind == PLAN_TRACEPOINT && plan->options->event ?
				       plan_tracepoint_bytes(plan->options->event) : 0;

	return known ? known : plan->event->raw_bytes;
}

static void set_up(struct plan *plan)
{
	const struct plan_options *options = plan->options;
	const struct plan_event *event = plan->event;
	const uint64_t parts = PLAN_USUAL_PARTS | event->parts | options->parts;
	struct precis_plan_setup *setup = &plan->setup;

	if (event->pebs_bytes)
		plan->ends_large_pebs = precis_plan_ends_large_pebs(parts);
	*setup = (struct precis_plan_setup){
		.size = sizeof(*setup),
		.period = options->period,
		.random_start = event->random_start,
		.rate = rate_of(plan),
		.rate_peak = options->peak,
		.interrupts_most = event->is_throttled ? plan->setting->sample_rate_most : 0,
		.record_bytes = precis_plan_record_bytes(parts, raw_bytes(plan), options->frames,
							 options->registers, options->branches,
							 options->stack_bytes),
		.is_signalled = (uint32_t)options->is_signalled,
		.reader_delay_ns = options->delay_ns > 0 ? options->delay_ns :
				   plan->cost.reader_delay_ns > 0 ? plan->cost.reader_delay_ns :
								    PRECIS_PLAN_DELAY_NS,
		.working_set_bytes = options->working_set,
		.cache_bytes = options->cache,
		.kernel_counts = (uint32_t)event->kernel_counts,
	};
	set_time(plan, setup);
	if (event->pebs_bytes && !plan->ends_large_pebs && !options->is_signalled)
		setup->samples_per_interrupt = precis_plan_large_pebs(event->pebs_bytes);
}

static void wish_for(struct plan *plan)
{
	const struct plan_options *options = plan->options;

	plan->wish = (struct precis_plan_wish){
		.size = sizeof(plan->wish),
		.unit = plan->event->unit,
		.budget = options->budget,
		.share = options->share,
		.error = options->error,
		.samples = options->samples,
		.period_least = plan->event->period_least,
		.period_most = plan->event->period_most,
		.ring_most = plan->setting->mlock_bytes,
		.page_bytes = plan->setting->page_bytes,
	};
}

/* 0, or a negative enum precis_error */
static int work_out(struct plan *plan)
{
	int code = 0;

	if (plan->setup.period) {
		plan->setup.ring_bytes = PERF_RING_BYTES;
		plan->setup.watermark_bytes = PERF_RING_BYTES / 2;
	} else {
		plan->advice.size = sizeof(plan->advice);
		code = precis_plan_advise(&plan->cost, &plan->setup, &plan->wish, &plan->advice);
		plan->setup.period = plan->advice.period;
		plan->setup.ring_bytes = plan->advice.ring_bytes;
		plan->setup.watermark_bytes = plan->advice.watermark_bytes;
	}
	/* each sample is a signal */
	plan->setup.watermark_samples = plan->options->is_signalled ? 1 : 0;
	plan->prediction.size = sizeof(plan->prediction);
	return code ? code : precis_plan_predict(&plan->cost, &plan->setup, &plan->prediction);
}

static int print_plan(const struct plan *plan)
{
	const struct plan_options *options = plan->options;
	struct document document = { 0 };
	int code;

	plan_page(&document, plan);
	code = page_print(options->command, &document, options->output, options->format, "facts");
	if (!code && plan->advice.size && !plan->advice.is_feasible)
		code = EXIT_FAILED;
	/* the plan is one for what came until then */
	if (plan->counted && plan->counted->is_cut) {
		complain(options->command, "%s: %s", options->program[0],
			 plan->counted->end[0] ? plan->counted->end : "interrupted");
		code = EXIT_FAILED;
	}
	return code;
}

/* Wrong usage, before anything runs. EXIT_OK, EXIT_USAGE */
static int check_options(const struct plan *plan)
{
	const struct plan_options *options = plan->options;
	const struct plan_event *event = plan->event;

	if (!options->program && !options->pid && rate_of(plan) <= 0)
		return complain_usage(options->command, "--rate: how many events a second? A command, or "
				      "--pid, has them counted");
	if (options->period % event->unit)
		return complain_usage(options->command, "--period: %s takes multiples of %u", event->name,
				      event->unit);
	if (options->period && (options->period < event->period_least ||
				(event->period_most && options->period > event->period_most)))
		return complain_usage(options->command, "--period: %s has none so short or long",
				      event->name);
	return EXIT_OK;
}

/* Count what the program does. EXIT_OK, or another code after it has been said why */
static int count(const struct plan *plan, struct counted_run *counted)
{
	const struct plan_options *options = plan->options;
	struct counted_request request = {
		.command = options->program,
		.runs = options->runs ? options->runs : 1,
		.keeps_output = options->output != NULL,
		.pid = options->pid,
		.seconds = options->count_seconds > 0 ? options->count_seconds : DURATION,
		.is_slowed = plan->event->kernel_counts,
		.event_ns = plan->cost.ns[PRECIS_PLAN_EVENT],
	};
	const char *name = options->event ? options->event : plan->event->name;
	char reason[PLAN_REASON];
	int code = EXIT_FAILED;

	if (!plan_kernel_event(plan->event, name, plan->setting, &request.attr, reason)) {
		plan_counting(plan->event, &request.attr);
		code = counted_run(&request, counted, reason);
	}
	if (code == EXIT_NOT_FOUND || code == EXIT_NOT_EXECUTED)
		complain(options->command, "%s", reason);
	else if (code)
		complain(options->command, "%s: %s", name, reason);
	return code;
}

/*
 * While a data breakpoint is set, hit or not, copying and clearing of memory by REP string instructions, the
 * program's and the kernel's, may be many times slower (measured on AMD's Zen 5): what that costs is the
 * program's own.
 */
static void take_slowed(struct plan *plan)
{
	const struct counted_run *counted = plan->counted;
	struct precis_plan_cost *cost = &plan->cost;

	if (plan->event->kind != PLAN_BREAKPOINT || isnan(counted->slowed_ns))
		return;
	for (uint32_t cause = 0; cause < PRECIS_PLAN_CAUSES; cause++)
		cost->covariance[PRECIS_PLAN_EVENT][cause] =
			cost->covariance[cause][PRECIS_PLAN_EVENT] = 0;
	cost->knowledge[PRECIS_PLAN_EVENT] = PRECIS_PLAN_KNOWN;
	cost->ns[PRECIS_PLAN_EVENT] = fmax(counted->slowed_ns, 0);
	/* an interval has 'reach' of them on each side */
	cost->covariance[PRECIS_PLAN_EVENT][PRECIS_PLAN_EVENT] =
		pow(counted->slowed_deviation * 1.96 / (cost->reach > 0 ? cost->reach : 1.96), 2);
}

static int advise(const struct plan_options *options, const struct plan_setting *setting)
{
	struct plan plan = { .options = options, .setting = setting };
	struct counted_run counted;
	int code;

	plan.event = choose_event(options, setting);
	if (!plan.event)
		return EXIT_USAGE;
	code = check_options(&plan);
	if (!code)
		code = plan_cost_find(options, setting, plan.event, &plan.cost, plan.note);
	if (!code && (options->program || options->pid)) {
		code = count(&plan, &counted);
		plan.counted = &counted;
	}
	if (code)
		return code;
	if (plan.counted)
		take_slowed(&plan);
	set_up(&plan);
	wish_for(&plan);
	if (options->peak > 0 && options->peak < plan.setup.rate)
		return complain_usage(options->command, "--peak: is below the rate, %g", plan.setup.rate);
	code = work_out(&plan);
	if (!code)
		return print_plan(&plan);
	complain(options->command, "there is no plan for that: %s", precis_strerror(code));
	return EXIT_FAILED;
}

int command_plan(int argc, char **argv)
{
	struct plan_options options;
	struct plan_setting setting;
	int code = plan_options_parse(&options, argc, argv);

	if (code || options.is_help)
		return code;
	plan_setting_read(&setting);
	if (options.task == PLAN_CALIBRATE)
		return plan_calibrate(&options, &setting);
	if (options.task == PLAN_CHECK)
		return plan_check(&options, &setting);
	return advise(&options, &setting);
}
