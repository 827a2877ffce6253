/* SPDX-License-Identifier: BSD-3-Clause */
/* Two tables: the events of a machine or a core, and how precise each core's can be. */
#include <stdio.h>
#include <string.h>

#include "events.h"
#include "machine_core.h"
#include "pfm_events.h"
#include "statistics/table.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define IBS_LEVEL 2 /* of what Linux forwards to IBS: forward_event_to_ibs(), arch/x86/events/amd/ibs.c */
#define UNKNOWN (-1)

/* By enum precis_intel_core */
static const struct {
	int level;
	const char *besides;
} intel_levels[PRECIS_INTEL_CORE_COUNT] = {
	[PRECIS_INTEL_UNKNOWN] = { UNKNOWN, "" },
#define PRECISE_LEVEL(core, level, besides) [PRECIS_INTEL_##core] = { level, besides },
#include "precise_levels.def"
#undef PRECISE_LEVEL
};

enum {
	LEVELS_COUNT = 0
#define PRECISE_LEVEL(core, level, besides) +1
#include "precise_levels.def"
#undef PRECISE_LEVEL
};
_Static_assert((int)LEVELS_COUNT + 1 == (int)PRECIS_INTEL_CORE_COUNT, "a row for each core");

static const struct {
	const char *name;
	uint32_t model, least_stepping;
} pfm_pmus[] = {
#define PFM_PMU(name, model, least_stepping) { name, model, least_stepping },
#include "pfm_pmus.def"
#undef PFM_PMU
};

static const struct column event_columns[] = {
	{ "pmu", "PMU", COLUMN_LEFT },
	{ "level", "level", 0 },
	{ "source", "known from", COLUMN_LEFT },
	{ "meaning", "what it samples", COLUMN_LEFT },
};

static const struct column level_columns[] = {
	{ "vendor", "vendor", COLUMN_LEFT },
	{ "technique", "by", COLUMN_LEFT },
	{ "level", "level", 0 },
	{ "models", NULL, COLUMN_LEFT },
	{ "besides", "besides", COLUMN_LEFT },
};

/* What a row of the events' table has besides its name */
struct origin {
	struct document *document;
	const char *pmu, *source;
	int level;
};

static void level_cell(struct document *document, int level, const char *why)
{
	if (level >= 0) {
		cell_count(document, (uint64_t)level);
		return;
	}
	cell_absent(document);
	cell_why_absent(document, why);
}

static void event_row(const struct origin *origin, const char *name, const char *meaning)
{
	struct document *document = origin->document;

	row_begin(document, "%s", name);
	row_in(document, "rows");
	cell_text(document, "%s", origin->pmu);
	level_cell(document, origin->level, "no source says it");
	cell_text(document, "%s", origin->source);
	cell_text(document, "%s", meaning);
}

static void take_pfm_event(void *data, const char *name, const char *meaning)
{
	event_row(data, name, meaning);
}

/* --- of this machine, by sysfs ----------------------------------------------- */

static void add_ibs_events(const struct machine *machine, struct document *document)
{
	struct origin own = { document, "ibs_op", "sysfs", IBS_LEVEL };
	struct origin forwarded = { document, "cpu", "sysfs: ibs_op", IBS_LEVEL };

	if (machine->ibs_fetch.present) {
		own.pmu = "ibs_fetch";
		event_row(&own, "ibs_fetch//", "instruction fetches");
	}
	if (!machine->ibs_op.present)
		return;
	own.pmu = "ibs_op";
	event_row(&own, "ibs_op//", "ops, one every so many cycles");
	if (strstr(machine->ibs_op.formats, "cnt_ctl"))
		event_row(&own, "ibs_op/cnt_ctl=1/", "ops, one every so many of them");
	event_row(&forwarded, "cpu-cycles", "the same as ibs_op//");
	event_row(&forwarded, "r0076", "the same as ibs_op//");
	event_row(&forwarded, "r00c1", "the same as ibs_op/cnt_ctl=1/");
}

static void add_core_events(const struct machine_core_pmu *pmu, struct document *document)
{
	const struct {
		int has;
		const char *name, *meaning;
	} rows[] = {
		{ pmu->max_precise > 0, "cpu-cycles", "cycles" },
		{ pmu->max_precise > 0, "instructions", "instructions" },
		{ pmu->has_mem_loads, "mem-loads", "loads, with address, source and latency" },
		{ pmu->has_mem_stores, "mem-stores", "stores, with address" },
	};
	struct origin origin = { document, pmu->name, "sysfs", pmu->max_precise };

	for (size_t n = 0; n < COUNT_OF(rows); n++) {
		if (rows[n].has)
			event_row(&origin, rows[n].name, rows[n].meaning);
	}
}

/* --- by libpfm4 ---------------------------------------------------------------- */

static const char *pfm_pmu_of(const struct precis_cpu *cpu)
{
	const char *found = NULL;

	if (cpu->vendor != PRECIS_VENDOR_INTEL || cpu->family != 6)
		return NULL;
	for (size_t n = 0; n < COUNT_OF(pfm_pmus); n++) {
		if (cpu->model == pfm_pmus[n].model && cpu->stepping >= pfm_pmus[n].least_stepping)
			found = pfm_pmus[n].name;
	}
	return found;
}

