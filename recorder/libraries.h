/* SPDX-License-Identifier: BSD-3-Clause */
/* What the dynamic linker says of the libraries that are loaded, the program among them. */
#ifndef PRECIS_RECORDER_LIBRARIES_H
#define PRECIS_RECORDER_LIBRARIES_H

#include <stddef.h>
#include <stdint.h>

struct dl_phdr_info; /* <link.h> with _GNU_SOURCE */

/*
 * dl_iterate_phdr(3), of which the recorder makes no call but by this. Its lock is nobody's in a child
 * that is forked while it is held, by another thread or by who comes in between: nobody would give it
 * back. From then on nothing is looked at in that child. Signals wait meanwhile.
 * @return 0; -1: nothing was looked at
 */
int libraries_each(int (*look)(struct dl_phdr_info *info, size_t size, void *data), void *data);

/* In a forked child, before it looks */
void libraries_mend(void);

/*
 * How often one was loaded or unloaded: where that is the same, so are they. As it was the last time
 * where nothing can be looked at.
 */
uint64_t libraries_changes(void);

/* @return bytes of the build id; 0: it has none, or one of more than 'room' */
uint32_t libraries_build_id(const struct dl_phdr_info *info, uint8_t *id, size_t room);

#endif
