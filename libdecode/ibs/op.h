/* SPDX-License-Identifier: BSD-3-Clause */
/* Decoding an ibs_op sample: which gates hold, and what the bits become. */
#ifndef PRECIS_IBS_OP_H
#define PRECIS_IBS_OP_H

#include "decode.h"
#include "registers.h"

/* What finding the gates brings to light besides. */
struct op_state {
	unsigned int level; /* enum precis_mem_level, 0: not told */
};

/* The dynamic gates that hold in an op. The context must be that of its caps. */
uint32_t precis_op_gates(const struct precis_ibs_context *context, const struct precis_ibs_op *op,
			 struct op_state *state);

/*
 * The same of ops whose caps are one. Gates that are not asked for are said to hold; states are known
 * where one is asked for that depends on where data came from.
 */
void precis_op_gates_of(const struct precis_ibs_context *context, const struct precis_ibs_op *ops,
			size_t count, uint32_t asked, struct op_state *states, uint32_t *gates);

/*
 * precis_ibs_op_columns() for those inside the library, of at most OP_CHUNK ops whose caps are one: of the
 * fields that are asked for, and no others, 'present' has which there are. Arguments have been checked.
 */
#define OP_CHUNK 64u
void precis_op_columns(struct precis_ibs_context *context, const struct precis_ibs_op *ops,
		       size_t count, const uint32_t *fields, size_t field_count,
		       uint64_t *const *columns, uint64_t *const *present);

static inline uint32_t op_data_source(const struct precis_ibs_context *context, uint64_t data2)
{
	return (uint32_t)(IBS_BITS_OF(DATA_SRC_LO, data2) |
			  (data2 >> IBS_LOW_DATA_SRC_HI & context->source_high_bits)
				  << IBS_WIDTH_DATA_SRC_LO);
}

#endif
