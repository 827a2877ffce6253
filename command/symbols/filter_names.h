/* SPDX-License-Identifier: BSD-3-Clause */
/* Names that filters compare with texts: comm, dso, symbol, cgroup. */
#ifndef SYMBOLS_FILTER_NAMES_H
#define SYMBOLS_FILTER_NAMES_H

#include <precis/precis.h>

#include "analysis/model/cgroup_paths.h"
#include "places.h"

/* Zeroed memory is closed. It stays where it is while it is open. */
struct filter_names {
	struct precis_filter_names table; /* what filters are compiled with */
	uint64_t used; /* bits of those that the filter asks for */
	struct precis_file *file;
	struct places places;
	struct cgroup_paths cgroups;
	struct precis_location place; /* of the ip that was asked about last */
	uint64_t unlearnt; /* records that there was no memory for */
};

/*
 * Which of them an expression asks for. They are made of other records, which have to come before the
 * samples that they are about: what is read is to be read in the order of its times.
 */
uint64_t filter_names_used(const char *expression);

/* 'used': as above; 0: nothing is kept. 0, or -1 if memory is short */
int filter_names_open(struct filter_names *names, uint64_t used, struct precis_file *file,
		      struct symbol_options *options);
void filter_names_close(struct filter_names *names);

/* A record that is no sample. */
void filter_names_learn(struct filter_names *names, const struct precis_record *record);

#endif
