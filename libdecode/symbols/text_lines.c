/* SPDX-License-Identifier: BSD-3-Clause */
/* See text_lines.h. */
#include "text_lines.h"

#include <stdlib.h>
#include <string.h>

#include "text_file.h"

/* More lines than any list has; it bounds the memory that a made-up one takes */
#define LINES_MOST ((size_t)1 << 20)
#define PAGE 4096u

/* A hexadecimal number in front of a space. @return what stands behind it, or NULL */
static char *take_number(char *at, uint64_t *number)
{
	unsigned int digits = 0;

	*number = 0;
	for (; *at != ' '; at++, digits++) {
		int digit = *at >= '0' && *at <= '9'   ? *at - '0'
			    : *at >= 'a' && *at <= 'f' ? *at - 'a' + 10
			    : *at >= 'A' && *at <= 'F' ? *at - 'A' + 10
						       : -1;

		if (digit < 0 || digits == 16)
			return NULL;
		*number = *number << 4 | (uint64_t)digit;
	}
	return digits ? at + 1 : NULL;
}

/* Take in what a line says; the line is its to change. @return 0, or negative: no memory */
typedef int (*take_line)(char *line, struct symbol_table *table);

/* @return 0 if the text is not there, cannot be read or kept */
static int read_lines(const char *root, const char *path, enum text_owner owner, take_line take,
		      struct symbol_table *table)
{
	size_t bytes, lines = 0;
	char *text = precis_text_read(root, path, owner, &bytes);
	char *end;

	if (!text || precis_symbol_table_adopt(table, text))
		return 0;
	for (end = text + bytes; text < end && lines < LINES_MOST; lines++) {
		char *newline = memchr(text, '\n', (size_t)(end - text));

		/* The last line may have been cut short: its name is then not the whole one */
		if (!newline)
			break;
		*newline = '\0';
		if (take(text, table))
			return 0;
		text = newline + 1;
	}
	return 1;
}

static int take_function(char *line, struct symbol_table *table)
{
	struct symbol symbol = { .binding = SYMBOL_GLOBAL };
	char *at = take_number(line, &symbol.start);
	uint64_t bytes;

	at = at ? take_number(at, &bytes) : NULL;
	if (!at || *at == '\0')
		return 0;
	if (__builtin_add_overflow(symbol.start, bytes, &symbol.end))
		symbol.end = UINT64_MAX;
	symbol.name = at;
	return precis_symbol_table_add(table, &symbol);
}

enum precis_symbol_absent precis_perf_map_read(const char *root, const char *path,
						struct symbol_table *table)
{
	if (!read_lines(root, path, TEXT_OF_US, take_function, table)) {
		precis_symbol_table_free(table);
		return PRECIS_SYMBOL_NO_PERF_MAP;
	}
	precis_symbol_table_sort(table);
	return PRECIS_SYMBOL_PRESENT;
}

/* Code and data, as perf takes them: what lies behind a function ends it. The type is the
 * letter of nm(1): W weak, capital global. */
static int take_kernel_symbol(char *line, struct symbol_table *table)
{
	struct symbol symbol = { 0 };
	char *at = take_number(line, &symbol.start);
	char *tab;

	if (!at || !at[0] || at[1] != ' ' || !strchr("TtWwDdBb", at[0]) || !at[2])
		return 0;
	if (at[0] == 'W')
		symbol.binding = SYMBOL_WEAK;
	else
		symbol.binding = at[0] >= 'a' ? SYMBOL_LOCAL : SYMBOL_GLOBAL;
	symbol.end = symbol.start;
	symbol.name = at + 2;
	tab = strchr(symbol.name, '\t');
	if (tab)
		*tab = '\0';
	else
		at[1] = '\0';
	return precis_symbol_table_add(table, &symbol);
}

const char *precis_kallsyms_module(const struct symbol *symbol)
{
	/* Without a module the name follows "T\0", not "T " */
	return symbol->name[-1] == ' ' ? symbol->name + strlen(symbol->name) + 1 : "";
}

/* The last of the kernel and of each module does not reach to the next of another one */
static void end_modules(struct symbol_table *table)
{
	size_t i;

	for (i = 0; i + 1 < table->count; i++) {
		struct symbol *symbol = &table->symbol[i];
		uint64_t end = ((symbol->start + PAGE - 1) & ~(uint64_t)(PAGE - 1)) + PAGE;

		if (end > symbol->start && end < symbol->end &&
		    strcmp(precis_kallsyms_module(symbol), precis_kallsyms_module(symbol + 1)) != 0)
			symbol->end = end;
	}
}

/* Before there is one symbol for each address: the reference may be another one's second name */
static void find_reference(const struct symbol_table *table, const char *reference,
			   uint64_t *address)
{
	size_t i;

	for (i = 0; i < table->count; i++) {
		const struct symbol *symbol = &table->symbol[i];

		if (strcmp(symbol->name, reference) == 0 &&
		    precis_kallsyms_module(symbol)[0] == '\0') {
			*address = symbol->start;
			break;
		}
	}
}

enum precis_symbol_absent precis_kallsyms_read(const char *path, const char *reference,
					       uint64_t *address, struct symbol_table *table)
{
	if (!read_lines("", path, TEXT_OF_ANYONE, take_kernel_symbol, table) || table->count == 0) {
		precis_symbol_table_free(table);
		return PRECIS_SYMBOL_NO_KALLSYMS;
	}
	find_reference(table, reference, address);
	precis_symbol_table_sort(table);
	if (table->symbol[table->count - 1].start == 0) {
		precis_symbol_table_free(table);
		return PRECIS_SYMBOL_KALLSYMS_HIDDEN;
	}
	end_modules(table);
	return PRECIS_SYMBOL_PRESENT;
}
