/* SPDX-License-Identifier: BSD-3-Clause */
/* Symbols for a person to read: C++ and Rust names without what linkers need. */
#ifndef DEMANGLE_H
#define DEMANGLE_H

/*
 * The name of a C++ function as perf prints it, without its parameters and the type that it
 * returns; of a Rust function, without its hash. To be freed. NULL: it is no such name, this
 * build cannot, or memory is short: then the symbol is to be shown as it is.
 */
char *demangle(const char *symbol);

#endif
