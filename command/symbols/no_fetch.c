/* SPDX-License-Identifier: BSD-3-Clause */
/* A build without libdebuginfod asks no server. */
#include "fetch.h"

void fetching_begin(struct fetching *fetching, const char *command)
{
	(void)fetching;
	(void)command;
}

void fetching_end(struct fetching *fetching)
{
	(void)fetching;
}

int fetch_file(void *data, uint32_t what, struct precis_bytes id, char *path, size_t room)
{
	(void)data;
	(void)what;
	(void)id;
	(void)path;
	(void)room;
	return 0;
}

int fetch_source(struct fetching *fetching, struct precis_bytes id, const char *file, char *path,
		 size_t room)
{
	(void)fetching;
	(void)id;
	(void)file;
	(void)path;
	(void)room;
	return 0;
}
