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
} units[UNITS] = {
	{ PRECIS_PERIOD_UNIT_CYCLES, "_by_cycles", ", sampled by cycles" },
	{ PRECIS_PERIOD_UNIT_OPS, "_by_ops", ", sampled by micro-ops" },
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

static int is_of_ops(const struct table *table)
{
	return (table->topics & TOPIC_OPS) != 0;
}

/* Findings are of either; what the file is and what it lost is told once. */
static int is_of_unit(const struct table *table, void *data)
{
	static const char *const sections[] = { "findings", "in_step" };

	(void)data;
	for (size_t n = 0; n < sizeof(sections) / sizeof(sections[0]); n++) {
		if (strcmp(table->section, sections[n]) == 0)
			return 1;
	}
	return is_of_ops(table);
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
