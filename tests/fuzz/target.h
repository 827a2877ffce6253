/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fuzz target takes any bytes and returns. Built with libFuzzer it has its
 * main(), otherwise that of standalone.c, which replays files.
 */
#ifndef TESTS_FUZZ_TARGET_H
#define TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise of the library that does not hold is as bad as a crash. */
#define PROMISE(holds)                                                                             \
	do {                                                                                       \
		if (!(holds)) {                                                                    \
			fprintf(stderr, "%s:%d: broken promise: %s\n", __FILE__, __LINE__,         \
				#holds);                                                           \
			__builtin_trap();                                                          \
		}                                                                                  \
	} while (0)

#endif
