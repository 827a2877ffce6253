/* SPDX-License-Identifier: BSD-3-Clause */
/* See c2c.h. */
#include "c2c.h"

#include <stddef.h>

#include <precis/precis.h>

struct rule {
	uint32_t counter, op, all, any, is_remote, snoop, no_snoop, snoopx;
};

static const struct rule rules[] = {
#define SHARING_C2C_RULE(id, op, all, any, is_remote, snoop, no_snoop, snoopx)                     \
	{ SHARING_C2C_##id, PRECIS_DATA_OP_##op, all, any, is_remote, snoop, no_snoop, snoopx },
#include "c2c.def"
#undef SHARING_C2C_RULE
};

static const uint32_t sums[] = {
#define SHARING_C2C(id, name, sum) [SHARING_C2C_##id] = SHARING_C2C_##sum,
#include "c2c.def"
#undef SHARING_C2C
};

static void count(uint32_t counts[SHARING_C2C_COUNTS], uint32_t counter)
{
	const uint32_t sum = sums[counter];

	counts[counter]++;
	if (sum == SHARING_C2C_NO_SUM)
		return;
	counts[SHARING_C2C_RECORDS]++;
	counts[SHARING_C2C_LOADS] += sum == SHARING_C2C_LOADS;
}

/* perf takes what is a load and a store for a load. */
static int is_op(const struct precis_data_source *source, uint32_t op)
{
	return (source->op & op) &&
	       (op == PRECIS_DATA_OP_LOAD || !(source->op & PRECIS_DATA_OP_LOAD));
}

static int has_level(const struct precis_data_source *source, const struct rule *rule)
{
	const int is_remote = rule->is_remote && source->remote && !source->hops;

	return (source->lvl & rule->all) == rule->all &&
	       (!rule->any || source->lvl & rule->any || is_remote);
}

void sharing_c2c_count(uint32_t counts[SHARING_C2C_COUNTS], uint64_t word)
{
	struct precis_data_source source = { .size = sizeof(source) };

	if (precis_data_source_decode(word, &source))
		return;
	for (size_t n = 0; n < sizeof(rules) / sizeof(rules[0]); n++) {
		const struct rule *rule = &rules[n];

		if (is_op(&source, rule->op) && has_level(&source, rule) &&
		    (!rule->snoop || source.snoop & rule->snoop) &&
		    !(source.snoop & rule->no_snoop) &&
		    (!rule->snoopx || source.snoopx & rule->snoopx))
			count(counts, rule->counter);
	}
}
