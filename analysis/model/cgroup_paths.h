/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths of cgroups by their ids, from CGROUP records. */
#ifndef CGROUP_PATHS_H
#define CGROUP_PATHS_H

#include <precis/precis.h>

/* Zeroed memory knows none. */
struct cgroup_paths {
	void *tree; /* tsearch(3) */
	size_t bytes; /* that all of it takes */
};

/* Learn from a CGROUP record. 0, or -1 if there are too many, or memory is short. */
int cgroup_paths_learn(struct cgroup_paths *paths, uint64_t id, const char *path);

/* NULL if no record has told it. */
const char *cgroup_paths_find(const struct cgroup_paths *paths, uint64_t id);

void cgroup_paths_free(struct cgroup_paths *paths);

#endif
