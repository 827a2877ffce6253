/* SPDX-License-Identifier: BSD-3-Clause */
/* Intel's PEBS as the library asks for it. */
#include <string.h>

#include <precis/error.h>

#include "../sample/text.h"
#include "answers.h"
#include "tables.h"

static const struct vendor_cpu cpus[] = {
	{ "GenuineIntel", PRECIS_VENDOR_INTEL },
	{ NULL, 0 },
};

/* Its cores are numbers, not bits, and of a hybrid CPU each PMU has another. */
static uint32_t cores_of(const struct precis_cpu *cpu)
{
	(void)cpu;
	return 0;
}

/* In a record, and where the kernel puts it; a field's own generic one is told for itself. */
static void add_source(uint32_t field, struct text *text)
{
	const struct pebs_value_row *row;

	if (precis_pebs_value_of(field) == PEBS_VALUE_NONE)
		return;
	row = &precis_pebs_values[precis_pebs_value_of(field)];
	text_separate(text);
	text_add(text, "pebs: ");
	text_add(text, row->source);
	if (row->cut.bits)
		text_add_bits(text, row->cut.low, row->cut.bits);
	if (row->perf != PERF_SOURCE_NONE &&
	    (row->access != NO_ACCESS || row->word == PRECIS_PEBS_LATENCY ||
	     row->word == PRECIS_PEBS_RETIRE_LATENCY)) {
		text_add(text, ", or ");
		text_add(text, precis_perf_source_names[row->perf]);
	}
}

static void add_rule(uint32_t field, struct text *text)
{
	enum pebs_value value = precis_pebs_value_of(field);
	const char *said = "";

	for (unsigned int i = 0; value != PEBS_VALUE_NONE && i < PEBS_GATE_COUNT; i++) {
		if (!(precis_pebs_values[value].gates >> i & 1) ||
		    strcmp(precis_pebs_gates[i].rule, said) == 0)
			continue;
		text_separate(text);
		text_add(text, said[0] ? "" : "of PEBS: ");
		said = precis_pebs_gates[i].rule;
		text_add(text, said);
	}
}

/* None is published that touches a record's words. */
static int erratum(uint32_t n, struct precis_erratum *erratum)
{
	(void)n;
	(void)erratum;
	return PRECIS_E_ARGUMENT;
}

/*
 * Before 4.14, when mem_remote came, another socket: with the snoop always said, the lock and the
 * TLB both or neither, and a TLB hit of either level.
 */
static uint32_t level_one_hop_away(const struct precis_data_source *source)
{
	const uint32_t l1_hit = PRECIS_DATA_DTLB_L1 | PRECIS_DATA_DTLB_HIT;
	const uint32_t l2_hit = PRECIS_DATA_DTLB_L2 | PRECIS_DATA_DTLB_HIT;
	int lock_alone_na = source->lock == PRECIS_DATA_LOCK_NA &&
			    source->dtlb != PRECIS_DATA_DTLB_NA;

	return source->snoop == PRECIS_DATA_SNOOP_NA || source->dtlb == l1_hit ||
			       source->dtlb == l2_hit || lock_alone_na ?
		       0 :
		       PRECIS_MEM_LEVEL_FAR_CACHE;
}

const struct vendor precis_vendor_pebs = {
	.cpus = cpus,
	.cores_of = cores_of,
	.add_source = add_source,
	.add_rule = add_rule,
	.erratum = erratum,
	.errata = 0,
	.why = precis_pebs_why,
	.why_of_event = precis_pebs_why_of_event,
	.level_one_hop_away = level_one_hop_away,
};
