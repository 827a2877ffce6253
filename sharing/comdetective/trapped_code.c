/* SPDX-License-Identifier: BSD-3-Clause */
/* See trapped_code.h. */
#define _GNU_SOURCE /* process_vm_readv() */
#include "trapped_code.h"

#include <sys/uio.h>

#include <precis/code.h>

#include "sharing/sampled_access.h"

/* Of instructions alone that access what an operand of theirs says: not push, call, ret */
static uint16_t does(const struct precis_instruction *instruction)
{
	const uint32_t elsewhere = PRECIS_CODE_JUMP | PRECIS_CODE_CALL | PRECIS_CODE_RETURN;

	if (instruction->does & elsewhere)
		return 0;
	return (uint16_t)((instruction->does & PRECIS_CODE_LOADS ? ACCESS_LOADS : 0) |
			  (instruction->does & PRECIS_CODE_STORES ? ACCESS_STORES : 0));
}

uint16_t trapped_code_does(const uint8_t *code, size_t bytes)
{
	uint16_t all = 0;

	for (size_t length = 1; length <= bytes; length++) {
		struct precis_instruction instruction = { .size = sizeof(instruction) };
		uint16_t one = 0;

		if (precis_code_decode(code + bytes - length, length, 0, 64, PRECIS_CODE_ATT,
				       &instruction) == (int)length)
			one = does(&instruction);
		if (one && all && one != all)
			return 0;
		all = one ? one : all;
	}
	return all;
}

uint16_t trapped_code_in(pid_t pid, uint64_t ip)
{
	uint8_t code[TRAPPED_CODE_BYTES];
	const struct iovec here = { code, sizeof(code) };
	const struct iovec there = { (void *)(uintptr_t)(ip - sizeof(code)), sizeof(code) };

	if (ip < sizeof(code) ||
	    process_vm_readv(pid, &here, 1, &there, 1, 0) != (ssize_t)sizeof(code))
		return 0;
	return trapped_code_does(code, sizeof(code));
}
