/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What else a sample can have, or need not: a set of fields, callchains, registers,
 * physical addresses, and the watermark in bytes.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>

#include "precis_test.h"

#define ROUNDS 50
/* A busy machine may take its time; one that never delivers fails. */
#define PATIENCE_S 60
#define PERF_REG_X86_SP 7
#define PERF_REG_X86_IP 8
/* Entries of a callchain from here on say what follows (PERF_CONTEXT_MAX). */
#define CONTEXTS ((uint64_t)-4095)

static volatile long cell __attribute__((aligned(4096)));

static struct {
	uint64_t samples, wrong_fields, wrong_reason, without_chain, wrong_chain, wrong_registers,
		without_physical, physical;
} seen;

/* Of libprecis, and not of a libpapi that has the decoders in itself */
#pragma weak precis_why

static void on_fields(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		      void *user)
{
	uint64_t value;

	(void)user;
	(void)arrival;
	seen.samples++;
	seen.wrong_fields += !precis_get_addr(sample, &value) || value != (uintptr_t)&cell ||
			     precis_get_ip(sample, &value) || precis_get_time(sample, &value);
	seen.wrong_reason += precis_why && precis_why(sample, PRECIS_FIELD_IP) != PRECIS_NOT_CAPTURED;
}

/* In the words of the callchain: this place, called from that one? */
static int in_order(const struct precis_perf_sample *parts, uint64_t ip, uint64_t caller)
{
	uint64_t entry, found = 0;

	for (uint64_t n = 0; n < parts->callchain_count; n++) {
		memcpy(&entry, parts->callchain.data + 8 * n, 8);
		if (entry >= CONTEXTS)
			continue;
		found++;
		/* The function that was called stands less than a page behind what it begins with */
		if (found == 1 && entry != ip)
			return 0;
		if (found == 2)
			return entry >= caller && entry < caller + 4096;
	}
	return 0;
}

__attribute__((noinline)) static void write_cell(long value)
{
	cell = value;
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void call_write_cell(void)
{
	for (long n = 0; n < ROUNDS; n++) {
		write_cell(n);
		__asm__ volatile("" ::: "memory");
	}
}

static void on_parts(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		     void *user)
{
	const struct precis_perf_sample *parts = arrival->parts;
	uint64_t registers[2], ip;

	(void)user;
	seen.samples++;
	if (!precis_get_ip(sample, &ip) || !parts || !parts->callchain_count) {
		seen.without_chain++;
		return;
	}
	seen.wrong_chain += !in_order(parts, ip, (uintptr_t)call_write_cell);
	if (parts->regs_user.bytes != sizeof(registers)) {
		seen.wrong_registers++;
		return;
	}
	/* The stack's pointer, then the instruction's: lowest bit of the mask first */
	memcpy(registers, parts->regs_user.data, sizeof(registers));
	seen.wrong_registers += registers[1] != ip || registers[0] > (uintptr_t)user + 4096 ||
				registers[0] + (1 << 20) < (uintptr_t)user;
}

static void on_physical(const struct precis_sample *sample,
			const struct precis_papi_arrival *arrival, void *user)
{
	(void)arrival;
	(void)user;
	seen.samples++;
	seen.without_physical += !precis_get_phys_addr(sample, &seen.physical);
}

static void on_any(const struct precis_sample *sample, const struct precis_papi_arrival *arrival,
		   void *user)
{
	(void)sample;
	(void)arrival;
	(void)user;
	__atomic_add_fetch(&seen.samples, 1, __ATOMIC_ACQ_REL);
}

/* What 'sampling' says, while the cell is written ROUNDS times; samples are in 'seen' */
static void sample(int set, int code, const struct precis_papi_sampling *sampling)
{
	memset(&seen, 0, sizeof(seen));
	test_must(precis_papi_set_sampling(set, code, sampling), "precis_papi_set_sampling");
	test_must(PAPI_start(set), "PAPI_start");
	call_write_cell();
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
}

static void check_fields(int set, int code)
{
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling), .period = 1, .callback = on_fields,
	};

	precis_fields_add(sampling.fields, PRECIS_FIELD_ADDR);
	sample(set, code, &sampling);
	tap_equal((int64_t)seen.samples, ROUNDS, "one field wanted: all samples");
	tap_equal((int64_t)seen.wrong_fields, 0, "with that field and no other");
	if (precis_why)
		tap_equal((int64_t)seen.wrong_reason, 0, "the others were not asked for");
	else
		tap_skip("reasons are told by libprecis, with which this PAPI is not linked",
			 "the others were not asked for");
}

