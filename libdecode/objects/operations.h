/* SPDX-License-Identifier: BSD-3-Clause */
/* What follows the time of an event. */
#ifndef PRECIS_OBJECTS_OPERATIONS_H
#define PRECIS_OBJECTS_OPERATIONS_H

#include <stdint.h>

/* Letters of operations.def; NULL: there is no such operation */
const char *operation_fields(uint32_t operation);

#endif
