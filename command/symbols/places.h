/* SPDX-License-Identifier: BSD-3-Clause */
/* Where addresses of samples lie, and whose samples they are: the process model. */
#ifndef PLACES_H
#define PLACES_H

#include <precis/precis.h>

#include "options.h"
#include "document/value_sink.h"

#define SYMBOL_NAMES 1024u

/* Symbols for a person to read: those that come again are demangled once. Zeroed memory knows none. */
struct symbol_names {
	struct {
		const char *symbol; /* by address: the process model's */
		char *name; /* NULL: the symbol itself */
	} entry[SYMBOL_NAMES];
};

/* Zeroed memory is closed. */
struct places {
	struct precis_symbols *symbols;
	int is_off; /* --no-symbols: no file is opened */
	int no_demangle;
	struct symbol_names names;
};

/* 0, or -1 if memory is short. */
int places_open(struct places *places, struct precis_file *file, struct symbol_options *options);
void places_close(struct places *places);

/* Fields of the catalogue that look-ups are made from. */
void places_add_fields(uint64_t fields[PRECIS_FIELD_WORDS]);

/* Learn from a record. 0, or -1 if memory is short. */
int places_learn(struct places *places, const struct precis_record *record, uint64_t time);

/*
 * Where an address that a sample has lies: 'object' is NULL if nothing is known to be there,
 * and 'symbol_absent' says why. with_name: and what symbol that is.
 * @param cpumode  enum precis_cpumode: whose address it is
 */
void places_find(struct places *places, const struct precis_sample *sample, uint64_t cpumode,
		 uint64_t address, int with_name, struct precis_location *place);

/* The source line of a place. */
void places_find_line(struct places *places, const struct precis_location *place,
		      struct precis_line *line);

/* The name of a sample's thread; NULL if it is not known. */
const char *places_task(struct places *places, const struct precis_sample *sample);

/* A precis_tracepoint_function; 'data' is the places. */
const char *places_function(void *data, uint64_t address, uint64_t *start);

/* The symbol for a person to read; valid until the next call. */
const char *places_symbol(struct places *places, const struct precis_location *place);

/* The name of a number of enum precis_symbol_absent: "NO_FILE". */
const char *places_absent_name(uint32_t absent);

/* dso, dso_offset, symbol, symbol_offset: as far as they are known. */
void place_put_members(struct places *places, const struct precis_location *place,
		       struct value_sink *sink);

#endif
