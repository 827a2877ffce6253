/* SPDX-License-Identifier: BSD-3-Clause */
/* See weighted.h. */
#include "weighted.h"

#include <math.h>

void weighted_add_all(struct weighted *to, const struct weighted *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		weighted_add(&to[i], &from[i]);
}

double weighted_effective(const struct weighted *whole)
{
	if (weighted_are_counted(whole))
		return (double)whole->samples;
	return (double)whole->weight * (double)whole->weight / (double)whole->squares;
}

double weighted_share(const struct weighted *part, const struct weighted *whole)
{
	if (!whole->samples)
		return 0;
	if (weighted_are_counted(whole))
		return (double)part->samples / (double)whole->samples;
	return (double)part->weight / (double)whole->weight;
}

/* Of 'part', which is what is left of the whole without 'rest' */
static double upper_end(const struct weighted *part, const struct weighted *rest,
			const struct weighted *whole, double z)
{
	const double sum = (double)whole->weight, most = (double)whole->most;
	const double moved = fmin(most / 2, (double)rest->weight);
	const double squares = fmin(most * moved, (double)rest->squares);
	const double share = ((double)part->weight + moved) / sum;
	const double variance = ((1 - share) * (1 - share) * ((double)part->squares + squares) +
				 share * share * ((double)rest->squares - squares)) / sum / sum;
	const double n = weighted_effective(whole);

	if (share >= 1)
		return 1;
	return interval_upper_end(share, fmin(n, share * (1 - share) / variance), z);
}

struct interval weighted_interval(const struct weighted *part, const struct weighted *whole)
{
	return weighted_interval_at(part, whole, interval_confidence);
}

struct interval weighted_interval_at(const struct weighted *part, const struct weighted *whole,
				     struct confidence confidence)
{
	const double z = confidence_reach(confidence);
	struct weighted rest;

	if (isnan(z))
		return (struct interval){ NAN, NAN };
	if (weighted_are_counted(whole))
		return interval_of_share_at(part->samples, whole->samples, z);
	rest = weighted_rest(whole, part);
	return (struct interval){
		.low = part->samples ? 1 - upper_end(&rest, part, whole, z) : 0,
		.high = rest.samples ? upper_end(part, &rest, whole, z) : 1,
	};
}
