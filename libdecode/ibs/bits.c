/* SPDX-License-Identifier: BSD-3-Clause */
/* The register view's table of bit fields. */
#include <precis/error.h>

#include "../sample/abi.h"
#include "context.h"
#include "registers.h"

static const struct bits_row {
	uint8_t reg, low, width;
	uint32_t cores, needed, excluded;
	const char *name, *perf_name, *meaning;
} rows[] = {
/* clang-format off */
#define PRECIS_BITS(id, reg, low, width, name, perf, cores, needed, excluded, meaning)                 \
	{ PRECIS_IBS_##reg, low, width, cores, needed, excluded, name, perf, meaning },
#include "bits.def"
#undef PRECIS_BITS
	/* clang-format on */
};

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

int precis_ibs_bits(uint32_t n, struct precis_ibs_bits *bits)
{
	ABI_OUT(struct precis_ibs_bits, bits, precis_ibs_bits(n, &abi));
	if (n >= ROW_COUNT)
		return PRECIS_E_ARGUMENT;
	bits->reg = rows[n].reg;
	bits->low = rows[n].low;
	bits->width = rows[n].width;
	bits->name = rows[n].name;
	bits->perf_name = rows[n].perf_name;
	bits->meaning = rows[n].meaning;
	return 0;
}

int precis_ibs_bits_defined(const struct precis_ibs_context *context, uint32_t n)
{
	if (n >= ROW_COUNT)
		return 0;
	return context->cores && !(context->cores & ~rows[n].cores) &&
	       (context->caps & rows[n].needed) == rows[n].needed &&
	       !(context->caps & rows[n].excluded);
}

static uint64_t mask_of(const struct bits_row *row)
{
	return ~UINT64_C(0) >> (64 - row->width) << row->low;
}

typedef uint64_t (*register_fn)(const void *registers, uint32_t reg);

static const char *bits_erratum(const struct precis_ibs_context *context,
				enum precis_ibs_unit unit, const void *registers,
				register_fn value_of, uint32_t n)
{
	if (n >= ROW_COUNT)
		return NULL;
	for (uint32_t i = 0; i < PRECIS_IBS_ERRATA; i++) {
		const struct erratum_row *row = &precis_errata[i];

		if (!erratum_loses(context->errata, i, unit) ||
		    !(erratum_lost(row, rows[n].reg) & mask_of(&rows[n])))
			continue;
		if (row->condition == CONDITION_ALWAYS ||
		    erratum_holds(row, value_of(registers, row->when.reg)))
			return row->name;
	}
	return NULL;
}

static uint64_t value_of_op(const void *registers, uint32_t reg)
{
	return op_register((const struct precis_ibs_op *)registers, reg);
}

static uint64_t value_of_fetch(const void *registers, uint32_t reg)
{
	return fetch_register((const struct precis_ibs_fetch *)registers, reg);
}

const char *precis_ibs_op_bits_erratum(struct precis_ibs_context *context,
				       const struct precis_ibs_op *op, uint32_t n)
{
	ABI_IN_OR(NULL, struct precis_ibs_op, op, precis_ibs_op_bits_erratum(context, &abi, n));
	context_for(context, op->caps);
	return bits_erratum(context, PRECIS_IBS_OP, op, value_of_op, n);
}

const char *precis_ibs_fetch_bits_erratum(struct precis_ibs_context *context,
					  const struct precis_ibs_fetch *fetch, uint32_t n)
{
	ABI_IN_OR(NULL, struct precis_ibs_fetch, fetch,
		  precis_ibs_fetch_bits_erratum(context, &abi, n));
	context_for(context, fetch->caps);
	return bits_erratum(context, PRECIS_IBS_FETCH, fetch, value_of_fetch, n);
}
