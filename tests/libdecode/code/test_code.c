/* SPDX-License-Identifier: BSD-3-Clause */
/* Instructions by hand, from the manuals of AMD and Intel, and bytes that are none. */
#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

#include "tests/support/tap.h"

#define AT UINT64_C(0x401000)
#define LOADS PRECIS_CODE_LOADS
#define STORES PRECIS_CODE_STORES
#define JUMP PRECIS_CODE_JUMP
#define MAYBE (PRECIS_CODE_JUMP | PRECIS_CODE_CONDITIONAL)
#define THERE PRECIS_CODE_TARGET

static const struct {
	const char *bytes, *text, *intel;
	uint32_t bits, does;
	uint64_t target;
} known[] = {
	{ "\x90", "nop", "nop", 64, 0, 0 },
	{ "\x48\x8b\x04\xf7", "mov (%rdi,%rsi,8), %rax", "mov rax, [rdi+rsi*8]", 64,
	  LOADS, 0 },
	{ "\x48\x89\x07", "mov %rax, (%rdi)", "mov [rdi], rax", 64, STORES, 0 },
	{ "\x48\x8b\x05\x11\x11\x11\x11", "mov 0x11111111(%rip), %rax  # 0x11512118",
	  "mov rax, [rip+0x11111111]  # 0x11512118", 64, LOADS, 0 },
	{ "\x48\x83\xec\x08", "sub $0x8, %rsp", "sub rsp, 0x8", 64, 0, 0 },
	{ "\x0f\x97\xc0", "seta %al", "seta al", 64, 0, 0 },
	{ "\x0f\x4d\xc1", "cmovge %ecx, %eax", "cmovge eax, ecx", 64, 0, 0 },
	{ "\x48\x83\x07\x01", NULL, NULL, 64, LOADS | STORES, 0 },
	{ "\x48\x8d\x07", NULL, NULL, 64, 0, 0 },             /* lea */
	{ "\x0f\x18\x0f", NULL, NULL, 64, 0, 0 },             /* prefetcht0 */
	{ "\x0f\x1f\x44\x00\x11", NULL, NULL, 64, 0, 0 },     /* a long nop */
	{ "\x55", NULL, NULL, 64, STORES, 0 },                /* push */
	{ "\x5d", NULL, NULL, 64, LOADS, 0 },                 /* pop */
	{ "\xc3", NULL, NULL, 64, PRECIS_CODE_RETURN | LOADS, 0 },
	{ "\x75\xfe", "jne 0x401000", "jne 0x401000", 64, MAYBE | THERE, AT },
	{ "\xeb\x10", NULL, NULL, 64, JUMP | THERE, AT + 0x12 },
	{ "\xff\xe0", NULL, NULL, 64, JUMP, 0 },              /* jmp *%rax */
	{ "\xff\x25\x01\x02\x03\x04", NULL, NULL, 64, JUMP | LOADS, 0 },
	{ "\xe8\xfb\xff\xff\xff", NULL, NULL, 64, PRECIS_CODE_CALL | STORES | THERE, AT },
	{ "\xff\xd0", NULL, NULL, 64, PRECIS_CODE_CALL | STORES, 0 },
	{ "\xe2\xfe", NULL, NULL, 64, MAYBE | THERE, AT },    /* loop */
	/* of 64 bits a prefix */
	{ "\x40", NULL, NULL, 32, 0, 0 },
	{ "\xe9\xfb\xff\xff\xff", NULL, NULL, 32, JUMP | THERE, AT },
};
#define KNOWN (sizeof(known) / sizeof(known[0]))

static int decode(const void *bytes, size_t count, uint32_t bits, uint32_t syntax,
		  struct precis_instruction *instruction)
{
	memset(instruction, 0x5a, sizeof(*instruction));
	instruction->size = sizeof(*instruction);
	return precis_code_decode(bytes, count, AT, bits, syntax, instruction);
}

/* All have no 0 inside but the long nop. */
static size_t length_of(const char *bytes)
{
	return memcmp(bytes, "\x0f\x1f", 2) == 0 ? 5 : strlen(bytes);
}

