/* SPDX-License-Identifier: BSD-3-Clause */
/* See weights.h. */
#include "weights.h"

#include <stdlib.h>
#include <string.h>

#include "libdecode/sample/bytes.h"
#include "statistics/weighted.h"

int weights_are_own(const struct precis_event *event)
{
	return event->layout && (event->layout->sample_type & PRECIS_SAMPLE_PERIOD);
}

/* 0: not known */
static uint64_t fixed_weight(const struct precis_event *event)
{
	if (!event || event->is_frequency || event->sample_period > WEIGHT_MOST)
		return 0;
	return event->sample_period;
}

static uint32_t find_fixed(struct weights *weights, uint64_t weight)
{
	uint32_t at = 1;

	while (at <= weights->count && weights->fixed[at] != weight)
		at++;
	if (at <= weights->count)
		return at;
	if (at == WEIGHTS_MOST - 1)
		weight = 0; /* the last one is for what remains */
	else if (at == WEIGHTS_MOST)
		return WEIGHTS_MOST - 1;
	weights->fixed[at] = weight;
	weights->count = at;
	return at;
}

static uint32_t find(struct weights *weights, const struct precis_event *event)
{
	return event && weights_are_own(event) ? WEIGHT_OWN : find_fixed(weights, fixed_weight(event));
}

/* Room for what is known of that event. 0, or -1 if memory is short */
static int know(struct weights *weights, uint32_t index)
{
	uint32_t count = index < 8 ? 16 : 2 * index;
	uint8_t *more;

	if (index < weights->known)
		return 0;
	more = realloc(weights->of_event, count);
	if (!more)
		return -1;
	memset(more + weights->known, 0, count - weights->known);
	weights->of_event = more;
	weights->known = count;
	return 0;
}

uint32_t weights_of_event(struct weights *weights, const struct precis_event *event)
{
	uint32_t found;

	if (event && event->index < weights->known && weights->of_event[event->index])
		return weights->of_event[event->index] - 1u;
	found = find(weights, event);
	if (event && know(weights, event->index) == 0)
		weights->of_event[event->index] = (uint8_t)(found + 1);
	return found;
}

/* Is one of them not that? */
static int differ(const uint64_t *periods, uint32_t count, uint64_t from)
{
	uint64_t bits = 0;

	UNROLLED
	for (uint32_t n = 0; n < count; n++)
		bits |= periods[n] ^ from;
	return bits != 0;
}

uint32_t weights_of_own(struct weights *weights, const uint64_t *periods, uint32_t count)
{
	if (!weights->own && count)
		weights->own = periods[0];
	if (!weights->own_differ)
		weights->own_differ = differ(periods, count, weights->own);
	if (weights->own_differ || weights->own > WEIGHT_MOST)
		return WEIGHT_OWN;
	return find_fixed(weights, weights->own);
}

void weights_free(struct weights *weights)
{
	free(weights->of_event);
	memset(weights, 0, sizeof(*weights));
}

int weights_may_vary(const struct precis_input *input)
{
	uint32_t count = precis_input_event_count(input);

	for (uint32_t n = 0; n < count; n++) {
		if (weights_are_own(precis_input_event(input, n)))
			return 1;
	}
	return !count && precis_input_file(input);
}
