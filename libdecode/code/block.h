/* SPDX-License-Identifier: BSD-3-Clause */
/* One block of code: see blocks.h. */
#ifndef LIBDECODE_CODE_BLOCK_H
#define LIBDECODE_CODE_BLOCK_H

#include "form.h"
#include "texts.h"

#define CODE_NO_BLOCK UINT32_MAX

/* An instruction of a block: its form's number, and its length */
#define CODE_STEP_FORM(step) ((step) >> 4)
#define CODE_STEP_LENGTH(step) ((step)&15u)

struct code_block {
	struct code_text *text;
	uint64_t offset;
	uint64_t since, until;  /* times at which it is what it is: from, and up to, not included */
	uint32_t bytes, count;  /* of instructions. 0: there is none, 'absent' says why */
	uint32_t first_step;    /* for code_blocks_steps() */
	uint32_t last_bytes;    /* of its last instruction */
	uint32_t next;          /* the block behind it, where control may go: CODE_NO_BLOCK */
	uint32_t target;        /* the block that its direct branch or call goes to: CODE_NO_BLOCK */
	uint8_t branch;         /* enum code_branch of its last instruction */
	uint8_t absent;         /* enum code_absence: why it goes on nowhere, or has no instruction */
	uint8_t calls_next;     /* a call of what is behind it: some CPUs do not take it for a branch */
	uint8_t reserved;
};

struct code_blocks;

/** Is the code at a place as if it were not known? 'data' is the caller's. */
typedef int code_left_out(const void *data, const struct code_text *text, uint64_t offset);

#endif
