/* SPDX-License-Identifier: BSD-3-Clause */
/* The causes of the cost of sampling, and what has been published of them. */
#include <string.h>

#include <precis/error.h>
#include <precis/plan.h>

#include "../sample/abi.h"
#include "numbers.h"

const char *precis_plan_cause_name(uint32_t cause)
{
	static const char *const names[PRECIS_PLAN_CAUSES] = {
		[PRECIS_PLAN_SAMPLE] = "sample", [PRECIS_PLAN_INTERRUPT] = "interrupt",
		[PRECIS_PLAN_WAKEUP] = "wakeup", [PRECIS_PLAN_SIGNAL] = "signal",
		[PRECIS_PLAN_BYTE] = "byte",     [PRECIS_PLAN_DISPLACED] = "displaced",
		[PRECIS_PLAN_EVENT] = "event",
	};

	return cause < PRECIS_PLAN_CAUSES ? names[cause] : NULL;
}

static const struct {
	const char *event, *cpu, *kernel;
	double sample, signal, interrupts;
	const char *source, *origin;
} published[] = {
#define PUBLISHED(...) { __VA_ARGS__ },
#include "published.def"
#undef PUBLISHED
};

/* Texts of the table are shorter than their room. */
static void set_text(char *room, size_t bytes, const char *text)
{
	size_t length = strlen(text);

	length = length < bytes ? length : bytes - 1;
	memcpy(room, text, length);
	room[length] = '\0';
}

int precis_plan_published(uint32_t n, struct precis_plan_cost *cost)
{
	const uint32_t size = sizeof(*cost);

	ABI_OUT(struct precis_plan_cost, cost, precis_plan_published(n, &abi));
	if (n >= sizeof(published) / sizeof(published[0]))
		return PRECIS_E_ARGUMENT;
	memset(cost, 0, sizeof(*cost));
	cost->size = size;
	cost->source = PRECIS_PLAN_PUBLISHED;
	cost->knowledge[PRECIS_PLAN_SAMPLE] = PRECIS_PLAN_KNOWN;
	cost->ns[PRECIS_PLAN_SAMPLE] = published[n].sample;
	cost->covariance[PRECIS_PLAN_SAMPLE][PRECIS_PLAN_SAMPLE] = NOT_KNOWN;
	if (published[n].interrupts > 0) {
		cost->knowledge[PRECIS_PLAN_INTERRUPT] = PRECIS_PLAN_MERGED;
		cost->as[PRECIS_PLAN_INTERRUPT][PRECIS_PLAN_SAMPLE] = published[n].interrupts;
		cost->knowledge[PRECIS_PLAN_WAKEUP] = PRECIS_PLAN_MERGED;
		cost->as[PRECIS_PLAN_WAKEUP][PRECIS_PLAN_SAMPLE] = published[n].interrupts;
	}
	if (published[n].signal > 0) {
		cost->knowledge[PRECIS_PLAN_SIGNAL] = PRECIS_PLAN_KNOWN;
		cost->ns[PRECIS_PLAN_SIGNAL] = published[n].signal;
		/* measured as what it adds: the wakeup that it replaces stays in what a sample costs */
		cost->as[PRECIS_PLAN_WAKEUP][PRECIS_PLAN_SIGNAL] = -1;
		cost->covariance[PRECIS_PLAN_SIGNAL][PRECIS_PLAN_SIGNAL] = NOT_KNOWN;
	}
	set_text(cost->event, sizeof(cost->event), published[n].event);
	set_text(cost->cpu, sizeof(cost->cpu), published[n].cpu);
	set_text(cost->kernel, sizeof(cost->kernel), published[n].kernel);
	set_text(cost->made, sizeof(cost->made), published[n].source);
	set_text(cost->origin, sizeof(cost->origin), published[n].origin);
	return 0;
}
