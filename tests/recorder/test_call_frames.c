/* SPDX-License-Identifier: BSD-3-Clause */
/* Callers by lines of the compilers' tables: those that the unwinder of exceptions finds, at their places. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include "recorder/call_frames.h"
#include "recorder/libraries.h"
#include "recorder/state.h"
#include "tests/property/random.h"
#include "tests/support/tap.h"

#define FRAMES_MOST 400u
#define STACKS 2000u

struct frames {
	uint32_t count;
	uint64_t address[FRAMES_MOST], stack_pointer[FRAMES_MOST];
};

static void add(struct frames *frames, uint64_t address, uint64_t stack_pointer)
{
	if (frames->count == FRAMES_MOST)
		return;
	frames->address[frames->count] = address;
	frames->stack_pointer[frames->count++] = stack_pointer;
}

/* By the unwinder, from the caller of the function with that frame on */
struct asked {
	uint64_t first;
	struct frames frames;
};

static _Unwind_Reason_Code take(struct _Unwind_Context *context, void *data)
{
	struct asked *asked = data;
	const uint64_t address = (uint64_t)_Unwind_GetIP(context);

	if (address && (asked->frames.count || (uint64_t)_Unwind_GetCFA(context) == asked->first))
		add(&asked->frames, address, (uint64_t)_Unwind_GetCFA(context));
	return _URC_NO_REASON;
}

static uint64_t top_of_stack(void)
{
	pthread_attr_t attributes;
	void *low = NULL;
	size_t size = 0;

	if (!pthread_getattr_np(pthread_self(), &attributes)) {
		pthread_attr_getstack(&attributes, &low, &size);
		pthread_attr_destroy(&attributes);
	}
	return (uint64_t)low + size;
}

static uint32_t whole, in_part, wrong;

/* Both from here on, beside each other. @return 0 */
static __attribute__((noinline)) int compare(void)
{
	const uint64_t *own = __builtin_frame_address(0);
	struct call_frame frame = {
		.address = own[1], .stack_pointer = (uint64_t)(own + 2), .frame_pointer = own[0],
	};
	struct asked asked = { .first = frame.stack_pointer };
	const uint64_t top = top_of_stack(), libraries = libraries_changes();
	struct frames found = { 0 };
	uint64_t end;
	int is_known = 1;

	_Unwind_Backtrace(take, &asked);
	while (is_known && frame.address && found.count < FRAMES_MOST) {
		add(&found, frame.address, frame.stack_pointer);
		is_known = call_frames_step(&frame, top, libraries, &end) == 0;
	}
	whole += (uint32_t)is_known;
	in_part += (uint32_t)!is_known;
	if ((is_known && found.count != asked.frames.count) || found.count > asked.frames.count ||
	    memcmp(found.address, asked.frames.address, found.count * sizeof(found.address[0])) != 0 ||
	    memcmp(found.stack_pointer, asked.frames.stack_pointer,
		   found.count * sizeof(found.stack_pointer[0])) != 0)
		wrong++;
	return 0;
}

/* --- functions of several kinds, which call each other by chance --- */

static uint64_t state;
static int depth;

int descend(int number);

/* Registers that its caller has are saved. */
static __attribute__((noinline)) int by_registers(int number)
{
	int a = number * 3, b = number ^ 5, c = number + 7, d = number << 2;
	int result = descend(number + 1);

	return a + b + c + d + result + descend(-1);
}

/* Its frame has no size that is known, so it has a frame pointer. */
static __attribute__((noinline)) int by_size(int number)
{
	volatile char *room = __builtin_alloca((size_t)(number & 63) + 16);

	room[0] = (char)number;
	return descend(number + 1) + room[0];
}

/* What it has stands at a multiple of 64. */
static __attribute__((noinline)) int by_place(int number)
{
	_Alignas(64) volatile char room[256];

	room[number & 255] = 1;
	return descend(number + 1) + room[number & 255];
}

