/* SPDX-License-Identifier: BSD-3-Clause */
/* The registers of a sample, literally: bit fields by AMD's names or by perf's. */
#ifndef REGISTER_VIEW_H
#define REGISTER_VIEW_H

#include <precis/precis.h>

#define REGISTER_FIELDS 128 /* rows of the library's table, and more */

struct register_field {
	const char *name;
	const char *erratum; /* that makes it untrustworthy in this sample, or NULL */
	uint64_t value;
	const char *text; /* in place of the value: perf has only words for it; else NULL */
	int is_register; /* 1: not a field but the register as a whole, under its name */
};

struct register_view {
	int perf_names;
	uint32_t count; /* of rows */
	struct precis_ibs_bits bits[REGISTER_FIELDS];
	struct {
		const char *name; /* that the row goes by; NULL: it does not appear */
		uint32_t shift;	  /* of its value in what has that name */
		uint32_t first;	  /* the first row of that register and name */
	} shown[REGISTER_FIELDS];
	struct precis_ibs_context context;
	const struct precis_sample *sample;
};

/* @param perf_names  1: bit fields as `perf report -D` prints them: those, so named, so composed */
void register_view_init(struct register_view *view, const struct precis_cpu *cpu, int perf_names);

/* Look at a sample. @return its capability word; 0 if it has no registers */
uint32_t register_view_sample(struct register_view *view, const struct precis_sample *sample);

/* A register's name and value. @return 1 if it was captured */
int register_view_register(const struct register_view *view, uint32_t reg, uint64_t *value);
const char *register_view_name(const struct register_view *view, uint32_t reg);

/*
 * The bit fields of a register that this CPU defines, in the order of their
 * bits; for an address register one "field" that is the register.
 * @param fields  room for REGISTER_FIELDS
 * @return how many
 */
uint32_t register_view_fields(struct register_view *view, uint32_t reg,
			      struct register_field *fields);

/* All names that fields of a register can have, registers as a whole left out. As above. */
uint32_t register_view_all_names(const struct register_view *view, uint32_t reg,
				 const char **names);

#endif
