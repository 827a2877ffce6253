/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Libraries that few runs of the command need: loaded when they are, and not with the command, whose start
 * would take as long as theirs.
 */
#ifndef PROCESS_LIBRARY_H
#define PROCESS_LIBRARY_H

#include <stddef.h>

/*
 * Load the library of that name ("libpfm.so.4"), and put where its functions are into 'calls', a struct of
 * 'count' pointers to those with these names, in their order. It stays loaded when it is closed: it has a
 * state of its own, and so have those that it is made of.
 * @return for dlclose(3); NULL: it is not there, or lacks one of them
 */
void *library_open(const char *library, const char *const *names, size_t count, void *calls);

#endif