/* Arguments on the stack, which the caller takes off again */
static __attribute__((noinline)) int many(int a, int b, int c, int d, int e, int f, int g, int h, int i)
{
	return descend(a) + b + c + d + e + f + g + h + i;
}

static __attribute__((noinline)) int by_arguments(int number)
{
	return many(number + 1, 2, 3, 4, 5, 6, number, number, 9) + number;
}

static int compared(const void *a, const void *b)
{
	(void)b;
	descend(*(const int *)a);
	return 0;
}

/* The C library is in between. */
static __attribute__((noinline)) int by_library(int number)
{
	int numbers[2] = { number + 1, number + 1 };

	qsort(numbers, 2, sizeof(numbers[0]), compared);
	return numbers[0];
}

static __attribute__((noinline, noreturn)) void leave(int number, jmp_buf *to)
{
	descend(number + 1);
	longjmp(*to, 1);
}

/* Its last instruction is the call: it would be returned to into another function. */
static __attribute__((noinline, noreturn)) void by_last(int number, jmp_buf *to)
{
	volatile char room[40];

	room[0] = 1;
	leave(number + room[0] - 1, to);
}

static __attribute__((noinline)) int by_jump(int number)
{
	jmp_buf back;

	if (!setjmp(back))
		by_last(number, &back);
	return 1;
}

/*
 * What compilers seldom write: of odd numbers a call while the frame pointer is saved, and is another one; of
 * others behind that, when it is restored, and with something else at that place.
 */
int by_hand(int number);
__asm__(".text\n"
	".type by_hand, @function\n"
	"by_hand:\n"
	".cfi_startproc\n"
	"push %rbp\n"
	".cfi_def_cfa_offset 16\n"
	".cfi_offset 6, -16\n"
	"xor %ebp, %ebp\n"
	"inc %edi\n"
	"test $1, %edi\n"
	"jz 1f\n"
	".cfi_remember_state\n"
	"pop %rbp\n"
	".cfi_restore 6\n"
	".cfi_def_cfa_offset 8\n"
	"push %rdi\n"
	".cfi_def_cfa_offset 16\n"
	"call descend\n"
	"pop %rdi\n"
	".cfi_def_cfa_offset 8\n"
	"ret\n"
	"1:\n"
	".cfi_restore_state\n"
	"call descend\n"
	"pop %rbp\n"
	".cfi_restore 6\n"
	".cfi_def_cfa_offset 8\n"
	"ret\n"
	".cfi_endproc\n"
	".size by_hand, . - by_hand\n");

static int (*const kinds[])(int) = {
	by_registers, by_size, by_place, by_arguments, by_library, by_jump, by_hand,
};

/* By chance, too; -1: not at all */
__attribute__((noinline)) int descend(int number)
{
	if (number < 0)
		return 0;
	if (number >= depth)
		return compare();
	return kinds[random_next(&state) % (sizeof(kinds) / sizeof(kinds[0]))](number) + 1;
}

static void begin(void)
{
	whole = in_part = wrong = 0;
	state = 20261127;
	CU_ASSERT_EQUAL_FATAL(call_frames_begin(), 0);
}

static void *descend_often(void *unused)
{
	(void)unused;
	for (uint32_t n = 0; n < STACKS; n++) {
		depth = (int)(random_next(&state) % 40);
		descend(0);
	}
	return NULL;
}

static void test_kinds(void)
{
	begin();
	descend_often(NULL);
	CU_ASSERT_EQUAL(wrong, 0);
	printf("# %u whole, %u in part\n", whole, in_part);
	CU_ASSERT_EQUAL(in_part, 0);
}

static void test_thread(void)
{
	pthread_t thread;

	begin();
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, descend_often, NULL), 0);
	pthread_join(thread, NULL);
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(in_part, 0);
}

static void handle(int signal_number)
{
	(void)signal_number;
	depth = 3;
	descend(0);
}

