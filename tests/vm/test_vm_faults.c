/* SPDX-License-Identifier: BSD-3-Clause */
/* The modeled faults: each does what it says, to as many samples, and nothing where there is none. */
#include "tests/support/tap.h"
#include "tests/vm/model/model.h"

#define TAGS 20000u

/*
 * A loop of five: a load that retires late, two others, a branch that is not taken and one that is. Each has
 * a line of code, and the third one is fetched with the one before it.
 */
#define LOOP 5u
enum { LATE, SECOND, THIRD, FOURTH, BRANCH };

struct loop {
	struct vm_faults faults;
	struct vm_fault_state state;
	unsigned int at;
};

static struct loop make(const struct vm_faults *faults)
{
	struct loop loop = { .faults = *faults };

	vm_fault_seed(&loop.state, 7);
	return loop;
}

static enum vm_fault_verdict run(struct loop *loop, bool counted)
{
	const struct vm_operation operation = {
		.ip = 0x401000 + 64 * loop->at, .branch = loop->at >= FOURTH, .taken = loop->at == BRANCH,
	};
	const struct vm_outcome outcome = {
		.retire_gap = loop->at == LATE ? VM_FAULT_GAP : 1, .fetched = loop->at != THIRD,
	};

	loop->at = (loop->at + 1) % LOOP;
	return vm_fault_step(&loop->faults, &loop->state, counted, &operation, &outcome);
}

/* Tags the op there, and says at which the interrupt comes, and how many ops later. LOOP: it never does */
static unsigned int interrupted_at(struct loop *loop, unsigned int tagged, unsigned int *later)
{
	bool counted = true;

	/* so that what was before does not matter */
	loop->state.behind_taken = tagged == LATE;
	loop->at = tagged;
	for (*later = 0; *later < 4 * LOOP; ++*later) {
		const unsigned int at = loop->at;
		const enum vm_fault_verdict verdict = run(loop, counted);

		counted = false;
		if (verdict == VM_FAULT_FORGET)
			return LOOP;
		if (verdict == VM_FAULT_INTERRUPT ||
		    (verdict == VM_FAULT_TAG && !loop->state.skid_left))
			return at;
	}
	return LOOP;
}

/* The share of tags of that op whose interrupt comes at the other one, in percent */
static unsigned int share(const struct vm_faults *faults, unsigned int tagged, unsigned int at)
{
	struct loop loop = make(faults);
	unsigned int found = 0, later;

	for (unsigned int n = 0; n < TAGS; n++)
		found += interrupted_at(&loop, tagged, &later) == at;
	return (100 * found + TAGS / 2) / TAGS;
}

static void none(void)
{
	const struct vm_faults faults = { 0 };
	struct loop loop = make(&faults);
	const vm_u64 random = loop.state.random;
	unsigned int later;

	for (unsigned int n = 0; n < LOOP; n++) {
		CU_ASSERT_EQUAL(interrupted_at(&loop, n, &later), n);
		CU_ASSERT_EQUAL(later, 0);
	}
	CU_ASSERT_EQUAL(vm_fault_address(&faults, &loop.state, 0x401000), 0x401000);
	/* nor is anything drawn: runs without faults are as they would be without the file */
	CU_ASSERT_EQUAL(loop.state.random, random);
}

static void tag_bias(void)
{
	const struct vm_faults faults = { .tag_bias = 300 };
	struct loop loop = make(&faults);
	unsigned int later;

	CU_ASSERT_EQUAL(share(&faults, THIRD, LATE), 30);
	CU_ASSERT_EQUAL(share(&faults, THIRD, THIRD), 70);
	CU_ASSERT_EQUAL(share(&faults, LATE, LATE), 100);
	/* what is behind the branch already moves nowhere */
	for (unsigned int n = 0; n < 100; n++) {
		interrupted_at(&loop, LATE, &later);
		CU_ASSERT_EQUAL(later, 0);
	}
}

static void shadow(void)
{
	const struct vm_faults faults = { .shadow = 500 };

	CU_ASSERT_EQUAL(share(&faults, SECOND, LATE), 50);
	CU_ASSERT_EQUAL(share(&faults, SECOND, SECOND), 50);
	CU_ASSERT_EQUAL(share(&faults, LATE, LATE), 100);
}

/* In lines with an even number: the first, the third and the last one; of fetches not the third one */
static void bank(void)
{
	const struct vm_faults faults = { .bank = 500 }, of_fetches = { .bank = 500, .of_fetches = true };

	CU_ASSERT_EQUAL(share(&faults, SECOND, THIRD), 50);
	CU_ASSERT_EQUAL(share(&faults, SECOND, SECOND), 50);
	CU_ASSERT_EQUAL(share(&faults, BRANCH, BRANCH), 100);
	CU_ASSERT_EQUAL(share(&of_fetches, SECOND, BRANCH), 50);
	CU_ASSERT_EQUAL(share(&of_fetches, SECOND, SECOND), 50);
}

