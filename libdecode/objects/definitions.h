/* SPDX-License-Identifier: BSD-3-Clause */
/* Stacks and strings of a side file, by their ids. */
#ifndef PRECIS_OBJECTS_DEFINITIONS_H
#define PRECIS_OBJECTS_DEFINITIONS_H

#include "private.h"

/*
 * Those of a chunk. @param bad  set to 1 if what the payload says cannot be: those before are taken
 * @return 0, PRECIS_E_NO_MEMORY
 */
int definitions_take(struct precis_object_file *file, const uint8_t *payload, size_t bytes, int *bad);
/* After the last one: put them in order, to be found */
void definitions_settle(struct object_definitions *definitions);
void definitions_free(struct object_definitions *definitions);

#endif
