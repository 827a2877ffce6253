/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups of mnemonics that a user makes, in a text file:
 *
 *     # what waits
 *     synchronisation: MFENCE LFENCE SFENCE PAUSE XCHG
 *     long latency: DIV IDIV SQRTPD
 *     long latency: FDIV
 *
 * A line is a group's name, a colon, and mnemonics as Zydis has them, in letters of either case, with
 * blanks or commas between them. A group may go on in a further line of its name; a mnemonic may be in
 * several groups. Empty lines and what is behind '#' are left out.
 */
#ifndef LIBDECODE_CODE_GROUPS_H
#define LIBDECODE_CODE_GROUPS_H

#include <stddef.h>
#include <stdint.h>

#define CODE_GROUPS_MOST 64u
#define CODE_GROUP_NAME 64u /* bytes, with its NUL */

struct code_groups {
	uint32_t count;
	char name[CODE_GROUPS_MOST][CODE_GROUP_NAME];
	uint64_t *of; /* by mnemonic: a bit for each group that it is in */
};

/* What a text has wrong */
struct code_groups_error {
	uint32_t line, column; /* from 1 */
	const char *what;      /* static, without a final full stop */
};

/**
 * @param text   need not end in a NUL
 * @param error  filled if the return value is PRECIS_E_SYNTAX
 * @return 0, PRECIS_E_SYNTAX, PRECIS_E_NO_MEMORY, PRECIS_E_UNSUPPORTED in a build that knows no mnemonics.
 *         To be freed in any case
 */
int code_groups_parse(const char *text, size_t length, struct code_groups *groups,
		      struct code_groups_error *error);
void code_groups_free(struct code_groups *groups);

/** The groups of a mnemonic, a bit for each. */
uint64_t code_groups_of(const struct code_groups *groups, uint32_t mnemonic);

#endif
