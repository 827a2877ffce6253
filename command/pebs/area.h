/* SPDX-License-Identifier: BSD-3-Clause */
/* The DS management area: where in a dump of the buffer its records are. */
#ifndef PEBS_AREA_H
#define PEBS_AREA_H

#include "options.h"

/*
 * Read the area of --ds-area; without that option the whole file is records.
 * @param skip   bytes of the dump before the first record
 * @param count  bytes of records; UINT64_MAX: not known
 * @return EXIT_OK, or EXIT_FAILED after the error has been printed
 */
int pebs_area_read(const struct pebs_options *options, const char *command, uint64_t *skip,
		   uint64_t *count);

#endif
