/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a sample that are no fields of the catalogue: rows of parts.def, and one sample's. */
#ifndef PARTS_H
#define PARTS_H

#include "command/usage/nearest.h"
#include "document/value_sink.h"
#include "part_set.h"

const struct part_info *part_info(enum part part);

/* "; did you mean 'NAME'?" of a word that is neither a field nor a part; or "" */
const char *field_hint(const char *word, size_t length, char room[NEAREST_ROOM]);

/* "uint", "list", ... */
const char *part_type_name(enum part_type type);

/* Its number, or -1. */
int part_find(const char *name, size_t length);

/* Fields of the catalogue that such parts are made from, to be decoded besides. */
void parts_add_fields(unsigned int needs, uint64_t fields[PRECIS_FIELD_WORDS]);

/* Before the first record; 'needs' is set. 0, or -1 if memory is short. */
int parts_open(struct parts *parts, struct precis_file *file, struct symbol_options *options);
void parts_close(struct parts *parts);

/* A record that is no sample: mappings, names of tasks and cgroups. */
void parts_learn(struct parts *parts, const struct precis_record *record, uint64_t time);

/* What follows is of this sample, which has been read into 'perf', too, where that is needed. */
void parts_sample(struct parts *parts, const struct precis_record *record,
		  const struct precis_event *event, const struct precis_sample *sample);

/* The same of one out of the AUX area; 'record' has no data, and 'event' may be NULL. */
void parts_traced_sample(struct parts *parts, const struct precis_record *record,
			 const struct precis_event *event, const struct precis_sample *sample,
			 uint64_t regs_intr);

/* 1 if the sample has none, with the reason; else it can be put. */
int part_is_absent(struct parts *parts, enum part part, struct part_absence *absence);
void part_put(struct parts *parts, enum part part, struct output *output, enum value_form form);

#endif
