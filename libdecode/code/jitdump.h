/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Code that a program made while it ran, as its jit-PID.dump has it.
 *
 * Source: tools/perf/Documentation/jitdump-specification.txt of Linux 6.12.
 */
#ifndef LIBDECODE_CODE_JITDUMP_H
#define LIBDECODE_CODE_JITDUMP_H

#include <stddef.h>
#include <stdint.h>

struct code_jitdump {
	uint32_t pid;
	uint32_t bits;        /* 64 or 32; 0: another machine */
	uint32_t foreign_clock; /* its times are of the CPU's counter, no record's */
};

/* A function that begins to be somewhere: JIT_CODE_LOAD, or, without bytes, JIT_CODE_MOVE */
struct code_jitdump_function {
	uint64_t time, start, bytes, index; /* 'index' tells what is moved */
	const uint8_t *code; /* NULL: it was moved here */
	const char *name; /* likewise */
	uint32_t pid;
};

typedef int (*code_jitdump_fn)(void *data, const struct code_jitdump *dump,
			       const struct code_jitdump_function *function);

/**
 * Go through a jitdump, up to where it breaks off: a program that is killed leaves its last record
 * unfinished.
 *
 * @param offset  set to where reading ended
 * @return 0; PRECIS_E_NOT_PERF_DATA: it is none; PRECIS_E_ENDIAN; PRECIS_E_TRUNCATED, PRECIS_E_BAD_SIZE:
 *         'offset' says where; or what 'function' returned that is not 0
 */
int code_jitdump_parse(const uint8_t *bytes, size_t count, code_jitdump_fn function, void *data,
		       size_t *offset);

/** Is that the name of one: its last part "jit-PID.dump"? */
int code_jitdump_is_name(const char *name);

#endif