/* Behind the handler is the kernel's frame, which is none of a call, and then who was interrupted. */
static void test_signal(void)
{
	struct sigaction action = { .sa_handler = handle }, before;

	begin();
	CU_ASSERT_EQUAL_FATAL(sigaction(SIGUSR1, &action, &before), 0);
	raise(SIGUSR1);
	sigaction(SIGUSR1, &before, NULL);
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(whole > 0);
	CU_ASSERT_EQUAL(in_part, 0);
}

static uint64_t address_called_from;

static __attribute__((noinline)) int note_and_compare(void)
{
	address_called_from = (uint64_t)__builtin_return_address(0);
	return compare() + 1;
}

/* @return 0; -1: it is not there */
static int call_in(const char *name)
{
	const char *folder = getenv("builddir");
	char path[4096];
	void *library;
	int (*call_back)(int (*)(void));

	snprintf(path, sizeof(path), "%s/tests/recorder/.libs/%s.so", folder ? folder : ".", name);
	library = dlopen(path, RTLD_NOW);
	if (!library)
		return -1;
	*(void **)&call_back = dlsym(library, "call_back");
	if (call_back)
		call_back(note_and_compare);
	dlclose(library);
	return call_back ? 0 : -1;
}

/* Another library at the place of one that is gone: at the same return address another line */
static void test_other_library(void)
{
	uint64_t before;

	begin();
	CU_ASSERT_EQUAL_FATAL(call_in("calls_back_small"), 0);
	before = address_called_from;
	CU_ASSERT_EQUAL_FATAL(call_in("calls_back_large"), 0);
	if (address_called_from != before)
		tap_skip("the second library was loaded elsewhere");
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(whole, 2);
}

/* Frames that would not be on the stack */
static void test_bounds(void)
{
	const uint64_t *own = __builtin_frame_address(0);
	const struct call_frame here = {
		.address = own[1], .stack_pointer = (uint64_t)(own + 2), .frame_pointer = own[0],
	};
	struct call_frame frame = here;
	uint64_t end;

	begin();
	CU_ASSERT_EQUAL(call_frames_step(&frame, here.stack_pointer, 0, &end), CALL_FRAMES_BEYOND);
	CU_ASSERT_EQUAL(memcmp(&frame, &here, sizeof(frame)), 0);
	frame.address = (uint64_t)&frame; /* no code */
	CU_ASSERT_EQUAL(call_frames_step(&frame, top_of_stack(), 0, &end), CALL_FRAMES_UNKNOWN);
}

/* --- tables that nobody checked --- */

#define TABLES 200000u
#define CODE UINT64_C(0x100000000000) /* where nothing is loaded */
#define CODE_BYTES 4096u

/* As the C library's own programs have them, for tables that are made at run time */
void __register_frame(void *table);
void __deregister_frame(void *table);

static uint8_t *put(uint8_t *at, uint64_t value, size_t bytes)
{
	memcpy(at, &value, bytes);
	return at + bytes;
}

/* Instructions, most of them such as there are, some not. The last ones may be cut. */
static uint8_t *put_chance(uint8_t *at)
{
	static const uint8_t likely[] = { 0x07, 0x08, 0x0c, 0x0d, 0x0e, 0x12, 0x13, 0x90, 0x86, 0x41 };
	const uint32_t count = (uint32_t)(random_next(&state) % 24);

	for (uint32_t n = 0; n < count; n++) {
		const uint64_t chance = random_next(&state);

		at = put(at, chance & 1 ? likely[(chance >> 8) % sizeof(likely)] : chance >> 8 & 0xff, 1);
		if (chance & 2)
			at = put(at, (chance & 4 ? 7 : 6), 1);
		if (chance & 8)
			at = put(at, (chance >> 16 & 15) * 8, 1);
	}
	return at;
}

