/* SPDX-License-Identifier: BSD-3-Clause */
/* The programs that ran under one pid, one after another: each with its address space. */
#ifndef PRECIS_SYMBOLS_IMAGES_H
#define PRECIS_SYMBOLS_IMAGES_H

#include "ranges.h"

struct image {
	uint64_t since; /* it runs from then until the next one begins */
	struct ranges ranges;
};

/** Zeroed memory is a process of which nothing is known. */
struct images {
	struct image *image;
	uint32_t count, room;
};

/**
 * Begin another image. One of the same time is replaced: nothing can be asked of it.
 * @param since  taken for the last image's time if it is before that
 * @return its ranges, empty; NULL if memory is short
 */
struct ranges *precis_images_begin(struct images *images, uint64_t since, struct budget *budget);

/**
 * Continue the last image in another one, that has its ranges until they change;
 * in itself if it is of the same time.
 * @return NULL if memory is short: the last image stays
 */
struct ranges *precis_images_continue(struct images *images, uint64_t since, struct budget *budget);

/** The ranges of the last image, or of a first one since ever; NULL if memory is short. */
struct ranges *precis_images_last(struct images *images, struct budget *budget);

/** The ranges of the image that ran at that time; NULL if none did. */
const struct ranges *precis_images_at(const struct images *images, uint64_t time);

void precis_images_clear(struct images *images, struct budget *budget);

#endif
