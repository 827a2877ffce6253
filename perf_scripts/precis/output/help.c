/* SPDX-License-Identifier: BSD-3-Clause */
#include "complain.h"
#include "help.h"
#include "output.h"

int print_help(const char *command, const char *text)
{
	struct output output;

	if (output_open(&output, NULL, command))
		return EXIT_FAILED;
	output_text(&output, text);
	return output_close(&output, command) ? EXIT_FAILED : EXIT_OK;
}
