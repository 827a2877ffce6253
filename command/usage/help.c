/* SPDX-License-Identifier: BSD-3-Clause */
/* See help.h. */
#include "complain.h"
#include "help.h"
#include "destination.h"

int print_help(const char *command, const char *text)
{
	struct output output;

	if (destination_open(&output, NULL, command))
		return EXIT_FAILED;
	output_text(&output, text);
	return destination_close(&output, command) ? EXIT_FAILED : EXIT_OK;
}
