/* SPDX-License-Identifier: BSD-3-Clause */
/* See images.h. */
#include "images.h"

#include <string.h>

static int make_room(struct images *images, struct budget *budget)
{
	uint32_t room = images->room ? images->room * 2 : 1;
	struct image *larger;

	if (images->count < images->room)
		return 1;
	larger = budget_alloc(budget, room * sizeof(*larger));
	if (!larger)
		return 0;
	if (images->count)
		memcpy(larger, images->image, images->count * sizeof(*larger));
	budget_free(budget, images->image, images->room * sizeof(*larger));
	images->image = larger;
	images->room = room;
	return 1;
}

struct ranges *precis_images_begin(struct images *images, uint64_t since, struct budget *budget)
{
	struct image *last = images->count ? &images->image[images->count - 1] : NULL;

	if (last && since < last->since)
		since = last->since;
	if (last && since == last->since) {
		precis_ranges_clear(&last->ranges, budget);
		last->since = since;
		return &last->ranges;
	}
	if (!make_room(images, budget))
		return NULL;
	last = &images->image[images->count++];
	last->since = since;
	return &last->ranges;
}

struct ranges *precis_images_continue(struct images *images, uint64_t since, struct budget *budget)
{
	struct image next = { .since = since };

	if (images->count == 0 || since <= images->image[images->count - 1].since)
		return precis_images_last(images, budget);
	if (!make_room(images, budget) ||
	    precis_ranges_copy(&next.ranges, &images->image[images->count - 1].ranges, budget))
		return NULL;
	images->image[images->count++] = next;
	return &images->image[images->count - 1].ranges;
}

struct ranges *precis_images_last(struct images *images, struct budget *budget)
{
	if (images->count == 0)
		return precis_images_begin(images, 0, budget);
	return &images->image[images->count - 1].ranges;
}

const struct ranges *precis_images_at(const struct images *images, uint64_t time)
{
	uint32_t low = 0, high = images->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (images->image[middle].since <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &images->image[low - 1].ranges : NULL;
}

void precis_images_clear(struct images *images, struct budget *budget)
{
	uint32_t i;

	for (i = 0; i < images->count; i++)
		precis_ranges_clear(&images->image[i].ranges, budget);
	budget_free(budget, images->image, images->room * sizeof(*images->image));
	memset(images, 0, sizeof(*images));
}
