/* SPDX-License-Identifier: BSD-3-Clause */
/* precis plan: how to sample for what it may cost. */
#include "command.h"

#include "calibrate.h"
#include "check.h"
#include "page.h"
#include "setting.h"
#include "command/usage/complain.h"

#define CLOCK_RATE 1e9 /* of cpu-clock: ns */
#define DURATION 10
#define DELAY_NS 1e8   /* as precis_plan_advise() has it */
#define RING_USUAL ((uint64_t)512 << 10) /* perf record's */

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

static double rate_of(const struct plan_options *options, const struct plan_event *event)
{
	if (options->rate > 0)
		return options->rate;
	/* it counts what passes */
	return event == plan_event_find("cpu-clock") ? CLOCK_RATE : 0;
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
		.cpus = options->threads,
		.period = options->period,
		.random_start = event->random_start,
		.rate = rate_of(options, event),
		.rate_peak = options->peak,
		.seconds = options->duration > 0 ? options->duration : DURATION,
		.interrupts_most = event->is_throttled ? plan->setting->sample_rate_most : 0,
		.record_bytes = precis_plan_record_bytes(parts, event->raw_bytes, options->frames,
							 options->registers, options->branches,
							 options->stack_bytes),
		.is_signalled = (uint32_t)options->is_signalled,
		.reader_delay_ns = options->delay_ns > 0 ? options->delay_ns :
				   plan->cost.reader_delay_ns > 0 ? plan->cost.reader_delay_ns : DELAY_NS,
		.working_set_bytes = options->working_set,
		.cache_bytes = options->cache,
	};
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
		plan->setup.ring_bytes = RING_USUAL;
		plan->setup.watermark_bytes = RING_USUAL / 2;
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
	return !code && plan->advice.size && !plan->advice.is_feasible ? EXIT_FAILED : code;
}

static int advise(const struct plan_options *options, const struct plan_setting *setting)
{
	struct plan plan = { .options = options, .setting = setting };
	int code;

	plan.event = choose_event(options, setting);
	if (!plan.event)
		return EXIT_USAGE;
	if (rate_of(options, plan.event) <= 0)
		return complain_usage(options->command,
				      "--rate: how many events a second? 'perf stat' counts them");
	if (options->period % plan.event->unit)
		return complain_usage(options->command, "--period: %s takes multiples of %u",
				      plan.event->name, plan.event->unit);
	if (options->period && (options->period < plan.event->period_least ||
				(plan.event->period_most && options->period > plan.event->period_most)))
		return complain_usage(options->command, "--period: %s has none so short or long",
				      plan.event->name);
	code = plan_cost_find(options, setting, plan.event, &plan.cost, plan.note);
	if (code)
		return code;
	set_up(&plan);
	wish_for(&plan);
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
