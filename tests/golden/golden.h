/* SPDX-License-Identifier: BSD-3-Clause */
/* What the readers of golden files share: words of a line, registers and bit fields by name. */
#ifndef TESTS_GOLDEN_GOLDEN_H
#define TESTS_GOLDEN_GOLDEN_H

#include <stdint.h>
#include <stdio.h>

#include <precis/ibs.h>
#include <precis/sample.h>

/* A sample as a golden file has it. */
struct golden {
	char name[64];
	enum precis_ibs_unit unit;
	struct precis_ibs_context context;
	struct precis_ibs_op op;
	struct precis_ibs_fetch fetch;
	struct precis_sample sample;
};

/* Open a file of tests/golden in the source tree. NULL, with a message, if it is not there. */
FILE *golden_open(const char *file);

/* Where register 'reg' stands in the sample's struct; NULL if its unit has none such. */
uint64_t *golden_register(struct golden *golden, uint32_t reg);

/* enum precis_ibs_register by the manuals' name, or -1 */
int golden_register_find(const char *name);

/*
 * A bit field's value by AMD's or perf's name. 'reg' < 0: of whatever register.
 * @return 1, or 0 if the context defines none of that name
 */
int golden_bits(struct golden *golden, int reg, const char *name, uint64_t *value);

/* Decode the registers into golden->sample. @return 0 or negative */
int golden_decode(struct golden *golden);

/*
 * Compare a field with its golden text: a value as precis_value_format() makes
 * it, or NULL: it must be absent. Prints what differs. @return 1 if equal
 */
int golden_field(const struct golden *golden, const char *field, const char *expected);

#endif
