/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of one file, sorted, each address having one that is named for it. */
#ifndef PRECIS_SYMBOLS_SYMBOL_TABLE_H
#define PRECIS_SYMBOLS_SYMBOL_TABLE_H

#include <stddef.h>
#include <stdint.h>

enum symbol_binding {
	SYMBOL_WEAK = 0, /* in the order of preference, last the best */
	SYMBOL_LOCAL = 1,
	SYMBOL_GLOBAL = 2
};

struct symbol {
	uint64_t start, end; /* file offsets; end == start: the file does not say where it ends */
	const char *name; /* in one of the table's strings */
	uint32_t binding; /* enum symbol_binding */
	uint32_t order; /* as read; precis_symbol_table_sort(): the symbol around it */
};

#define SYMBOL_STRINGS 16 /* .strtab of a few files, .dynstr, names made for .plt and .plt.sec */

/** Zeroed memory is an empty table. */
struct symbol_table {
	struct symbol *symbol;
	size_t count, room;
	char *strings[SYMBOL_STRINGS];
};

/**
 * Keep strings as long as the table, with a NUL behind them: names point into them.
 * @param bytes  to be copied; NULL: zeros
 * @return NULL if memory is short
 */
char *precis_symbol_table_strings(struct symbol_table *table, const char *bytes, size_t count);

/** Keep a block of malloc()'s. @return 0, PRECIS_E_NO_MEMORY: then it is freed */
int precis_symbol_table_adopt(struct symbol_table *table, char *block);

/** Take in a symbol. @return 0, PRECIS_E_NO_MEMORY */
int precis_symbol_table_add(struct symbol_table *table, const struct symbol *symbol);

/**
 * Once all are in: sort, keep the best name of each address, and find the end
 * of those whose file does not say it. The rules are those of perf.
 */
void precis_symbol_table_sort(struct symbol_table *table);

/** The symbol that a file offset lies in, the innermost of several; NULL if none. */
const struct symbol *precis_symbol_table_find(const struct symbol_table *table, uint64_t offset);

void precis_symbol_table_free(struct symbol_table *table);

#endif
