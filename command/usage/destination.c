/* SPDX-License-Identifier: BSD-3-Clause */
/* See destination.h. */
#include <errno.h>
#include <string.h>

#include "complain.h"
#include "destination.h"

static const char *name_of(const struct output *output)
{
	return output->path ? output->path : "standard output";
}

int destination_open(struct output *output, const char *path, const char *command)
{
	if (!output_open(output, path))
		return 0;
	complain(command, "%s: %s", name_of(output), strerror(errno));
	return -1;
}

int destination_close(struct output *output, const char *command)
{
	if (!output_close(output))
		return 0;
	complain(command, "%s: cannot write: %s", name_of(output), strerror(errno));
	return -1;
}
