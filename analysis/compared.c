/* SPDX-License-Identifier: BSD-3-Clause */
/* See compared.h. */
#include "compared.h"

#include <math.h>

const struct column compared_columns[COMPARED_COLUMNS] = {
	{ "figure", "figure", COLUMN_LEFT }, { NULL, "before", 0 }, { NULL, "after", 0 },
	{ NULL, "difference", 0 }, { "verdict", "verdict", COLUMN_LEFT },
	{ "before", NULL, 0 }, { "after", NULL, 0 }, { "difference", NULL, 0 },
	{ "difference_low", NULL, 0 }, { "difference_high", NULL, 0 },
};

int compared_has_both(const struct compared *compared)
{
	return !isnan(compared->side[0].value) && !isnan(compared->side[1].value);
}

int compared_is_decided(const struct compared *compared)
{
	return !compared->refused && (compared->difference.low > 0 || compared->difference.high < 0) &&
	       !isnan(compared->difference.low + compared->difference.high);
}

static const char *verdict_of(const struct compared *compared, int better)
{
	const struct interval *difference = &compared->difference;
	const int is_more = difference->low > 0;

	if (compared->refused)
		return compared->refused;
	if (isnan(difference->low) || isnan(difference->high))
		return compared->unknown;
	if (!compared_is_decided(compared))
		return "undecided";
	if (!better)
		return is_more ? "more" : "less";
	return is_more == (better > 0) ? "better" : "worse";
}

/* How text has numbers */
struct scale {
	double factor;
	const char *unit;
	int digits;
};

static struct scale scale_of(const struct compared *compared, const struct compared_as *as)
{
	static const struct {
		double least;
		struct scale scale;
	} scales[] = {
		{ 1e12, { 1e-12, "T", 2 } }, { 1e9, { 1e-9, "G", 2 } },
		{ 1e6, { 1e-6, "M", 2 } },   { 1e4, { 1e-3, "k", 2 } },
	};
	const double larger = fmax(fabs(compared->side[0].value), fabs(compared->side[1].value));

	if (as->is_share)
		return (struct scale){ 100, "%", as->digits };
	for (size_t n = 0; as->is_scaled && n < sizeof(scales) / sizeof(scales[0]); n++) {
		if (larger >= scales[n].least)
			return scales[n].scale;
	}
	return (struct scale){ 1, "", as->digits };
}

static void cell_figure(struct document *document, double value, struct scale scale)
{
	cell_text(document, "%.*f%s", scale.digits, scale.factor * value, scale.unit);
}

static void cell_difference(struct document *document, const struct compared *compared, struct scale scale)
{
	const double value = scale.factor * (compared->side[1].value - compared->side[0].value);
	const struct interval *ends = &compared->difference;

	if (isnan(ends->low) || isnan(ends->high))
		cell_text(document, "%+.*f%s [-,-]", scale.digits, value, scale.unit);
	else
		cell_text(document, "%+.*f%s [%.*f,%.*f]", scale.digits, value, scale.unit, scale.digits,
			  scale.factor * ends->low, scale.digits, scale.factor * ends->high);
}

void compared_cells(struct document *document, const struct compared *compared,
		    const struct compared_as *as)
{
	const struct scale scale = scale_of(compared, as);

	cell_text(document, "%s", as->name);
	cell_figure(document, compared->side[0].value, scale);
	cell_figure(document, compared->side[1].value, scale);
	cell_difference(document, compared, scale);
	cell_text(document, "%s", verdict_of(compared, as->better));
	cell_known(document, compared->side[0].value);
	cell_known(document, compared->side[1].value);
	cell_known(document, compared->side[1].value - compared->side[0].value);
	cell_known(document, compared->difference.low);
	cell_known(document, compared->difference.high);
}
