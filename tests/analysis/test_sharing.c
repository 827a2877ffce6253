/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who shares lines with whom: threads that access lines in an order that is made here, so that it is known
 * who got what from whom; a sample of these accesses; and what is estimated from the sample alone.
 */
#include "analysis/sharing/estimate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sharing/parties.h"
#include "statistics/random.h"
#include "tests/support/repetitions.h"
#include "tests/support/tap.h"

#define THREADS 4u
#define LINES 40u
#define NOBODY THREADS

/* --- a machine with coherent caches --- */

struct access {
	uint32_t thread, line;
	int is_store;
	struct sharing_span span;
};

struct machine {
	uint32_t writer[LINES]; /* the last one; NOBODY */
	struct sharing_span written[LINES];
	uint32_t has[LINES]; /* bits of threads that have had it since */
};

struct truth {
	double all[THREADS][THREADS], met[THREADS][THREADS], apart[THREADS][THREADS];
};

static void reset(struct machine *machine)
{
	memset(machine, 0, sizeof(*machine));
	for (uint32_t n = 0; n < LINES; n++)
		machine->writer[n] = NOBODY;
}

/* Bytes one by one: not what is tested */
static int do_meet(struct sharing_span a, struct sharing_span b)
{
	for (uint32_t byte = 0; byte < SHARING_LINE_BYTES; byte++) {
		if (byte >= a.offset && byte < (uint32_t)a.offset + a.bytes && byte >= b.offset &&
		    byte < (uint32_t)b.offset + b.bytes)
			return 1;
	}
	return 0;
}

/* Is it a load of a line that another has written? */
static int do_access(struct machine *machine, const struct access *access, struct truth *truth)
{
	const uint32_t line = access->line, writer = machine->writer[line],
		       bit = 1u << access->thread;
	const int gets =
		writer != NOBODY && writer != access->thread && !(machine->has[line] & bit);

	if (gets && !access->is_store) {
		truth->all[writer][access->thread]++;
		if (do_meet(machine->written[line], access->span))
			truth->met[writer][access->thread]++;
		else
			truth->apart[writer][access->thread]++;
	}
	machine->has[line] |= bit;
	if (access->is_store) {
		machine->writer[line] = access->thread;
		machine->written[line] = access->span;
		machine->has[line] = bit;
	}
	return gets && !access->is_store;
}

/* --- programs --- */

/* How often each thread comes, stores, and to which of the lines: in percent */
struct program {
	const char *name;
	uint32_t rate[THREADS], stores[THREADS];
	uint32_t lines;
	uint32_t apart; /* in percent of lines: each thread has bytes of its own there */
};

static const struct program programs[] = {
	{ "all alike", { 25, 25, 25, 25 }, { 50, 50, 50, 50 }, 4, 50 },
	{ "unequal threads", { 60, 25, 10, 5 }, { 30, 50, 70, 20 }, 8, 25 },
	{ "one writer", { 40, 20, 20, 20 }, { 80, 0, 0, 0 }, 10, 0 },
	{ "many lines", { 40, 30, 20, 10 }, { 40, 40, 40, 40 }, LINES, 75 },
};

static struct access next_access(const struct program *program, struct random *random)
{
	struct access access = { .thread = 0 };
	uint32_t drawn = (uint32_t)random_below(random, 100);

	while (drawn >= program->rate[access.thread]) {
		drawn -= program->rate[access.thread];
		access.thread++;
	}
	/* the first lines are accessed most */
	access.line = (uint32_t)random_below(random, 1 + random_below(random, program->lines));
	access.is_store = random_below(random, 100) < program->stores[access.thread];
	access.span.bytes = (uint8_t)(1u << random_below(random, 4));
	access.span.offset = (uint8_t)(random_below(random, 2) * 8);
	if (access.line * 100 < program->lines * program->apart)
		access.span.offset = (uint8_t)(access.thread * 16 + access.span.offset);
	return access;
}

/* Each of loads and stores is sampled about once in so many, the number of which is random. */
#define PERIOD 61u
#define MANY 100000u
#define FEW 20000u
#define FEWEST 6000u

static void run_program(const struct program *program, uint32_t accesses, uint64_t seed,
			struct sharing_lines *lines, struct truth *truth)
{
	struct random random = random_of(seed);
	uint64_t left[2] = { 1 + random_below(&random, PERIOD), 1 + random_below(&random, PERIOD) };
	struct machine machine;

