/* SPDX-License-Identifier: BSD-3-Clause */
/* Looking through a side file once: where its chunks are, and all that is not an event. */
#ifndef PRECIS_OBJECTS_SCAN_H
#define PRECIS_OBJECTS_SCAN_H

#include "private.h"

/* @return 0; PRECIS_E_NOT_OBJECTS, PRECIS_E_TRUNCATED, PRECIS_E_UNSUPPORTED: of the header; PRECIS_E_IO,
 *         PRECIS_E_NO_MEMORY. What cannot be read behind the header is counted and told */
int objects_scan(struct precis_object_file *file);

#endif
