/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instructions that tell where a thread's pointer is: their data is at an address that is known, and so far
 * from it. One of two files implements it: thread.c with Zydis, no_function.c without.
 */
#ifndef LIBDECODE_CODE_OPERANDS_THREAD_H
#define LIBDECODE_CODE_OPERANDS_THREAD_H

#include <stdint.h>

/*
 * @param bytes   the instruction's, of x86-64, and maybe more
 * @param offset  set to how far from fs the only data is that it accesses
 * @return 1; 0: it is no such instruction
 */
int operand_from_thread(const uint8_t *bytes, uint32_t count, int64_t *offset);

#endif
