/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that tests make: what is left of them. */
#ifndef TESTS_SUPPORT_FILES_H
#define TESTS_SUPPORT_FILES_H

#include <dirent.h>

/* How many there are in a directory; negative: it is none */
static inline int files_in(const char *directory)
{
	DIR *opened = opendir(directory);
	int count = 0;

	while (opened && readdir(opened))
		count++;
	if (opened)
		closedir(opened);
	return count - 2; /* . and .. */
}

#endif
