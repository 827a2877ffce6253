/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_spread.c
 * @see precis_spread.h
 */
#include "precis_spread.h"

#include <unistd.h>

#include "papi.h"
#include "precis_errors.h"
#include "precis_memory.h"

int precis_is_spread(const struct precis_counter *counter)
{
	const struct precis_target *target = &counter->common->target;

	return counter->sink && target->inherit && target->cpu < 0;
}

void precis_gather(struct precis_counter *counter)
{
	struct precis_counter *part = counter->next, *next;

	for (; part; part = next) {
		next = part->next;
		precis_counter_close(part);
		papi_free(part);
	}
	counter->next = NULL;
}

static struct precis_counter *new_part(const struct precis_counter *of)
{
	struct precis_counter *part = papi_calloc(1, sizeof(*part));

	if (!part)
		return NULL;
	part->common = of->common;
	part->code = of->code;
	part->papi_code = of->papi_code;
	part->position = of->position;
	part->fd = part->leader_fd = -1;
	precis_counter_choose(part, of->sink, &of->sampling);
	return part;
}

int precis_spread(struct precis_counter *counter, int (*open)(struct precis_counter *part))
{
	struct precis_counter **end = &counter->next, *part = counter;
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	int error = PAPI_OK, elsewhere = PAPI_OK;

	for (int cpu = 0; cpu < cpus && !error; cpu++) {
		if (!part)
			part = new_part(counter);
		if (!part) {
			error = precis_fail(PAPI_ENOMEM, "%s: no memory",
					    counter->request.event->name);
			break;
		}
		part->cpu = cpu;
		error = open(part);
		if (error && part->is_elsewhere) {
			elsewhere = error;
			error = PAPI_OK;
			continue; /* the next CPU takes it */
		}
		if (part != counter) {
			*end = part;
			end = &part->next;
		}
		part = NULL;
	}
	if (part == counter)
		return elsewhere;
	papi_free(part);
	if (error) {
		precis_gather(counter);
		precis_counter_close(counter);
	}
	return error;
}
