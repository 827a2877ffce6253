/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of all threads in the order of their times. */
#ifndef PRECIS_OBJECTS_ORDER_H
#define PRECIS_OBJECTS_ORDER_H

#include "private.h"

void order_free(struct precis_object_file *file);

#endif
