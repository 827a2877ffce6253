/* SPDX-License-Identifier: BSD-3-Clause */
/* precis dump --pebs-format: what of the records of a PEBS buffer is printed. */
#include <stdlib.h>
#include <unistd.h>

#include "pebs.h"
#include "command/usage/complain.h"
#include "command/usage/destination.h"
#include "command/pebs/walk.h"

static int print_all(struct dump *dump, const struct selection *selection, struct pebs_walk *walk,
		     const char *path, uint64_t max)
{
	const char *command = walk->file->command;
	struct faults none = { 0 }; /* no record of a dump is anything but a sample */
	int code;

	if (destination_open(&dump->output, path, command))
		return EXIT_FAILED;
	if (isatty(dump->output.fd)) /* the samples are progress enough */
		walk->file->progress.enabled = 0;
	walk->output = &dump->output;
	dump->recording = walk->file;
	dump->walk = walk;
	dump->input = walk->input;
	dump_print_items(dump, selection, max, &none);
	code = pebs_walk_finish(walk);
	return destination_close(&dump->output, command) ? EXIT_FAILED : code;
}

int dump_pebs(struct dump *dump, const struct pebs_options *options,
	      const struct selection *selection, struct recording *file, const char *output,
	      uint64_t max)
{
	struct pebs_walk *walk = malloc(sizeof(*walk));
	int code;

	if (!walk) {
		complain(file->command, "out of memory");
		return EXIT_FAILED;
	}
	code = pebs_walk_open(walk, options, file, output);
	if (!code) {
		code = print_all(dump, selection, walk, output, max);
		pebs_walk_close(walk);
	}
	free(walk);
	return code;
}