static void what_they_are(void)
{
	struct precis_instruction found;

	for (size_t n = 0; n < KNOWN; n++) {
		const size_t length = length_of(known[n].bytes);

		CU_ASSERT_EQUAL(decode(known[n].bytes, length, known[n].bits, PRECIS_CODE_ATT,
				       &found), (int)length);
		CU_ASSERT_EQUAL(found.length, length);
		CU_ASSERT_EQUAL(found.does, known[n].does);
		CU_ASSERT_EQUAL(found.target, known[n].target);
		CU_ASSERT(strlen(found.text) > 0);
		if (known[n].text)
			CU_ASSERT_STRING_EQUAL(found.text, known[n].text);
		decode(known[n].bytes, length, known[n].bits, PRECIS_CODE_INTEL, &found);
		if (known[n].intel)
			CU_ASSERT_STRING_EQUAL(found.text, known[n].intel);
	}
}

static void what_is_cut_off(void)
{
	struct precis_instruction found;

	for (size_t n = 0; n < KNOWN; n++) {
		for (size_t count = 0; count < length_of(known[n].bytes); count++) {
			char *exact = malloc(count ? count : 1); /* sanitizers see who reads on */

			memcpy(exact, known[n].bytes, count);
			CU_ASSERT_EQUAL(decode(exact, count, known[n].bits, 0, &found),
					PRECIS_E_TRUNCATED);
			CU_ASSERT_EQUAL(found.length, 0);
			CU_ASSERT_STRING_EQUAL(found.text, "");
			free(exact);
		}
	}
}

static void what_is_none(void)
{
	static const uint8_t none[] = { 0x06, 0x0f, 0x0b }; /* push %es */
	uint8_t prefixes[16];
	struct precis_instruction found;

	CU_ASSERT_EQUAL(decode(none, sizeof(none), 64, 0, &found), 0);
	CU_ASSERT_EQUAL(decode(none, sizeof(none), 32, 0, &found), 1);
	memset(prefixes, 0x66, sizeof(prefixes));
	CU_ASSERT_EQUAL(decode(prefixes, sizeof(prefixes), 64, 0, &found), 0);
}

/* Whatever the bytes, it is as long as what there is, and the text ends. */
static void whatever_bytes(void)
{
	struct precis_instruction found;
	uint8_t bytes[PRECIS_CODE_BYTES_MOST];
	uint32_t seed = 1;

	for (uint32_t n = 0; n < 200000; n++) {
		uint32_t count = n % (sizeof(bytes) + 1);
		int length;

		for (size_t i = 0; i < sizeof(bytes); i++) {
			seed = seed * 1664525 + 1013904223;
			bytes[i] = (uint8_t)(seed >> 24);
		}
		length = decode(bytes, count, n & 1 ? 64 : 32, n >> 1 & 1, &found);
		if (length > (int)count || (length < 0 && length != PRECIS_E_TRUNCATED) ||
		    (length > 0) != (found.length > 0) ||
		    !memchr(found.text, 0, sizeof(found.text)))
			CU_FAIL("a length that cannot be");
	}
}

static void wrong_arguments(void)
{
	struct precis_instruction found = { .size = sizeof(found) };

	CU_ASSERT_EQUAL(precis_code_decode("\x90", 1, 0, 64, 0, NULL), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_code_decode(NULL, 1, 0, 64, 0, &found), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_code_decode("\x90", 1, 0, 16, 0, &found), PRECIS_E_ARGUMENT);
	CU_ASSERT_EQUAL(precis_code_decode("\x90", 1, 0, 64, 2, &found), PRECIS_E_ARGUMENT);
	found.size = 4;
	CU_ASSERT_EQUAL(precis_code_decode("\x90", 1, 0, 64, 0, &found), PRECIS_E_ARGUMENT);
}

static void without_zydis(void)
{
	struct precis_instruction found = { .size = sizeof(found) };

	CU_ASSERT_EQUAL(precis_code_decode("\x90", 1, 0, 64, 0, &found), PRECIS_E_UNSUPPORTED);
}

int main(void)
{
	static const struct tap_case with[] = {
		{ "what instructions are", what_they_are },
		{ "instructions that are cut off", what_is_cut_off },
		{ "bytes that are no instruction", what_is_none },
		{ "whatever bytes", whatever_bytes },
		{ "wrong arguments", wrong_arguments },
	};
	static const struct tap_case without[] = {
		{ "no instruction is known without Zydis", without_zydis },
		{ "wrong arguments", wrong_arguments },
	};

	return precis_code_available() ? tap_main("code", with, sizeof(with) / sizeof(with[0])) :
					 tap_main("code", without, sizeof(without) / sizeof(without[0]));
}
