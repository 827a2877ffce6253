/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * turns LENGTH LOADS TURNS: traced: a loop of LENGTH instructions, turned so often. Its first LOADS load
 * the same word, the rest add, the last two count and jump.
 *
 * Known: the share of loads is LOADS in LENGTH; each turn has the same instructions, and after the first
 * ones takes the same time.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "traced.h"

#define CODE_BYTES (1 << 16)

static uint8_t *put(uint8_t *at, const char *code, size_t bytes)
{
	memcpy(at, code, bytes);
	return at + bytes;
}

/* void turns(const uint64_t *word, uint64_t turns) */
static void write_code(uint8_t *code, long length, long loads)
{
	uint8_t *at = code;
	int32_t back;

	for (long i = 0; i < length - 2; i++) {
		if (i < loads)
			at = put(at, "\x48\x8b\x07", 3); /* mov (%rdi),%rax */
		else
			at = put(at, "\x48\x83\xc1\x01", 4); /* add $1,%rcx */
	}
	at = put(at, "\x48\xff\xce", 3); /* dec %rsi */
	back = (int32_t)(code - (at + 6));
	at = put(at, "\x0f\x85", 2); /* jne back */
	memcpy(at, &back, sizeof(back));
	at[sizeof(back)] = 0xc3; /* ret */
}

int main(int argc, char **argv)
{
	static uint64_t word;
	void (*turns)(const uint64_t *, uint64_t);
	uint8_t *code = mmap(NULL, CODE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long length, loads;

	if (argc < 4 || code == MAP_FAILED)
		return 2;
	length = atol(argv[1]);
	loads = atol(argv[2]);
	if (length < 3 || loads < 0 || loads > length - 2 || length > CODE_BYTES / 8)
		return 2;
	write_code(code, length, loads);
	memcpy(&turns, &code, sizeof(turns));
	traced_open();
	traced_begin();
	turns(&word, strtoull(argv[3], NULL, 0));
	traced_end();
	printf("turns of %ld instructions\n", length);
	return 0;
}