	memset(truth, 0, sizeof(*truth));
	reset(&machine);
	for (uint32_t n = 0; n < accesses; n++) {
		const struct access access = next_access(program, &random);
		const int gets = do_access(&machine, &access, truth);
		const struct sharing_sample sample = {
			.line = access.line,
			.party = access.thread,
			.span = access.span,
			.weight = PERIOD,
			.flags = (access.is_store ? SHARING_STORE : SHARING_LOAD) |
				 (gets ? SHARING_TRANSFER : 0),
		};

		if (--left[access.is_store])
			continue;
		left[access.is_store] = 1 + random_below(&random, 2 * PERIOD - 1);
		CU_ASSERT_EQUAL_FATAL(sharing_lines_add(lines, &sample), 0);
	}
}

static void estimate_all(const struct sharing_lines *lines, struct sharing_estimate *estimate)
{
	struct sharing_scratch scratch = { .uses = NULL };
	struct sharing_line_flow flow;

	CU_ASSERT_EQUAL_FATAL(sharing_estimate_init(estimate, THREADS), 0);
	for (uint32_t n = 0; n < lines->line_count; n++)
		CU_ASSERT_EQUAL(
			sharing_estimate_line(estimate, lines, &lines->lines[n], &scratch, &flow),
			0);
	sharing_scratch_free(&scratch);
}

/* --- how often intervals hold --- */

/* Of intervals, of cells and of sums: how many there are, and how many hold the truth */
struct held {
	uint32_t cells, holding;
	double truth, sum;
};

static void judge(struct held *held, double truth, const struct poisson_sum *sum,
		  const struct poisson_sum *unknown)
{
	const struct interval interval =
		sharing_interval(sum, unknown, PERIOD, interval_confidence);

	if (!(truth > 0 || sum->sum > 0))
		return;
	held->cells++;
	held->holding += interval.low <= truth && truth <= interval.high;
	held->truth += truth;
	held->sum += sum->sum;
}

enum { ALL, MET, APART, GOT, KINDS };

static void judge_run(struct held held[KINDS], const struct truth *truth,
		      const struct sharing_estimate *estimate)
{
	for (uint32_t to = 0; to < THREADS; to++) {
		const struct poisson_sum *unknown = &estimate->unknown[to];
		struct poisson_sum got = estimate->got[to].all;
		double all = 0;

		for (uint32_t from = 0; from < THREADS; from++) {
			const struct sharing_flow *flow = &estimate->flows[from * THREADS + to];

			judge(&held[ALL], truth->all[from][to], &flow->all, unknown);
			judge(&held[MET], truth->met[from][to], &flow->by_meeting[SHARING_MEET],
			      unknown);
			judge(&held[APART], truth->apart[from][to],
			      &flow->by_meeting[SHARING_APART], unknown);
			all += truth->all[from][to];
		}
		poisson_sum_merge(&got, unknown);
		judge(&held[GOT], all, &got, NULL);
	}
}

static void check_program(const struct program *program, uint32_t accesses)
{
	const uint32_t runs = repetitions(300, 60);
	static const char *const names[KINDS] = { "pairs", "true", "false", "readers" };
	struct held held[KINDS] = { { .cells = 0 } };

	for (uint32_t run = 0; run < runs; run++) {
		struct sharing_estimate estimate;
		struct sharing_lines lines;
		struct truth truth;

		CU_ASSERT_EQUAL_FATAL(sharing_lines_init(&lines, 4096, 4096), 0);
		run_program(program, accesses, 1 + run, &lines, &truth);
		estimate_all(&lines, &estimate);
		judge_run(held, &truth, &estimate);
		sharing_estimate_free(&estimate);
		sharing_lines_free(&lines);
	}
	for (uint32_t kind = 0; kind < KINDS; kind++) {
		const struct held *is = &held[kind];

		if (!is->cells)
			continue;
		printf("# %s, %u accesses, %s: %u of %u intervals hold (%.1f%%), %.3f of what was\n",
		       program->name, accesses, names[kind], is->holding, is->cells,
		       100.0 * is->holding / is->cells, is->sum / is->truth);
		CU_ASSERT_TRUE(is->holding >= 0.93 * is->cells);
		/* of few samples the writer is often not known: then pairs have less */
		if ((kind == GOT && accesses > FEWEST) || accesses == MANY)
			CU_ASSERT_DOUBLE_EQUAL(is->sum / is->truth, 1,
					       program->lines == LINES ? 0.2 : 0.06);
	}
}

/* 95% of the intervals hold the truth, whoever shares what with whom; sums of many runs are right. */
static void intervals_hold(void)
{
	for (size_t n = 0; n < sizeof(programs) / sizeof(programs[0]); n++) {
		check_program(&programs[n], MANY);
		check_program(&programs[n], FEW);
		check_program(&programs[n], FEWEST);
	}
}

/* --- exact figures --- */

static void add(struct sharing_lines *lines, uint64_t line, uint32_t party, uint32_t flags,
		uint32_t offset, uint32_t bytes, double weight)
{
	const struct sharing_sample sample = {
		.line = line,
		.party = party,
		.flags = flags,
		.weight = weight,
		.span = { (uint8_t)offset, (uint8_t)bytes },
	};

	CU_ASSERT_EQUAL_FATAL(sharing_lines_add(lines, &sample), 0);
}

