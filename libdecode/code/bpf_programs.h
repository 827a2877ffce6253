/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Code of BPF programs as a recording has it: its feature BPF_PROG_INFO, of which perf record makes one
 * entry for each program that was there or came while it recorded.
 *
 * Sources, of Linux 6.1: struct perf_bpil in tools/perf/util/bpf-utils.h, write_bpf_prog_info() in header.c
 * beside it, struct bpf_prog_info in include/uapi/linux/bpf.h.
 */
#ifndef LIBDECODE_CODE_BPF_PROGRAMS_H
#define LIBDECODE_CODE_BPF_PROGRAMS_H

#include <stddef.h>
#include <stdint.h>

/* What the kernel translated a function of a program to */
struct bpf_function {
	uint64_t start, end; /* addresses */
	uint8_t *code;
	int is_ambiguous; /* another one had these addresses, too, at another time */
};

/* Zeroed memory has none. */
struct bpf_programs {
	struct bpf_function *function; /* by their addresses after the last bpf_programs_add() */
	uint32_t count, room;
	uint64_t bytes;
};

#define BPF_CODE_MOST (64u << 20) /* bytes: of what is more nothing is known */

/**
 * Take the section's programs. Code that the recorder was not allowed to see is not among them.
 * @return 0; PRECIS_E_TRUNCATED: those before that were taken; PRECIS_E_NO_MEMORY
 */
int bpf_programs_add(struct bpf_programs *programs, const uint8_t *section, size_t count);

/** Code from an address on, at most 'most' bytes. @return how many; 0: it is not known */
uint32_t bpf_programs_read(const struct bpf_programs *programs, uint64_t address, uint8_t *bytes,
			   uint32_t most);

void bpf_programs_free(struct bpf_programs *programs);

#endif
