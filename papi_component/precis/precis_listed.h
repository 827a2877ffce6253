/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_listed.h
 * @brief Events beside those of the table: precise ones of this CPU as libpfm4 knows them, and names
 * without colons for some of them. Found at PAPI_library_init(); they live until PAPI_shutdown().
 */
#ifndef PRECIS_LISTED_H
#define PRECIS_LISTED_H

#include <stdint.h>

#include "precis_event_rows.h"

/** One of them */
struct precis_listed {
	struct precis_named_event event; /**< as if somebody had asked for it */
	const char *meaning; /**< for PAPI's lists */
	const struct precis_listed *of; /**< the event, if this is it with one of its unit masks */
};

/** Find them. */
void precis_listed_init(void);
/** There are none any more. */
void precis_listed_free(void);
/** NULL behind the last */
const struct precis_listed *precis_listed(uint32_t n);
/** @return the number, or -1 */
int64_t precis_listed_find(const char *name);

#endif
