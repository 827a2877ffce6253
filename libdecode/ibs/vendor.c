/* SPDX-License-Identifier: BSD-3-Clause */
/* AMD's IBS, and Hygon's, as the library asks for it. */
#include "answers.h"
#include "errata.h"

static const struct vendor_cpu cpus[] = {
	{ "AuthenticAMD", PRECIS_VENDOR_AMD },
	{ "HygonGenuine", PRECIS_VENDOR_HYGON },
	{ NULL, 0 },
};

static uint32_t cores_of(const struct precis_cpu *cpu)
{
	return precis_amd_cores_of(cpu, 0);
}

const struct vendor precis_vendor_ibs = {
	.cpus = cpus,
	.cores_of = cores_of,
	.add_source = precis_ibs_add_source,
	.add_rule = precis_ibs_add_rule,
	.erratum = precis_ibs_erratum,
	.errata = PRECIS_IBS_ERRATA,
	.why = precis_ibs_why,
	.why_of_event = precis_ibs_why_of_event,
	.words = &precis_ibs_words,
	.level_one_hop_away = precis_ibs_level_one_hop_away,
};
