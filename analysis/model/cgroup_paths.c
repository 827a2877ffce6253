/* SPDX-License-Identifier: BSD-3-Clause */
/* See cgroup_paths.h. */
#define _GNU_SOURCE /* tdestroy() */
#include "cgroup_paths.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* Of all paths; a system with thousands of containers has a few */
#define PATHS_BYTES ((size_t)16 << 20)
#define NODE_BYTES 64u /* of the tree, and malloc()'s own */

struct cgroup_path {
	uint64_t id;
	char path[];
};

static int by_id(const void *a, const void *b)
{
	const struct cgroup_path *left = a, *right = b;

	return (left->id > right->id) - (left->id < right->id);
}

static size_t bytes_of(const char *path)
{
	return sizeof(struct cgroup_path) + strlen(path) + 1 + NODE_BYTES;
}

static struct cgroup_path *make(struct cgroup_paths *paths, uint64_t id, const char *path)
{
	size_t length = strlen(path) + 1, bytes = bytes_of(path);
	struct cgroup_path *cgroup = NULL;

	if (bytes <= PATHS_BYTES - paths->bytes)
		cgroup = malloc(sizeof(*cgroup) + length);
	if (!cgroup)
		return NULL;
	cgroup->id = id;
	memcpy(cgroup->path, path, length);
	paths->bytes += bytes;
	return cgroup;
}

int cgroup_paths_learn(struct cgroup_paths *paths, uint64_t id, const char *path)
{
	const char *known = cgroup_paths_find(paths, id);
	struct cgroup_path *cgroup, **node;

	if (known && strcmp(known, path) == 0)
		return 0;
	cgroup = make(paths, id, path);
	if (!cgroup)
		return -1;
	node = tsearch(cgroup, &paths->tree, by_id);
	if (!node) {
		free(cgroup);
		return -1;
	}
	if (*node != cgroup) { /* the id was given to another one since */
		paths->bytes -= bytes_of((*node)->path);
		free(*node);
		*node = cgroup;
	}
	return 0;
}

const char *cgroup_paths_find(const struct cgroup_paths *paths, uint64_t id)
{
	const struct cgroup_path key = { .id = id };
	struct cgroup_path **node = tfind(&key, &paths->tree, by_id);

	return node ? (*node)->path : NULL;
}

void cgroup_paths_free(struct cgroup_paths *paths)
{
	tdestroy(paths->tree, free);
	memset(paths, 0, sizeof(*paths));
}
