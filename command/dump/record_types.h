/* SPDX-License-Identifier: BSD-3-Clause */
/* precis dump --records: which records. */
#ifndef DUMP_RECORD_TYPES_H
#define DUMP_RECORD_TYPES_H

#include <stdint.h>

#define RECORD_TYPES 256u /* numbers below which types may have names */

struct record_types {
	int all;
	uint8_t wanted[RECORD_TYPES];
};

/* From the list of --records; NULL is all. EXIT_OK, or EXIT_USAGE after the error is printed. */
int record_types_parse(struct record_types *types, const char *command, const char *list);

static inline int record_types_have(const struct record_types *types, uint32_t type)
{
	return types->all || (type < RECORD_TYPES && types->wanted[type]);
}

#endif
