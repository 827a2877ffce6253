/* SPDX-License-Identifier: BSD-3-Clause */
/* Which epochs of a process are of one program, in whatever order its beginnings and its code are told. */
#include "analysis/model/processes.h"
#include "tests/property/random.h"
#include "tests/support/tap.h"

#define TIMES 200u

/* Against a table of what began at each time: 0 nothing, 1 other code, 2 another program */
static void programs(void)
{
	uint64_t state = 20261128;

	for (uint32_t round = 0; round < 50; round++) {
		struct processes processes = { 0 };
		struct process *process = process_of(&processes, 7);
		int began[TIMES] = { 0 };

		CU_ASSERT_PTR_NOT_NULL_FATAL(process);
		for (uint32_t n = 0; n < TIMES / 2; n++) {
			const uint32_t time = 1 + (uint32_t)(random_next(&state) % (TIMES - 1));
			const int is_program = random_next(&state) % 3 == 0;

			CU_ASSERT_EQUAL(process_begin(&processes, process, time, is_program), 0);
			if (began[time] < is_program + 1)
				began[time] = is_program + 1;
		}
		for (uint32_t time = 0, epoch = 0, program = 0; time < TIMES; time++) {
			epoch += began[time] != 0;
			program = began[time] == 2 ? epoch : program;
			CU_ASSERT_EQUAL(process_epoch(process, time), epoch);
			CU_ASSERT_EQUAL(process_program(process, epoch), program);
		}
		processes_free(&processes);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the program of each epoch, which are told in no order", programs },
	};

	return tap_main("processes", cases, sizeof(cases) / sizeof(cases[0]));
}
