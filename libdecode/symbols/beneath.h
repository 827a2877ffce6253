/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening files in a directory that stands for the root of another machine. */
#ifndef PRECIS_SYMBOLS_BENEATH_H
#define PRECIS_SYMBOLS_BENEATH_H

/**
 * open(2) for reading as if 'root' were /: neither ".." nor a symbolic link leads out of it, and a
 * link to an absolute path means one in it.
 * @return -1 with errno
 */
int precis_open_beneath(const char *root, const char *path, int flags);

#endif
