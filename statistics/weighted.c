/* SPDX-License-Identifier: BSD-3-Clause */
/* See weighted.h. */
#include "weighted.h"

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

/* How many samples of equal weight have a share of that variance */
static double effective_of_share(const struct weighted *part, const struct weighted *whole,
				 double share)
{
	const double most = weighted_effective(whole), sum = (double)whole->weight;
	const double inside = (double)part->squares / sum / sum;
	const double outside = (double)(whole->squares - part->squares) / sum / sum;
	const double variance =
		(1 - share) * (1 - share) * inside + share * share * outside;

	return share * (1 - share) < most * variance ? share * (1 - share) / variance : most;
}

struct interval weighted_interval(const struct weighted *part, const struct weighted *whole)
{
	double share, n;

	if (weighted_are_counted(whole))
		return interval_of_share(part->samples, whole->samples);
	share = weighted_share(part, whole);
	n = effective_of_share(part, whole, share);
	return interval_of_part(share, n);
}