static void skid(void)
{
	for (unsigned int by = 1; by <= 3; by++) {
		const struct vm_faults faults = { .skid = 200, .skid_by = by };

		CU_ASSERT_EQUAL(share(&faults, LATE, by), 20);
		CU_ASSERT_EQUAL(share(&faults, LATE, LATE), 80);
	}
}

/* What is written to the register ends what waits. */
static void stopped(void)
{
	const struct vm_faults skids = { .skid = 1000, .skid_by = 2 }, moves = { .tag_bias = 1000 };
	struct loop loop = make(&skids);

	CU_ASSERT_EQUAL(run(&loop, true), VM_FAULT_TAG);
	vm_fault_stop(&loop.state);
	for (unsigned int n = 0; n < 2 * LOOP; n++)
		CU_ASSERT_EQUAL(run(&loop, false), VM_FAULT_NOTHING);
	loop = make(&moves);
	loop.at = SECOND;
	CU_ASSERT_EQUAL(run(&loop, true), VM_FAULT_NOTHING);
	vm_fault_stop(&loop.state);
	for (unsigned int n = 0; n < 2 * LOOP; n++)
		CU_ASSERT_EQUAL(run(&loop, false), VM_FAULT_NOTHING);
}

static void silent(void)
{
	const struct vm_faults faults = { .silent = 250 };

	CU_ASSERT_EQUAL(share(&faults, THIRD, LOOP), 25);
	CU_ASSERT_EQUAL(share(&faults, THIRD, THIRD), 75);
}

static void addresses(void)
{
	const struct vm_faults faults = { .off_by_one = 1000 }, modes = { .wrong_mode = 1000 };
	const struct vm_faults user_modes = { .user_mode = 1000 };
	struct vm_fault_state state = { 0 };

	CU_ASSERT_EQUAL(vm_fault_address(&faults, &state, 0x401000), 0x401001);
	/* the half of addresses that is the kernel's */
	CU_ASSERT_EQUAL(vm_fault_address(&modes, &state, 0x401000), 0xffff800000401000);
	CU_ASSERT_EQUAL(vm_fault_address(&modes, &state, 0xffffffff81000000), 0xffffffff81000000);
	/* and the other way round */
	CU_ASSERT_EQUAL(vm_fault_address(&user_modes, &state, 0xffffffff81000000), 0x7fff81000000);
	CU_ASSERT_EQUAL(vm_fault_address(&user_modes, &state, 0x401000), 0x401000);
}

/* Another seed: other samples */
static void seeds(void)
{
	struct vm_fault_state one = { 0 }, other = { 0 };
	unsigned int same = 0;

	vm_fault_seed(&one, 1);
	vm_fault_seed(&other, 2);
	for (unsigned int n = 0; n < 1000; n++)
		same += vm_fault_happens(&one, 500) == vm_fault_happens(&other, 500);
	CU_ASSERT_TRUE(same > 400 && same < 600);
}

/* Of the engine itself: it starts at 0, and counts what was none */
static void counters(void)
{
	struct vm_engine engine;
	const struct vm_outcome outcome = { .cycle = 1 };
	unsigned int n = 0;

	vm_engine_init(&engine, 1);
	engine.not_random = true;
	vm_op_engine_write(&engine, 0xbff, 1 << 17 | 1 << 19 | 0x40);
	vm_engine_overcount(&engine, 100);
	do
		n++;
	while (!vm_op_engine_count(&engine, &outcome));
	CU_ASSERT_EQUAL(n, 0x400 - 100);
	CU_ASSERT_EQUAL(vm_op_engine_read(&engine) >> 32, 0);
	/* it waits for the driver, and counts nothing */
	vm_engine_overcount(&engine, 100);
	CU_ASSERT_EQUAL(vm_op_engine_read(&engine) >> 32, 0);
	/* fetches likewise: with random low bits, and without */
	vm_fetch_engine_write(&engine, 1ull << 57 | 1ull << 48 | 9);
	CU_ASSERT_EQUAL(engine.count, 0);
	engine.not_random = false;
	for (n = 0; !engine.count; n++)
		vm_fetch_engine_write(&engine, 1ull << 57 | 1ull << 48 | 9);
	CU_ASSERT_TRUE(engine.count < 16 && n < 10);
	vm_op_engine_write(&engine, 0xbff, 1 << 17 | 1 << 19 | 0x40);
	vm_op_engine_restart(&engine);
	n = vm_op_engine_read(&engine) >> 32;
	vm_op_engine_restart(&engine);
	CU_ASSERT_NOT_EQUAL(vm_op_engine_read(&engine) >> 32, n);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "no fault", none },
		{ "tag bias", tag_bias },
		{ "shadow", shadow },
		{ "bank", bank },
		{ "skid", skid },
		{ "a write to the register", stopped },
		{ "samples that are forgotten", silent },
		{ "addresses and modes", addresses },
		{ "seeds", seeds },
		{ "counters", counters },
	};

	return tap_main("modeled faults", cases, sizeof(cases) / sizeof(cases[0]));
}
