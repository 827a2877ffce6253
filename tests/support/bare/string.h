/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All of the C library that the pure rooms may call: functions that allocate
 * nothing, know no locale, and are safe in a signal handler (POSIX.1-2017,
 * signal-safety(7)). A compiler's freestanding headers do the rest.
 */
#ifndef TESTS_SUPPORT_BARE_STRING_H
#define TESTS_SUPPORT_BARE_STRING_H

#include <stddef.h>

void *memchr(const void *, int, size_t);
int memcmp(const void *, const void *, size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
char *strchr(const char *, int);
int strcmp(const char *, const char *);
size_t strcspn(const char *, const char *);
size_t strlen(const char *);
int strncmp(const char *, const char *, size_t);
size_t strnlen(const char *, size_t);
char *strrchr(const char *, int);
size_t strspn(const char *, const char *);

#endif
