/* SPDX-License-Identifier: BSD-3-Clause */
/* The instructions of the file that ran, read in pieces. */
#ifndef PRECIS_SYMBOLS_TYPES_CODE_WINDOW_H
#define PRECIS_SYMBOLS_TYPES_CODE_WINDOW_H

#include "instruction.h"
#include "libdecode/symbols/elf_bytes.h"
#include "model.h"

#define CODE_WINDOW_BYTES 512u

/* Zeroed memory, but for 'reads' */
struct code_window {
	uint8_t room[CODE_WINDOW_BYTES];
	struct elf_bytes bytes;
	uint32_t reads; /* so many pieces may still be read */
};

/** @return 0 if the instruction is not known, or cannot be read */
int precis_code_read(struct precis_data_types *types, struct code_window *code, uint64_t at,
		     struct operation *operation);

/**
 * Does the register go on by a constant behind there? In a loop what it is at first is where an array begins,
 * and a block may go to any place of that.
 */
int precis_code_steps_on(struct precis_data_types *types, uint64_t at, unsigned int number);

/** The file whose code was read is closed. */
void precis_code_close(struct precis_data_types *types);

#endif
