/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * On which CPUs accesses were made, and how many cycles they took: right for each of those that are kept,
 * while lines come and go.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/sharing/lines.h"
#include "statistics/random.h"
#include "tests/support/tap.h"

#define LINES 16u
#define KEYS 64u
#define CPUS 6u
#define SAMPLES 20000u

static uint64_t counts[KEYS][CPUS], cycles[KEYS];

static void add(struct sharing_lines *lines, uint64_t key, uint32_t cpu, uint64_t latency)
{
	const struct sharing_sample sample = {
		.line = key,
		.flags = SHARING_LOAD,
		.span = { 0, 8 },
		.weight = 3,
		.has_cpu = 1,
		.cpu = cpu,
		.latency_is = SHARING_LOAD_LATENCY,
		.latency = latency,
		.is_far = (int)(key % 2),
	};

	CU_ASSERT_EQUAL_FATAL(sharing_lines_add(lines, &sample), 0);
	if (cpu < CPUS)
		counts[key][cpu]++;
	cycles[key] += 3 * latency;
}

/* The second half of the keys comes late, and then most: the others go. */
static void fill(struct sharing_lines *lines, uint64_t seed)
{
	struct random random = random_of(seed);

	for (uint32_t n = 0; n < SAMPLES; n++) {
		const uint64_t key =
			n % 4 ? random_below(&random, LINES / 2) : random_below(&random, KEYS);

		add(lines, key, (uint32_t)random_below(&random, CPUS), random_below(&random, 1000));
	}
}

static uint64_t samples_on(const struct sharing_lines *lines, const struct sharing_way *way,
			   uint32_t cpu)
{
	uint64_t found = 0;

	for (uint32_t at = way->spots; at; at = lines->spots.list[at - 1].next) {
		if (lines->spots.list[at - 1].cpu == cpu)
			found += lines->spots.list[at - 1].samples;
	}
	return found;
}

/* Of lines that were never away all is known, of others not more than there was. */
static void check(const struct sharing_lines *lines)
{
	for (uint32_t n = 0; n < lines->line_count; n++) {
		const struct sharing_line *line = &lines->lines[n];
		const struct sharing_way *way = sharing_way_next(lines, line, NULL);
		const struct sharing_cycles *far = &way->cycles[SHARING_FAR],
					    *near = &way->cycles[SHARING_NEAR];
		uint64_t all = 0;

		for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
			const uint64_t found = samples_on(lines, way, cpu);

			all += found;
			CU_ASSERT_TRUE(line->missed ? found <= counts[line->line][cpu]
						    : found == counts[line->line][cpu]);
		}
		CU_ASSERT_EQUAL(all, way->samples);
		CU_ASSERT_EQUAL((line->line % 2 ? near : far)->samples, 0);
		CU_ASSERT_EQUAL(near->samples + far->samples, way->samples);
		if (!line->missed)
			CU_ASSERT_DOUBLE_EQUAL(near->sum + far->sum, (double)cycles[line->line],
					       0.5);
	}
}

static void kept(void)
{
	struct sharing_lines lines;

	memset(counts, 0, sizeof(counts));
	memset(cycles, 0, sizeof(cycles));
	/* room for twice as many as there are ways, if those of lines that went are used again */
	CU_ASSERT_EQUAL_FATAL(sharing_lines_init(&lines, LINES, CPUS * LINES / 2), 0);
	fill(&lines, 1);
	CU_ASSERT_TRUE(lines.dropped > 2 * LINES);
	CU_ASSERT_EQUAL(lines.spots.beyond, 0);
	check(&lines);
	sharing_lines_free(&lines);
}

static void merged(void)
{
	static const uint16_t same[] = { 0 };
	struct sharing_lines lines, others;

	memset(counts, 0, sizeof(counts));
	memset(cycles, 0, sizeof(cycles));
	CU_ASSERT_EQUAL_FATAL(sharing_lines_init(&lines, KEYS, 4 * KEYS), 0);
	CU_ASSERT_EQUAL_FATAL(sharing_lines_init(&others, KEYS, 4 * KEYS), 0);
	fill(&lines, 2);
	fill(&others, 3);
	CU_ASSERT_EQUAL(sharing_lines_merge(&lines, &others, same, 0, 0), 0);
	CU_ASSERT_EQUAL(lines.spots.beyond, 0);
	check(&lines);
	sharing_lines_free(&lines);
	sharing_lines_free(&others);
}

/* CPUs that no machine has, and more than there is room for */
static void absurd(void)
{
	struct sharing_lines lines;
	uint32_t count;

	CU_ASSERT_EQUAL_FATAL(sharing_lines_init(&lines, LINES, LINES), 0);
	for (uint32_t n = 0; n < 100; n++)
		add(&lines, 1, UINT32_MAX - n, 0);
	CU_ASSERT_EQUAL(lines.spots.beyond, 100);
	CU_ASSERT_EQUAL(sharing_spots_most(&lines.spots, lines.ways[0].spots, &count), UINT32_MAX);
	CU_ASSERT_EQUAL(count, 0);
	for (uint32_t n = 0; n < 1000; n++)
		add(&lines, 1, 1000 - n, 0);
	CU_ASSERT_EQUAL(lines.spots.count, lines.spots.limit);
	CU_ASSERT_EQUAL(lines.spots.beyond, 100 + 1000 - lines.spots.limit);
	add(&lines, 1, 1000, 0);
	CU_ASSERT_EQUAL(sharing_spots_most(&lines.spots, lines.ways[0].spots, &count), 1000);
	CU_ASSERT_EQUAL(count, lines.spots.limit);
	sharing_lines_free(&lines);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "CPUs and cycles of lines that are kept, while others go", kept },
		{ "those of two tables", merged },
		{ "CPUs that have no room are counted", absurd },
	};

	return tap_main("sharing_spots", cases, sizeof(cases) / sizeof(cases[0]));
}
