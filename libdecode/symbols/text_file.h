/* SPDX-License-Identifier: BSD-3-Clause */
/* Regular files, the only ones that are ever opened; and whole texts from them. */
#ifndef PRECIS_SYMBOLS_TEXT_FILE_H
#define PRECIS_SYMBOLS_TEXT_FILE_H

#include <stddef.h>
#include <sys/stat.h>

/**
 * Open a regular file for reading: opening anything else can have effects.
 * @param root  "", or what 'path' begins with: a directory that is not left (beneath.h)
 * @return -1 if there is none
 */
int precis_regular_open(const char *root, const char *path, struct stat *status);

/** Who may have written the file that is read. */
enum text_owner {
	TEXT_OF_ANYONE,
	TEXT_OF_US /* the superuser or whoever runs this: others can write to /tmp, too */
};

/**
 * All of a text, at most 64 MiB, with a NUL behind it.
 * @return to be freed; NULL if it cannot be had
 */
char *precis_text_read(const char *root, const char *path, enum text_owner owner, size_t *bytes);

#endif
