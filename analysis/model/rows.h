/* SPDX-License-Identifier: BSD-3-Clause */
/* Whose address a row of a batch has. */
#ifndef ANALYSIS_MODEL_ROWS_H
#define ANALYSIS_MODEL_ROWS_H

#include "analysis/batch.h"
#include "model.h"

/* By pid. 0 if that is not known, or the mode not one that is looked up */
static inline int row_owner(const struct sample_batch *batch, uint32_t row, uint32_t *owner)
{
	uint64_t mode = batch->column[PRECIS_FIELD_CPUMODE][row];

	*owner = MODEL_KERNEL;
	if (mode == PRECIS_CPUMODE_KERNEL)
		return 1;
	if (mode != PRECIS_CPUMODE_USER || !batch_has_value(batch, row, PRECIS_FIELD_PID))
		return 0;
	*owner = (uint32_t)batch->column[PRECIS_FIELD_PID][row];
	return 1;
}

/* Without times in the recording what came before it is all there is. */
static inline uint64_t row_time(const struct model *model, const struct sample_batch *batch,
				uint32_t row)
{
	return batch_has_value(batch, row, PRECIS_FIELD_TIME) ? batch->column[PRECIS_FIELD_TIME][row] :
							  model->records.clock;
}

/* Its process, if that is asked which programs it ran; NULL */
static inline struct process *row_process(struct model *model, uint32_t owner)
{
	return model->symbols ? process_of(&model->processes, owner) : NULL;
}

/* Which program its process ran */
static inline uint32_t row_epoch(struct model *model, const struct sample_batch *batch,
				 uint32_t row, uint32_t owner)
{
	return model->symbols ?
		       model_epoch(&model->processes, owner, row_time(model, batch, row)) : 0;
}

#endif
