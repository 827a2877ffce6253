/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An array that may be larger than memory: it lies in a temporary file without a name, in $TMPDIR, else in
 * /var/tmp, and of its pages those are in memory that were used last.
 */
#ifndef EXPORT_PAGED_H
#define EXPORT_PAGED_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed memory is closed. */
struct paged {
	void *array; /* NULL: closed */
	size_t most, bytes; /* that there may be, and are */
	uint32_t uses; /* since pages were given back */
	int fd;
};

#define PAGED_USES                                                                                 \
	128u /* each is another page at the worst, and the kernel maps 16 where one is read */

/* Room for 'most' bytes, of which the file has none yet. 0, or -1 with errno set */
int paged_open(struct paged *paged, size_t most);
void paged_close(struct paged *paged);

/* The file has so many bytes, or more. 0, or -1 with errno set: there is no space */
int paged_grow(struct paged *paged, size_t bytes);

/* Out of line part of paged_use(). */
void paged_give_back(struct paged *paged);

/* Before some bytes of the array are used, which are on one page, or two */
static inline void paged_use(struct paged *paged)
{
	if (++paged->uses >= PAGED_USES)
		paged_give_back(paged);
}

#endif
