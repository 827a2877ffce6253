/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_open.h
 * @brief An event, opened: as precise as was asked for, on each CPU if threads inherit it.
 */
#ifndef PRECIS_OPEN_H
#define PRECIS_OPEN_H

#include "precis_counter.h"

/** @return PAPI_OK or an error, noted */
int precis_open(struct precis_counter *counter);
/** All of its parts; or in a child after fork(2) give them up. */
void precis_close(struct precis_counter *counter);

#endif
