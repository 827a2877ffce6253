/* SPDX-License-Identifier: BSD-3-Clause */
/* Strings that live as long as the model, each kept once. */
#ifndef PRECIS_SYMBOLS_NAMES_H
#define PRECIS_SYMBOLS_NAMES_H

#include "budget.h"

/** Zeroed memory has none. */
struct names {
	void *tree; /* of tsearch(3) */
};

/** @return one pointer for all equal strings; NULL if memory is short */
const char *precis_names_keep(struct names *names, const char *text, struct budget *budget);

void precis_names_free(struct names *names);

#endif
