/* SPDX-License-Identifier: BSD-3-Clause */
/* See estimates.h. */
#include "estimates.h"

#include <math.h>
#include <stdio.h>

static void end_text(double end, double times, int digits, char room[32])
{
	if (isnan(end))
		snprintf(room, 32, "-");
	else
		snprintf(room, 32, "%.*f", digits, end * times);
}

void estimate_text(const struct precis_plan_estimate *estimate, double times, int digits,
		   char text[ESTIMATE_TEXT])
{
	char low[32], high[32];

	end_text(estimate->low, times, digits, low);
	end_text(estimate->high, times, digits, high);
	if (isnan(estimate->value))
		snprintf(text, ESTIMATE_TEXT, "not known");
	else if (isnan(estimate->low) && isnan(estimate->high))
		snprintf(text, ESTIMATE_TEXT, "%.*f", digits, estimate->value * times);
	else
		snprintf(text, ESTIMATE_TEXT, "%.*f [%s, %s]", digits, estimate->value * times, low, high);
}

void member_known(struct document *document, const char *name, double value, const char *reason)
{
	if (isnan(value))
		member_absent(document, name, reason);
	else
		member_decimal(document, name, value);
}

void fact_estimate(struct document *document, const char *name,
		   const struct precis_plan_estimate *estimate, const char *unit)
{
	fact(document, name);
	cell_members(document);
	member_known(document, "value", estimate->value, "NOT_KNOWN");
	member_known(document, "low", estimate->low, "NOT_KNOWN");
	member_known(document, "high", estimate->high, "NOT_KNOWN");
	member_text(document, "unit", unit);
	close_nest(document);
}
