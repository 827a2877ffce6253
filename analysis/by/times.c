/* SPDX-License-Identifier: BSD-3-Clause */
/* See times.h. */
#include "times.h"

#include <math.h>

/* As perf works percents out */
static uint64_t start_of(uint64_t total, uint32_t parts, uint64_t part)
{
	const double percent = 100.0 * (double)part / parts;

	return (uint64_t)round(percent / 100 * (double)total);
}

uint32_t by_time_part(const struct analysis_about *about, uint32_t parts, uint64_t time)
{
	const uint64_t total = about->last_time - about->first_time;
	uint64_t since = time > about->first_time ? time - about->first_time : 0;
	uint32_t part;

	if (since >= total)
		return total ? parts - 1 : 0;
	part = (uint32_t)((double)since / (double)total * parts);
	/* it is right but for what is rounded */
	if (part >= parts)
		part = parts - 1;
	while (part && since < start_of(total, parts, part))
		part--;
	while (part + 1 < parts && since >= start_of(total, parts, part + 1))
		part++;
	return part;
}

uint64_t by_time_of(const struct analysis_about *about, const struct by_asked_key *key, uint64_t time)
{
	if (key->parts)
		return by_time_part(about, key->parts, time);
	return time > about->first_time ? (time - about->first_time) / key->interval : 0;
}

uint64_t by_time_start(const struct analysis_about *about, const struct by_asked_key *key, uint64_t part)
{
	return key->parts ? start_of(about->last_time - about->first_time, key->parts, part) :
			    part * key->interval;
}
