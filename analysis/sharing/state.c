/* SPDX-License-Identifier: BSD-3-Clause */
/* See state.h. */
#include "state.h"

#include <math.h>

struct precis_symbols *sharing_symbols(const struct sharing *sharing, uint32_t recording)
{
	if (!recording)
		return sharing->model.symbols;
	return recording <= sharing->taken_count ? sharing->taken[recording - 1] : NULL;
}

double sharing_seconds(const struct sharing *sharing)
{
	const struct sharing_time *time = &sharing->time;

	if (time->first == UINT64_MAX || time->last <= time->first)
		return sharing->other_seconds > 0 ? sharing->other_seconds : NAN;
	return sharing->other_seconds + (double)(time->last - time->first) / 1e9;
}

const char *sharing_why_unweighed(const struct sharing *sharing)
{
	if (sharing->why_unknown)
		return sharing->why_unknown;
	if (sharing->cycles)
		return "periods count cycles, not accesses";
	return sharing->unweighed ? "what some samples stand for is not known" : NULL;
}
