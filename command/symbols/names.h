/* SPDX-License-Identifier: BSD-3-Clause */
/* Symbols for a person to read: those that come again and again are demangled once. */
#ifndef SYMBOLS_NAMES_H
#define SYMBOLS_NAMES_H

#define SYMBOL_NAMES 1024u

/* Zeroed memory knows none. */
struct symbol_names {
	struct {
		const char *symbol; /* by address: the process model's */
		char *name; /* NULL: the symbol itself */
	} entry[SYMBOL_NAMES];
};

/* Valid until the next call. */
const char *symbol_names_of(struct symbol_names *names, const char *symbol);

void symbol_names_free(struct symbol_names *names);

#endif
