/* SPDX-License-Identifier: BSD-3-Clause */
/* In place of read.c, where precis is built without jansson. */
#include <string.h>

#include "command/usage/complain.h"
#include "read.h"

int bench_file_read(const struct bench_arguments *arguments, const char *path, struct bench_file *file)
{
	memset(file, 0, sizeof(*file));
	complain(arguments->command, "%s: this precis was built without jansson, which reads JSON (Debian: "
		 "libjansson-dev)", path);
	return -1;
}

void bench_file_free(struct bench_file *file)
{
	cells_free(&file->cells);
	document_free(&file->document);
	memset(file, 0, sizeof(*file));
}
