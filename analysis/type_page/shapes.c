/* SPDX-License-Identifier: BSD-3-Clause */
/* See shapes.h. */
#include "shapes.h"

#include <stdlib.h>

struct shape_of {
	const struct precis_data_type *type;
	const struct type_shape *shape; /* NULL: there was no room for it */
};

void shapes_free(struct type_shapes *shapes)
{
	for (uint32_t n = 0; n < shapes->count; n++)
		shape_free(shapes->list[n]);
	free(shapes->of);
	*shapes = (struct type_shapes){ .count = 0 };
}

static const struct type_shape *known(const struct type_shapes *shapes, const struct type_shape *shape)
{
	for (uint32_t n = 0; n < shapes->count; n++) {
		if (shape_is_same(shapes->list[n], shape))
			return shapes->list[n];
	}
	return NULL;
}

/* Of the type that came last, or of any. NULL: none yet */
static const struct shape_of *found(struct type_shapes *shapes, const struct precis_data_type *type)
{
	for (uint32_t i = 0; i < shapes->of_count; i++) {
		const uint32_t n = (shapes->of_last + i) % shapes->of_count;

		if (shapes->of[n].type != type)
			continue;
		shapes->of_last = n;
		return &shapes->of[n];
	}
	return NULL;
}

/* 'own' is kept if there is none like it, and there is room. 0, or -1 if memory is short */
static int learn(struct type_shapes *shapes, const struct precis_data_type *type, struct type_shape *own,
		 const struct type_shape **shape)
{
	struct shape_of *more = realloc(shapes->of, (shapes->of_count + 1) * sizeof(*more));

	*shape = known(shapes, own);
	if (*shape || !more || shapes->count == SHAPES_MOST)
		shape_free(own);
	else
		*shape = shapes->list[shapes->count++] = own;
	if (!more)
		return -1;
	shapes->of = more;
	more[shapes->of_count++] = (struct shape_of){ type, *shape };
	return 0;
}

int shapes_find(struct type_shapes *shapes, const char *file, const struct precis_data_type *type,
		const struct type_shape **shape)
{
	const struct shape_of *before = found(shapes, type);
	struct type_shape *own;

	if (before) {
		*shape = before->shape;
		return *shape != NULL;
	}
	own = shape_new(file, type);
	if (!own || learn(shapes, type, own, shape) < 0)
		return -1;
	return *shape != NULL;
}

const struct type_shape *shapes_own(struct type_shapes *shapes, struct type_shape *shape)
{
	const struct type_shape *is = known(shapes, shape);

	if (is || shapes->count == SHAPES_MOST)
		shape_free(shape);
	else
		is = shapes->list[shapes->count++] = shape;
	return is;
}

const struct type_shape *shapes_take(struct type_shapes *shapes, struct type_shapes *others,
				     const struct type_shape *shape)
{
	const struct type_shape *is = known(shapes, shape);

	for (uint32_t n = 0; !is && n < others->count && shapes->count < SHAPES_MOST; n++) {
		if (others->list[n] != shape)
			continue;
		is = shapes->list[shapes->count++] = others->list[n];
		others->list[n] = others->list[--others->count];
	}
	return is;
}