static void check_parts(int set, int code)
{
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.period = 1,
		.callback = on_parts,
		.parts = PRECIS_SAMPLE_CALLCHAIN | PRECIS_SAMPLE_REGS_USER,
		.registers = 1 << PERF_REG_X86_SP | 1 << PERF_REG_X86_IP,
		.user = __builtin_frame_address(0),
	};

	sample(set, code, &sampling);
	tap_equal((int64_t)seen.samples, ROUNDS, "callchains and registers: all samples");
	tap_equal((int64_t)seen.without_chain, 0, "each has a callchain");
	tap_equal((int64_t)seen.wrong_chain, 0, "which begins at the instruction and goes on in "
						"its caller");
	tap_equal((int64_t)seen.wrong_registers, 0, "registers are those of the instruction");
}

/* The kernel's own word for where a page is; 0: it tells us not */
static uint64_t physical_of(const volatile void *address)
{
	uint64_t entry = 0;
	int file = open("/proc/self/pagemap", O_RDONLY);

	if (file < 0)
		return 0;
	if (pread(file, &entry, 8, (off_t)((uintptr_t)address / 4096 * 8)) != 8)
		entry = 0;
	close(file);
	entry &= (UINT64_C(1) << 55) - 1;
	return entry ? entry * 4096 + (uintptr_t)address % 4096 : 0;
}

static void check_physical(int set, int code)
{
	struct precis_papi_sampling sampling = {
		.size = sizeof(sampling), .period = 1, .callback = on_physical,
	};
	uint64_t expected;

	cell = 1;
	expected = physical_of(&cell);
	if (!expected) {
		tap_skip("/proc/self/pagemap tells physical addresses to root only",
			 "physical addresses");
		return;
	}
	precis_fields_add(sampling.fields, PRECIS_FIELD_PHYS_ADDR);
	sample(set, code, &sampling);
	tap_equal((int64_t)seen.samples, ROUNDS, "physical addresses: all samples");
	tap_equal((int64_t)seen.without_physical, 0, "each has one");
	tap_equal((int64_t)seen.physical, (int64_t)expected, "which the page table has, too");
}

/* Records of one field are between 16 and 100 bytes: fewer than 40 do not reach the watermark. */
static void check_watermark(int set, int code)
{
	const struct precis_papi_sampling sampling = {
		.size = sizeof(sampling),
		.delivery = PRECIS_PAPI_WATERMARK,
		.period = 1,
		.callback = on_any,
		.watermark_bytes = 4096,
	};
	time_t end;

	memset(&seen, 0, sizeof(seen));
	test_must(precis_papi_set_sampling(set, code, &sampling), "precis_papi_set_sampling");
	test_must(PAPI_start(set), "PAPI_start");
	for (long n = 0; n < 30; n++)
		cell = n;
	tap_equal((int64_t)__atomic_load_n(&seen.samples, __ATOMIC_ACQUIRE), 0,
		  "watermark of 4096 bytes: not reached, nothing delivered");
	for (long n = 0; n < 300; n++)
		cell = n;
	/* the signal comes with the next interrupt */
	end = time(NULL) + PATIENCE_S;
	while (__atomic_load_n(&seen.samples, __ATOMIC_ACQUIRE) < 40 && time(NULL) < end)
		;
	tap_ok(seen.samples >= 40, "reached: %" PRIu64 " delivered", seen.samples);
	tap_ok(test_statistics(set, code).wakeups <= 330 * 100 / 4096 + 1, "by few signals");
	test_must(PAPI_stop(set, NULL), "PAPI_stop");
	tap_equal((int64_t)seen.samples, 330, "PAPI_stop delivers the rest");
}

int main(int argc, char **argv)
{
	int set, code;

	test_begin(argc, argv);
	test_init_breakpoints();
	set = test_set_of_breakpoint(&cell, &code);
	check_fields(set, code);
	check_parts(set, code);
	check_physical(set, code);
	check_watermark(set, code);
	test_destroy(&set);
	return tap_done();
}
