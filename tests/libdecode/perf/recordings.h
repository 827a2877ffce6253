/* SPDX-License-Identifier: BSD-3-Clause */
/* Every recording that a test can find, one after the other. */
#ifndef TESTS_UNIT_RECORDINGS_H
#define TESTS_UNIT_RECORDINGS_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

/* What lies in a directory of the tree that this variable of the environment names, directories
 * included. @return how often 'visit' returned something but 0 */
static inline unsigned int visit_recordings(const char *variable, const char *directory,
					    unsigned int (*visit)(const char *path))
{
	char folder[2048], path[4096];
	struct dirent *entry;
	unsigned int count = 0;
	DIR *files;

	snprintf(folder, sizeof(folder), "%s/%s", getenv(variable) ? getenv(variable) : "",
		 directory);
	files = opendir(folder);
	while (files && (entry = readdir(files))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		count += visit(path) != 0;
	}
	if (files)
		closedir(files);
	return count;
}

#endif
