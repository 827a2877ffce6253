/* SPDX-License-Identifier: BSD-3-Clause */
/* Rust's names for a person to read. */
#ifndef COMMAND_SYMBOLS_RUST_NAMES_H
#define COMMAND_SYMBOLS_RUST_NAMES_H

/* To be freed; NULL: it is no name of that kind, or memory is short */
char *rust_name(const char *symbol);

#endif
