/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ComDetective's rules, each by itself, and what comes of them for a program that is made here: the volume is
 * no estimate of transfers. And what an instruction before an address did.
 */
#include "sharing/comdetective/comdetective.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/code.h>

#include "sharing/comdetective/trapped_code.h"
#include "tests/support/tap.h"

#define LINE UINT64_C(0x7f0000001000)
#define PERIOD 1000

static struct comdetective board;
static struct comdetective_found found;
static struct watch_register registers[WATCH_REGISTERS];
static struct random drawn;

static void begin(void)
{
	memset(&board, 0, sizeof(board));
	drawn = random_of(1);
}

static enum comdetective_next sample(uint32_t thread, uint64_t address, uint64_t time,
				     uint16_t flags)
{
	const struct sampled_access access = { .address = address,
					       .time = time,
					       .weight = PERIOD,
					       .tid = thread,
					       .bytes = 8,
					       .flags = flags };

	return comdetective_sample(&board, thread, &access, &drawn, &found, registers);
}

static enum comdetective_next stores(uint32_t thread, uint64_t address, uint64_t time)
{
	return sample(thread, address, time, ACCESS_STORES);
}

static enum comdetective_next loads(uint32_t thread, uint64_t address, uint64_t time)
{
	return sample(thread, address, time, ACCESS_LOADS);
}

static void communication(void)
{
	begin();
	CU_ASSERT_EQUAL(stores(0, LINE, 1000), COMDETECTIVE_NOTHING);
	/* a thread's first store is never valid */
	CU_ASSERT_EQUAL(loads(1, LINE, 1001), COMDETECTIVE_NOTHING);
	CU_ASSERT_EQUAL(stores(0, LINE, 1100), COMDETECTIVE_NOTHING);
	/* as long as its writer's last two stores are apart */
	CU_ASSERT_EQUAL(loads(1, LINE + 4, 1200), COMDETECTIVE_FOUND);
	CU_ASSERT(found.writer == 0 && found.line == LINE && found.is_true && found.weight == PERIOD);
	/* once for each time on the board */
	CU_ASSERT_EQUAL(loads(1, LINE, 1200), COMDETECTIVE_ARM);
	CU_ASSERT_EQUAL(loads(2, LINE + 8, 1200), COMDETECTIVE_FOUND);
	CU_ASSERT_FALSE(found.is_true);
	CU_ASSERT_EQUAL(loads(3, LINE, 1201), COMDETECTIVE_NOTHING);
	/* not with itself */
	CU_ASSERT_EQUAL(loads(0, LINE, 1150), COMDETECTIVE_NOTHING);
}

static void the_board(void)
{
	begin();
	stores(0, LINE, 1000);
	stores(0, LINE, 1100);
	/* its own entry stays while it is valid: the first time is counted */
	stores(0, LINE + 8, 1150);
	CU_ASSERT_EQUAL(loads(1, LINE, 1160), COMDETECTIVE_FOUND);
	CU_ASSERT_TRUE(found.is_true);
	CU_ASSERT_EQUAL(loads(1, LINE, 1161), COMDETECTIVE_ARM);
	/* another's gives way at once, to a line of the same slot as well */
	stores(2, LINE, 1170);
	stores(2, LINE + 127 * 64, 1175);
	CU_ASSERT_EQUAL(loads(1, LINE + 127 * 64, 1176), COMDETECTIVE_FOUND);
	CU_ASSERT_EQUAL(found.writer, 2);
	CU_ASSERT_EQUAL(loads(3, LINE, 1176), COMDETECTIVE_ARM);
}

static void words(void)
{
	uint32_t counts[8] = { 0 };
	const uint32_t draws = 8000;

	begin();
	stores(0, LINE + 24, 1000);
	stores(0, LINE + 24, 100000);
	for (uint32_t n = 0; n < draws; n++) {
		uint32_t taken = 0;

		CU_ASSERT_EQUAL(loads(1, LINE + 4096, 100001), COMDETECTIVE_ARM);
		for (uint32_t at = 0; at < WATCH_REGISTERS; at++) {
			const uint64_t word = (registers[at].address - LINE) / 8;

			CU_ASSERT_FATAL(word < 8 && registers[at].bytes == 8 &&
					registers[at].kind == WATCH_ALL);
			CU_ASSERT_FALSE(taken >> word & 1);
			taken |= 1u << word;
			counts[word]++;
		}
	}
	for (uint32_t word = 0; word < 8; word++)
		CU_ASSERT_DOUBLE_EQUAL(counts[word] / (double)draws, 0.5, 0.05);
}

static int arm_and_trap(uint64_t armed, uint64_t address, uint64_t time, uint16_t flags)
{
	begin();
	stores(0, LINE + 24, 1000);
	stores(0, LINE + 24, 1100);
	CU_ASSERT_EQUAL_FATAL(loads(1, LINE + 4096, armed), COMDETECTIVE_ARM);
	return comdetective_trap(&board, 1, address, time, flags, &found);
}

