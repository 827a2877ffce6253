/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * list_functions FILE: of file offsets, a line each, the functions that the instruction there belongs to,
 * from the inside out: name, line that it is declared on, line and discriminator that control is at, and
 * that line's file. "-": none.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <precis/data_types.h>

#include "tests/support/mapped_file.h"

static void print_functions(struct precis_data_types *types, uint64_t address, const struct precis_line *at)
{
	struct precis_code_function function = { .size = sizeof(function) };
	uint32_t line = at->number, discriminator = at->discriminator, n = 0;
	const char *file = at->file;

	for (; precis_data_types_function(types, address, n, &function) > 0; n++) {
		printf("%s%s %u %u %u %s", n ? "; " : "", function.name, function.declared, line,
		       discriminator, file ? file : "-");
		line = function.call_line;
		discriminator = function.call_discriminator;
		file = function.call_file;
	}
	puts(n ? "" : "-");
}

int main(int argc, char **argv)
{
	const struct precis_bytes any = { 0 };
	struct precis_location location = { .size = sizeof(location) };
	struct precis_line line = { .size = sizeof(line) };
	struct precis_symbols *symbols;
	struct precis_data_types *types;
	uint64_t offset, address;

	if (argc != 2 || precis_symbols_new(NULL, &symbols) || map_file(symbols, argv[1]) ||
	    precis_data_types_open(NULL, argv[1], any, &types, NULL) <= 0)
		return EXIT_FAILURE;
	while (scanf("%" SCNu64, &offset) == 1) {
		if (precis_symbols_locate(symbols, MAPPED_PID, PRECIS_CPUMODE_USER, 1, MAPPED_AT + offset,
					  &location) <= 0 ||
		    precis_data_types_address(types, offset, &address) <= 0)
			return EXIT_FAILURE;
		precis_symbols_line(symbols, &location, &line);
		print_functions(types, address, &line);
	}
	precis_data_types_free(types);
	precis_symbols_free(symbols);
	return EXIT_SUCCESS;
}
