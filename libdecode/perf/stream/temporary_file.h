/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that nobody else sees and that is gone when it is closed. */
#ifndef PRECIS_PERF_TEMPORARY_FILE_H
#define PRECIS_PERF_TEMPORARY_FILE_H

/* The directory that was asked for; NULL: $TMPDIR, else /var/tmp. */
const char *precis_temporary_directory(const char *wanted);

/* @return a descriptor, or -1 with errno set */
int precis_temporary_file(const char *directory);

#endif
