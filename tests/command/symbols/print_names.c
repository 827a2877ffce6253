/* SPDX-License-Identifier: BSD-3-Clause */
/* print_names: of symbols on standard input, a line each, Rust's names; what is none stays as it is. */
#define _GNU_SOURCE /* getline() */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/symbols/rust_names.h"

int main(void)
{
	char *line = NULL, *name;
	size_t room = 0;

	while (getline(&line, &room, stdin) > 0) {
		line[strcspn(line, "\n")] = '\0';
		name = rust_name(line);
		puts(name ? name : line);
		free(name);
	}
	free(line);
	return EXIT_SUCCESS;
}
