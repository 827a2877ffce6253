/* SPDX-License-Identifier: BSD-3-Clause */
/* See units.h. */
#include "units.h"

#include <string.h>

#include "analysis/analyses.h"
#include "analysis/samples.h"
#include "analysis/topics.h"

static const struct {
	enum precis_period_unit unit;
	const char *name, *title; /* behind those of tables */
	const char *word, *filter;
} units[UNITS] = {
	{ PRECIS_PERIOD_UNIT_CYCLES, "_by_cycles", ", sampled by cycles", "cycles",
	  "!(period_unit == ops)" },
	{ PRECIS_PERIOD_UNIT_OPS, "_by_ops", ", sampled by micro-ops", "micro-ops",
	  "period_unit == ops" },
};

int units_are_mixed(const struct analysis_run *run)
{
	const struct samples *samples = analysis_state(run, &analysis_samples);

	for (uint32_t n = 0; n < UNITS; n++) {
		if (!samples->period_unit[units[n].unit])
			return 0;
	}
	return 1;
}

void units_select(struct selection *selection, uint32_t n)
{
	selection_of_unit(selection, units[n].unit, n > 0);
}

const char *units_word(uint32_t n)
{
	return units[n].word;
}

const char *units_filter(uint32_t n)
{
	return units[n].filter;
}

/* What the file is and what it lost is told once. */
static int is_of_unit(const struct table *table, void *data)
{
	(void)data;
	return (table->topics & TOPIC_OPS) || strcmp(table->section, "in_step") == 0;
}

void units_name(struct document *document, uint32_t n)
{
	if (n)
		document_keep(document, is_of_unit, NULL);
	for (size_t i = 0; i < document->count; i++) {
		struct table *table = &document->tables[i];

		if (is_of_unit(table, NULL))
			table_renamed(document, table, units[n].name, units[n].title);
	}
}
