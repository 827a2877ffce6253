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

static int opened(const struct output *output, int code, const char *command)
{
	if (code)
		complain(command, "%s: %s", name_of(output), strerror(errno));
	return code;
}

int destination_open(struct output *output, const char *path, const char *command)
{
	return opened(output, output_open(output, path), command);
}

int destination_open_whole(struct output *output, const char *path, const char *command)
{
	return opened(output, output_open_whole(output, path), command);
}

int destination_check(const char *path, const char *command)
{
	if (!output_check(path))
		return 0;
	complain(command, "%s: cannot write: %s", path && strcmp(path, "-") ? path : "standard output",
		 strerror(errno));
	return -1;
}

int destination_close(struct output *output, const char *command)
{
	if (!output_close(output))
		return 0;
	complain(command, "%s: cannot write: %s", name_of(output), strerror(errno));
	return -1;
}
