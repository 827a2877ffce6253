/* SPDX-License-Identifier: BSD-3-Clause */
/* See names.h. */
#include "names.h"

#include <stdint.h>
#include <stdlib.h>

#include "demangle.h"

static unsigned int slot_of(const char *symbol)
{
	return (unsigned int)((uint64_t)(uintptr_t)symbol * UINT64_C(0x9e3779b97f4a7c15) >> 54) %
	       SYMBOL_NAMES;
}

const char *symbol_names_of(struct symbol_names *names, const char *symbol)
{
	unsigned int slot = slot_of(symbol);

	if (names->entry[slot].symbol != symbol) {
		free(names->entry[slot].name);
		names->entry[slot].symbol = symbol;
		names->entry[slot].name = demangle(symbol);
	}
	return names->entry[slot].name ? names->entry[slot].name : symbol;
}

void symbol_names_free(struct symbol_names *names)
{
	for (unsigned int slot = 0; slot < SYMBOL_NAMES; slot++)
		free(names->entry[slot].name);
}