/* At 'start' stands how long it is: whatever reads on reads beyond the block's end. */
static void put_length(uint8_t *start, const uint8_t *end)
{
	put(start, (uint64_t)(end - start) - 4, 4);
}

/* Into a block of just as many bytes. The unwinder, which looks for it, does not run the instructions. */
static uint8_t *table_of_chance(size_t *bytes)
{
	static uint8_t room[512];
	const uint64_t chance = random_next(&state), unit = UINT64_C(8) >> (chance >> 24 & 3);
	uint8_t *at = put(put(room + 4, 0, 4), 1, 1), *cie = room, *fde, *block;

	memcpy(at, "zR", 3);
	at = put(at + 3, chance & 3, 1); /* of code */
	at = put(at, chance & 4 ? 0x80 - unit : chance >> 8 & 0x7f,
		 1); /* of data: -8 to -1, or any */
	at = put(put(put(at, 16, 1), 1, 1), 0, 1);
	/* the CFA is the stack pointer + 8, the return address is there */
	at = chance & 8 ? put(put(at, 0x08070c, 3), 0x90 | 8 / unit << 8, 2) : put_chance(at);
	put_length(cie, at);
	fde = at;
	at = put(at + 4, (uint64_t)(at + 4 - cie), 4);
	at = put(put(at, CODE, 8), CODE_BYTES, 8);
	at = put(at, chance & 0x30 ? 0 : chance >> 16 & 0xff, 1); /* of augmentation, or what is not there */
	at = put_chance(at);
	put_length(fde, at);
	at = put(at, 0, 4);
	*bytes = (size_t)(at - room);
	block = malloc(*bytes);
	if (block)
		memcpy(block, room, *bytes);
	return block;
}

static uint32_t stepped;

/* On words of a stack that has an end. @return 1: it stayed there, or was not known */
static int stays_on_stack(const uint64_t *words, uint64_t count, uint64_t trial)
{
	const struct call_frame here = {
		.address = CODE + 1 + random_next(&state) % 64,
		.stack_pointer = (uint64_t)(words + random_next(&state) % count),
		.frame_pointer = (uint64_t)(words + random_next(&state) % count),
	};
	const uint64_t top = (uint64_t)(words + count);
	struct call_frame frame = here;
	uint64_t end;

	if (call_frames_step(&frame, top, trial, &end) < 0)
		return memcmp(&frame, &here, sizeof(frame)) == 0;
	stepped++;
	return !frame.address || (frame.stack_pointer > here.stack_pointer && frame.stack_pointer <= top &&
				  frame.address == *(const uint64_t *)(frame.stack_pointer - 8));
}

static void test_tables(void)
{
	uint64_t *words = malloc(64 * sizeof(*words));
	uint32_t outside = 0;

	begin();
	stepped = 0;
	CU_ASSERT_PTR_NOT_NULL_FATAL(words);
	for (uint64_t n = 0; n < 64; n++)
		words[n] = n + 1;
	for (uint64_t trial = 1; trial <= TABLES; trial++) {
		size_t bytes;
		uint8_t *table = table_of_chance(&bytes);

		if (!table)
			break;
		__register_frame(table);
		outside += !stays_on_stack(words, 64, trial);
		__deregister_frame(table);
		free(table);
	}
	free(words);
	CU_ASSERT_EQUAL(outside, 0);
	printf("# %u of %u tables lead on\n", stepped, TABLES);
	CU_ASSERT(stepped > TABLES / 100);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "functions of all kinds, one calling another by chance", test_kinds },
		{ "the same in a thread, whose first function nobody called", test_thread },
		{ "a signal's frame leads to who was interrupted", test_signal },
		{ "a library at another one's place has its own table", test_other_library },
		{ "nothing is read that is not on the stack", test_bounds },
		{ "of tables of chance, too", test_tables },
	};

	/* else each look is one of a child that has not begun */
	shared.running = RUNNING;
	return tap_main("call frames", cases, sizeof(cases) / sizeof(cases[0]));
}