static void traps(void)
{
	CU_ASSERT_TRUE(arm_and_trap(1110, LINE + 24, 1150, ACCESS_LOADS));
	CU_ASSERT(found.writer == 0 && found.line == LINE && found.is_true &&
		  found.weight == 2 * PERIOD);
	CU_ASSERT_FALSE(comdetective_trap(&board, 1, LINE + 24, 1151, ACCESS_LOADS, &found));
	CU_ASSERT_TRUE(arm_and_trap(1110, LINE + 32, 1150, ACCESS_LOADS));
	CU_ASSERT_FALSE(found.is_true);
	/* not of the sample's kind; too old; of which kind is not known */
	CU_ASSERT_FALSE(arm_and_trap(1110, LINE + 24, 1150, ACCESS_STORES));
	CU_ASSERT_FALSE(arm_and_trap(1110, LINE + 24, 1200, ACCESS_LOADS));
	CU_ASSERT_TRUE(arm_and_trap(1110, LINE + 24, 1150, 0));
}

/* --- a program on modeled registers: two threads that access one word in no order --- */

#define STEPS 4000000u
#define SIMULATED_PERIOD 2000u

struct simulated {
	uint32_t left[2]; /* loads and stores until the next sample */
	uint64_t watched; /* words, in bits */
};

static double simulate(void)
{
	struct simulated threads[2] = { { { SIMULATED_PERIOD, 700 }, 0 }, { { 1200, 1700 }, 0 } };
	uint32_t writer = 2, has = 0;
	double truth = 0, volume = 0;

	begin();
	for (uint64_t n = 1; n <= STEPS; n++) {
		const uint32_t thread = (uint32_t)random_below(&drawn, 2);
		const uint32_t is_store = (uint32_t)random_below(&drawn, 2);
		const uint16_t flags = is_store ? ACCESS_STORES : ACCESS_LOADS;
		struct simulated *is = &threads[thread];

		truth += writer < 2 && writer != thread && !(has >> thread & 1);
		has = is_store ? 1u << thread : has | 1u << thread;
		writer = is_store ? thread : writer;
		if (is->watched & 1)
			volume += comdetective_trap(&board, thread, LINE, n, flags, &found) ?
					  found.weight :
					  0;
		is->watched = is->watched & 1 ? 0 : is->watched;
		if (--is->left[is_store])
			continue;
		is->left[is_store] = SIMULATED_PERIOD;
		switch (sample(thread, LINE, n, flags)) {
		case COMDETECTIVE_FOUND:
			volume += PERIOD;
			break;
		case COMDETECTIVE_ARM:
			is->watched = 0;
			for (uint32_t at = 0; at < WATCH_REGISTERS; at++)
				is->watched |= UINT64_C(1) << (registers[at].address - LINE) / 8;
			break;
		case COMDETECTIVE_NOTHING:
			break;
		}
	}
	return volume / PERIOD * SIMULATED_PERIOD / truth;
}

static void one_hot_line(void)
{
	const double ratio = simulate();

	printf("# one hot line, two threads: %.2f of the transfers that there were\n", ratio);
	/* whoever is sampled counts, whether or not it had the line already */
	CU_ASSERT_DOUBLE_EQUAL(ratio, 1.5, 0.25);
}

/* --- instructions --- */

#define DOES(...)                                                                                  \
	trapped_code_does((const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))

static void instructions(void)
{
	if (!precis_code_available()) {
		printf("# this build decodes no instruction\n");
		CU_ASSERT_EQUAL(DOES(0x48, 0x89, 0x07), 0);
		return;
	}
	CU_ASSERT_EQUAL(DOES(0x90, 0x90, 0x48, 0x89, 0x07), ACCESS_STORES);  /* mov %rax,(%rdi) */
	CU_ASSERT_EQUAL(DOES(0x90, 0x90, 0x48, 0x8b, 0x07), ACCESS_LOADS);   /* mov (%rdi),%rax */
	CU_ASSERT_EQUAL(DOES(0xf0, 0x48, 0x0f, 0xc1, 0x07), ACCESS_LOADS | ACCESS_STORES); /* xadd */
	CU_ASSERT_EQUAL(DOES(0x0f, 0x1f, 0x00, 0x48, 0x01, 0xc3), 0);        /* add %rax,%rbx */
	CU_ASSERT_EQUAL(trapped_code_does(NULL, 0), 0);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a sample in a line that another has stored to is a communication", communication },
		{ "what is on the board, and for how long", the_board },
		{ "four words of eight are watched, each as often", words },
		{ "what is met there counts twice, if it is of the sample's kind", traps },
		{ "one hot line: half as many again as there were", one_hot_line },
		{ "loads, stores, both: by the instruction before an address", instructions },
	};

	return tap_main("comdetective", cases, sizeof(cases) / sizeof(cases[0]));
}
