/* SPDX-License-Identifier: BSD-3-Clause */
/* The shapes of the types that were asked for, each once. */
#ifndef ANALYSIS_TYPE_PAGE_SHAPES_H
#define ANALYSIS_TYPE_PAGE_SHAPES_H

#include "shape.h"

/* Types of one name that are laid out differently, or of different files: no program has as many */
#define SHAPES_MOST 32u

struct shape_of;

/* Zeroed memory is empty. */
struct type_shapes {
	struct type_shape *list[SHAPES_MOST];
	uint32_t count;
	struct shape_of *of; /* types, as their files know them: several may have one shape */
	uint32_t of_count, of_last;
};

void shapes_free(struct type_shapes *shapes);

/* That of a type. @return 1; 0 if there is no room; -1 if memory is short */
int shapes_find(struct type_shapes *shapes, const char *file, const struct precis_data_type *type,
		const struct type_shape **shape);

/* One that was made elsewhere, or one like it: it goes over, whatever comes of it. NULL: there is no room */
const struct type_shape *shapes_own(struct type_shapes *shapes, struct type_shape *shape);

/* Another's, which goes over if it is not here; NULL: there is no room */
const struct type_shape *shapes_take(struct type_shapes *shapes, struct type_shapes *others,
				     const struct type_shape *shape);

#endif