static void few_samples(void)
{
	struct sharing_estimate estimate;
	struct sharing_lines lines;
	const struct sharing_flow *flow;
	struct interval known, may_be;

	CU_ASSERT_EQUAL_FATAL(sharing_lines_init(&lines, 16, 16), 0);
	/* 0 stores three times, once to what 2 loads; 1 once, elsewhere; 2's own store tells nothing of it */
	add(&lines, 7, 0, SHARING_STORE, 0, 8, 10);
	add(&lines, 7, 0, SHARING_STORE, 32, 8, 10);
	add(&lines, 7, 0, SHARING_STORE, 40, 8, 10);
	add(&lines, 7, 1, SHARING_STORE, 56, 8, 10);
	add(&lines, 7, 2, SHARING_STORE, 0, 8, 10);
	add(&lines, 7, 2, SHARING_LOAD | SHARING_TRANSFER, 4, 8, 100);
	add(&lines, 7, 2, SHARING_LOAD, 4, 8, 100);
	/* of another line nobody else's store was seen, and of one its width is not told */
	add(&lines, 8, 2, SHARING_STORE, 0, 8, 10);
	add(&lines, 8, 2, SHARING_LOAD | SHARING_TRANSFER, 0, 8, 100);
	add(&lines, 9, 0, SHARING_STORE, 0, 0, 10);
	add(&lines, 9, 2, SHARING_LOAD | SHARING_TRANSFER, 8, 8, 100);
	estimate_all(&lines, &estimate);
	flow = &estimate.flows[0 * THREADS + 2];
	CU_ASSERT_DOUBLE_EQUAL(flow->all.sum, 75 + 100, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(flow->by_meeting[SHARING_MEET].sum, 25, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(flow->by_meeting[SHARING_APART].sum, 50, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(flow->by_meeting[SHARING_OPEN].sum, 100, 1e-9);
	flow = &estimate.flows[1 * THREADS + 2];
	CU_ASSERT_DOUBLE_EQUAL(flow->all.sum, 25, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(flow->by_meeting[SHARING_APART].sum, 25, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(estimate.unknown[2].sum, 100, 1e-9);
	/* which may be 1's, too */
	known = sharing_interval(&flow->all, NULL, 100, interval_confidence);
	may_be = sharing_interval(&flow->all, &estimate.unknown[2], 100, interval_confidence);
	CU_ASSERT_EQUAL(known.low, may_be.low);
	CU_ASSERT_TRUE(may_be.high > known.high + 100);
	CU_ASSERT_DOUBLE_EQUAL(estimate.got[2].all.sum, 200, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(estimate.sent[0].all.sum, 175, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(estimate.total.all.sum, 200, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(estimate.flows[2 * THREADS + 0].all.sum, 0, 0);
	sharing_estimate_free(&estimate);
	sharing_lines_free(&lines);
}

/* All offsets and widths, byte by byte; 0 is any width */
static void meetings(void)
{
	for (uint32_t n = 0; n < 64 * 64 * 9; n++) {
		const struct sharing_span a = { (uint8_t)(n % 64), (uint8_t)(n / 64 % 9) };

		for (uint32_t offset = 0; offset < 64; offset += 1 + n % 7) {
			const struct sharing_span b = { (uint8_t)offset, (uint8_t)(n / 64 / 9) };
			uint32_t met = 0, cases = 0;

			for (uint32_t wide = a.bytes ? a.bytes : 1;
			     wide <= (a.bytes ? a.bytes : 64u - a.offset); wide++) {
				for (uint32_t other = b.bytes ? b.bytes : 1;
				     other <= (b.bytes ? b.bytes : 64u - b.offset); other++) {
					cases++;
					met += (uint32_t)do_meet(
						(struct sharing_span){ a.offset, (uint8_t)wide },
						(struct sharing_span){ b.offset, (uint8_t)other });
				}
			}
			CU_ASSERT_EQUAL(sharing_meeting_of(a, b), met == cases ? SHARING_MEET
								  : met        ? SHARING_OPEN
									       : SHARING_APART);
		}
	}
}

/* --- bounded memory --- */

#define KEYS 3000u
#define LIMIT 300u

/* Some lines have many samples, most have few. */
static uint64_t some_line(struct random *random)
{
	return random_below(random, 1 + random_below(random, 1 + random_below(random, KEYS)));
}

static void fill(struct sharing_lines *lines, uint64_t seed, uint64_t counts[KEYS])
{
	struct random random = random_of(seed);

	for (uint32_t n = 0; n < 30000; n++) {
		const uint64_t line = some_line(&random);

		add(lines, line, (uint32_t)random_below(&random, 3), SHARING_STORE,
		    8 * (uint32_t)random_below(&random, 4), 8, 1);
		counts[line]++;
	}
}

static void check_bounds(const struct sharing_lines *lines, const uint64_t counts[KEYS])
{
	uint64_t there[KEYS] = { 0 };

	CU_ASSERT_TRUE(lines->line_count <= LIMIT);
	for (uint32_t n = 0; n < lines->line_count; n++) {
		const struct sharing_line *line = &lines->lines[n];
		uint64_t samples = line->crowded;

		for (const struct sharing_way *way = NULL;
		     (way = sharing_way_next(lines, line, way));)
			samples += way->samples;
		CU_ASSERT_EQUAL(samples, line->samples);
		CU_ASSERT_TRUE(line->missed <= lines->floor);
		CU_ASSERT_TRUE(line->samples <= counts[line->line]);
		CU_ASSERT_TRUE(line->samples + line->missed >= counts[line->line]);
		there[line->line] = 1;
	}
	for (uint32_t n = 0; n < KEYS; n++)
		CU_ASSERT_TRUE(there[n] || counts[n] <= lines->floor);
}

static void lines_are_bounded(void)
{
	static const uint32_t ways[] = { LIMIT * 16, 400 };

	for (size_t n = 0; n < 2; n++) {
		uint64_t counts[KEYS] = { 0 };
		struct sharing_lines lines;

		CU_ASSERT_EQUAL_FATAL(sharing_lines_init(&lines, LIMIT, ways[n]), 0);
		fill(&lines, 5 + n, counts);
		CU_ASSERT_TRUE(lines.dropped > 0 && lines.floor > 0);
		CU_ASSERT_TRUE(lines.way_count <= ways[n]);
		check_bounds(&lines, counts);
		sharing_lines_clear(&lines);
		CU_ASSERT_EQUAL(lines.line_count + lines.way_count + lines.floor, 0);
		sharing_lines_free(&lines);
	}
}

static void merged(void)
{
	static const uint16_t same[] = { 0, 1, 2 };
	uint64_t counts[KEYS] = { 0 };
	struct sharing_lines lines, others;

	CU_ASSERT_EQUAL_FATAL(sharing_lines_init(&lines, LIMIT, LIMIT * 16), 0);
	CU_ASSERT_EQUAL_FATAL(sharing_lines_init(&others, LIMIT, LIMIT * 16), 0);
	fill(&lines, 5, counts);
	fill(&others, 6, counts);
	CU_ASSERT_EQUAL(sharing_lines_merge(&lines, &others, same, 0, 0), 0);
	check_bounds(&lines, counts);
	/* the most frequent one was always in both: of it all is known */
	for (uint32_t n = 0; n < lines.line_count; n++) {
		if (lines.lines[n].line == 0)
			CU_ASSERT_EQUAL(lines.lines[n].missed, 0);
	}
	sharing_lines_free(&lines);
	sharing_lines_free(&others);
}

/* Another recording's lines are others, and its parties have the numbers that they get. */
static void merged_apart(void)
{
	static const uint16_t map[] = { 2, 1, 0 };
	struct sharing_lines lines, others;
	struct sharing_estimate estimate;

	CU_ASSERT_EQUAL_FATAL(sharing_lines_init(&lines, 16, 64), 0);
	CU_ASSERT_EQUAL_FATAL(sharing_lines_init(&others, 16, 64), 0);
	add(&lines, 7, 0, SHARING_STORE, 0, 8, 10);
	add(&others, 7, 0, SHARING_STORE, 0, 8, 10);
	add(&others, 7, 1, SHARING_LOAD | SHARING_TRANSFER, 0, 8, 10);
	CU_ASSERT_EQUAL(sharing_lines_merge(&lines, &others, map, 1, UINT64_C(1) << 32), 0);
	CU_ASSERT_EQUAL(lines.line_count, 2);
	estimate_all(&lines, &estimate);
	CU_ASSERT_DOUBLE_EQUAL(estimate.flows[2 * THREADS + 1].all.sum, 10, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(estimate.total.all.sum, 10, 1e-9);
	sharing_estimate_free(&estimate);
	sharing_lines_free(&lines);
	sharing_lines_free(&others);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "transfers of few samples are what the formula says", few_samples },
		{ "bytes meet, do not, or may: as byte by byte", meetings },
		{ "intervals hold the truth of programs that are known", intervals_hold },
		{ "lines in bounded memory: counts are within their bounds", lines_are_bounded },
		{ "several together: likewise", merged },
		{ "lines of several recordings stay apart", merged_apart },
	};

	return tap_main("sharing", cases, sizeof(cases) / sizeof(cases[0]));
}
