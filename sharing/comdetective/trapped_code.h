/* SPDX-License-Identifier: BSD-3-Clause */
/* What the instruction did that ended at an address: a trap comes behind it. */
#ifndef SHARING_TRAPPED_CODE_H
#define SHARING_TRAPPED_CODE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define TRAPPED_CODE_BYTES 15u

/*
 * Code is not read backwards: all instructions that may end there are looked at.
 *
 * @param code  the bytes before it
 * @return ACCESS_*; 0: they do not agree, none accesses memory, or this build decodes no instruction
 */
uint16_t trapped_code_does(const uint8_t *code, size_t bytes);

/* The same of a process that runs */
uint16_t trapped_code_in(pid_t pid, uint64_t ip);

#endif
