/* SPDX-License-Identifier: BSD-3-Clause */
/* What a line is, and where an instruction: asked of the recording's symbols, or known (told.h). */
#ifndef ANALYSIS_SHARING_NAMED_H
#define ANALYSIS_SHARING_NAMED_H

#include "state.h"

void sharing_memory_of(const struct sharing *sharing, const struct sharing_line *line,
		       struct precis_memory *memory);
void sharing_place_of(const struct sharing *sharing, const struct sharing_line *line,
		      const struct sharing_way *way, struct sharing_place *place);

#endif
