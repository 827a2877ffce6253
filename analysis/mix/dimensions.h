/* SPDX-License-Identifier: BSD-3-Clause */
/* What executions can be told apart by, and what instructions are called then. */
#ifndef ANALYSIS_MIX_DIMENSIONS_H
#define ANALYSIS_MIX_DIMENSIONS_H

#include <stddef.h>

#include "libdecode/code/form.h"
#include "libdecode/code/groups.h"

enum mix_dimension {
#define DIMENSION(id, name, of, meaning) MIX_BY_##id,
#include "dimensions.def"
#undef DIMENSION
	MIX_DIMENSIONS
};

enum mix_dimension_of { MIX_OF_NODE, MIX_OF_STEP, MIX_OF_FORM };

struct mix_dimension_info {
	const char *name, *meaning;
	enum mix_dimension_of of;
};

const struct mix_dimension_info *mix_dimension_info(enum mix_dimension dimension);

#define MIX_CLASS_TEXT 256u

/**
 * What a form is called in a dimension of forms.
 * @param groups  for MIX_BY_GROUP: with all of its groups, which are in the order of the file
 */
void mix_class_of(enum mix_dimension dimension, const struct code_form *form,
		  const struct code_groups *groups, char text[MIX_CLASS_TEXT]);

#endif
