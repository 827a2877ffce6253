/* SPDX-License-Identifier: BSD-3-Clause */
/* See clock.h. */
#include "clock.h"

#include <cpuid.h>
#include <fcntl.h>
#include <sys/prctl.h>

#include "system.h"

#define PAIR_TRIES 8
#define READINGS 32
#define READING_RUNS 4

int clock_is_tsc;
uint64_t clock_reading;

/* Does the kernel keep its own time by the counter? */
static int is_trusted(void)
{
	static const char *const sources[] = { "tsc\n", "kvm-clock\n", "hyperv_clocksource_tsc_page\n" };
	char text[64] = "";
	long fd = CALL3(SYS_open, "/sys/devices/system/clocksource/clocksource0/current_clocksource",
			O_RDONLY | O_CLOEXEC, 0);

	if (fd < 0)
		return 0;
	if (CALL3(SYS_read, fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	CALL1(SYS_close, fd);
	for (size_t n = 0; n < sizeof(sources) / sizeof(*sources); n++)
		if (!strcmp(text, sources[n]))
			return 1;
	return 0;
}

/* Intel SDM 3A 18.17.1, AMD APM 3 "Invariant TSC": CPUID 8000_0007h, EDX bit 8 */
static int is_invariant(void)
{
	unsigned int a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && d >> 8 & 1;
}

/* The counter may step by many ticks at a time, so that one reading tells little. */
static uint64_t shortest_reading(void)
{
	uint64_t shortest = UINT64_MAX;

	for (int run = 0; run < READING_RUNS; run++) {
		const uint64_t begin = ticks_now();
		uint64_t end = begin;

		for (int n = 0; n < READINGS; n++)
			end = ticks_now();
		shortest = end - begin < shortest ? end - begin : shortest;
	}
	return shortest / READINGS;
}

uint32_t clock_choose(uint64_t wanted)
{
	clock_is_tsc = wanted != OBJECTS_CLOCK_MONOTONIC && is_invariant() && (wanted || is_trusted());
	clock_reading = shortest_reading();
	return clock_is_tsc ? OBJECTS_CLOCK_TSC : OBJECTS_CLOCK_MONOTONIC;
}

void clock_pair(struct objects_clock *clock)
{
	memset(clock, 0, sizeof(*clock));
	clock->kind = OBJECTS_CLOCK_PAIR;
	clock->after = UINT64_MAX;
	for (int n = 0; n < PAIR_TRIES; n++) {
		uint64_t before = ticks_now();
		uint64_t value = clock_nanoseconds(CLOCK_MONOTONIC);
		uint64_t after = ticks_now();

		if (after - before >= clock->after - clock->before)
			continue;
		clock->before = before;
		clock->after = after;
		clock->value = value;
	}
}

void clock_comm(struct objects_clock *clock, uint32_t number)
{
	static const char digits[] = "0123456789abcdef";
	char own[16] = "", name[16] = OBJECTS_COMM;

	for (int n = 0; n < 8; n++)
		name[sizeof(OBJECTS_COMM) - 1 + n] = digits[number >> (28 - 4 * n) & 15];
	memset(clock, 0, sizeof(*clock));
	clock->kind = OBJECTS_CLOCK_COMM;
	clock->number = number;
	clock->value = (uint64_t)own_tid();
	CALL2(SYS_prctl, PR_GET_NAME, own);
	clock->before = ticks_now();
	CALL2(SYS_prctl, PR_SET_NAME, name);
	clock->after = ticks_now();
	CALL2(SYS_prctl, PR_SET_NAME, own);
}