/* The level of the cores that have that PMU of libpfm4, by the table */
static int level_of_pfm_pmu(const char *name)
{
	struct precis_cpu cpu = { .size = sizeof(cpu), .vendor = PRECIS_VENDOR_INTEL, .family = 6 };

	for (size_t n = 0; n < COUNT_OF(pfm_pmus); n++) {
		if (strcmp(pfm_pmus[n].name, name) != 0)
			continue;
		cpu.model = pfm_pmus[n].model;
		cpu.stepping = pfm_pmus[n].least_stepping;
		return intel_levels[precis_intel_core_of(&cpu, PRECIS_CORE_TYPE_UNKNOWN)].level;
	}
	return UNKNOWN;
}

static void begin_events(struct document *document, const char *title)
{
	table_begin(document, "events", title, "event", event_columns, COUNT_OF(event_columns));
}

static void note_level(struct document *document)
{
	table_note(document, "level: the highest precise_ip, the p's behind an event's name, that Linux "
			     "accepts. At 1 a sample may be at the next instruction, at 2 it is at its own; "
			     "at 3 events of retired instructions fall on slow ones no more often than on "
			     "others, and what more it gives depends on the core and the counter");
}

static void describe_machine_events(const struct machine *machine, struct document *document)
{
	const char *name = pfm_pmu_of(&machine->cpu), *why = "libpfm4 has no table for this CPU";
	const struct machine_core_pmu *pmu;
	struct origin origin = { document, name, "libpfm4", 0 };
	int count = -1;

	begin_events(document, "Precise events of this machine");
	add_ibs_events(machine, document);
	for (uint32_t n = 0; (pmu = machine_core_pmu(machine, n)); n++) {
		if (machine->cpu.vendor != PRECIS_VENDOR_INTEL)
			continue;
		add_core_events(pmu, document);
		origin.level = pmu->max_precise;
	}
	if (name && origin.level != 0)
		count = pfm_events_each(name, take_pfm_event, &origin, &why);
	else if (name)
		why = "sysfs has no PMU with PEBS";
	if (!document->tables[document->count - 1].row_count)
		table_note(document, "none: sysfs has neither IBS nor a PMU with PEBS");
	if (count < 0)
		table_note(document, "no events of libpfm4: %s", why);
	note_level(document);
}

/* --- cores ----------------------------------------------------------------------- */

static void core_row(struct document *document, const char *name, const char *vendor,
		     const char *technique)
{
	row_begin(document, "%s", name);
	row_in(document, "rows");
	cell_text(document, "%s", vendor);
	cell_text(document, "%s", technique);
}

static void add_amd_cores(struct document *document)
{
	for (uint32_t core = 0; core < PRECIS_AMD_CORE_COUNT; core++) {
		core_row(document, precis_amd_core_name(core), "AMD", "IBS");
		level_cell(document, IBS_LEVEL, NULL);
		cell_text(document, "%s", precis_amd_core_models(core));
		cell_text(document, "%s", "");
	}
}

static void add_intel_cores(struct document *document)
{
	struct precis_intel_core_info info = { .size = sizeof(info) };
	static const char unknown[] = "Linux 6.12 does not know it by name";
	char technique[64];

	for (uint32_t core = PRECIS_INTEL_UNKNOWN + 1; core < PRECIS_INTEL_CORE_COUNT; core++) {
		precis_intel_core_info(core, &info);
		snprintf(technique, sizeof(technique), "PEBS%s%s", info.pebs_format < 0 ? "" : " ",
			 info.pebs_format < 0 ? "" : precis_pebs_format_name((uint32_t)info.pebs_format));
		core_row(document, info.name, "Intel", technique);
		level_cell(document, intel_levels[core].level, unknown);
		cell_text(document, "%s", info.models);
		cell_text(document, "%s",
			  intel_levels[core].level < 0 ? unknown : intel_levels[core].besides);
	}
}

static void describe_levels(struct document *document)
{
	table_begin(document, "levels", "How precise events can be, by core", "core", level_columns,
		    COUNT_OF(level_columns));
	add_amd_cores(document);
	add_intel_cores(document);
	table_note(document, "IBS: of cpu-cycles, r0076 and r00c1, which Linux gives to ibs_op, and of the "
			     "PMUs ibs_op and ibs_fetch");
	table_note(document, "by Linux 6.12; a machine's own answer is caps/max_precise in sysfs");
}

int events_describe(const struct machine *machine, const char *pmu, struct document *document,
		    const char **why)
{
	struct origin origin = { document, pmu, "libpfm4", UNKNOWN };

	if (!pmu) {
		describe_machine_events(machine, document);
	} else {
		begin_events(document, "");
		table_titled(document, "Precise events of libpfm4's PMU %s", pmu);
		origin.level = level_of_pfm_pmu(pmu);
		if (pfm_events_each(pmu, take_pfm_event, &origin, why) < 0)
			return 0;
		note_level(document);
	}
	describe_levels(document);
	return 1;
}
