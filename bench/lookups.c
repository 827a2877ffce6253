/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lookups FILE [ROUNDS]: what a look-up of a sample's address costs, in ns: the first of
 * all (files are read), then of every sample of the recording, again and again, once in the
 * order of the recording, once in random order, once each address only once in a shuffled
 * list of many that lie near the recorded ones.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <precis/precis.h>

struct query {
	uint64_t address, time;
	uint32_t pid, cpumode;
};

static struct query *queries;
static size_t count;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void add(const struct precis_perf_sample *parts)
{
	if ((count & (count - 1)) == 0)
		queries = realloc(queries, (count ? 2 * count : 1) * sizeof(*queries));
	if (!queries)
		exit(1);
	queries[count].address = parts->ip;
	queries[count].time = parts->time;
	queries[count].pid = parts->pid;
	queries[count++].cpumode = parts->misc & PRECIS_MISC_CPUMODE_MASK;
}

static void read_recording(struct precis_symbols *symbols, struct precis_file *file)
{
	struct precis_perf_sample parts = { .size = sizeof(parts) };
	struct precis_sample sample;
	struct precis_record record;

	precis_sample_init(&sample);
	while (precis_file_next(file, &record) > 0) {
		const struct precis_event *event = precis_file_event_of(file, &record);

		if (record.type != PRECIS_RECORD_SAMPLE)
			precis_symbols_record(symbols, &record, 0);
		else if (event && !precis_perf_sample_parse(event->layout, &record, &parts))
			add(&parts);
	}
}

static void shuffle(uint64_t *state)
{
	size_t i;

	for (i = count; i > 1; i--) {
		struct query last = queries[i - 1];
		size_t other;

		*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		other = (size_t)(*state >> 33) % i;
		queries[i - 1] = queries[other];
		queries[other] = last;
	}
}

/* @return ns for each */
static double run(struct precis_symbols *symbols, unsigned int rounds, uint64_t away,
		  uint64_t *found)
{
	struct precis_location location = { .size = sizeof(location) };
	double start = now();
	unsigned int round;
	size_t i;

	for (round = 0; round < rounds; round++) {
		for (i = 0; i < count; i++) {
			const struct query *query = &queries[i];

			precis_symbols_find(symbols, query->pid, query->cpumode, query->time,
					    query->address + round * away, &location);
			*found += location.symbol != NULL;
		}
	}
	return (now() - start) / (double)(rounds * count);
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc > 2 ? (unsigned int)strtoul(argv[2], NULL, 10) : 100;
	struct precis_symbols *symbols;
	struct precis_file *file;
	uint64_t state = 1, found = 0;

	if (argc < 2 || rounds == 0 || precis_file_open(argv[1], NULL, &file, NULL) ||
	    precis_symbols_new(NULL, &symbols))
		return 1;
	precis_symbols_file(symbols, file);
	read_recording(symbols, file);
	if (count == 0)
		return 1;
	printf("samples       %zu\n", count);
	printf("first         %.0f ns each, files read\n", run(symbols, 1, 0, &found));
	printf("as recorded   %.0f ns\n", run(symbols, rounds, 0, &found));
	shuffle(&state);
	printf("shuffled      %.0f ns\n", run(symbols, rounds, 0, &found));
	printf("new addresses %.0f ns\n", run(symbols, rounds, 13, &found));
	printf("with symbol   %" PRIu64 " of %" PRIu64 "\n", found,
	       (uint64_t)count * (1 + 3 * (uint64_t)rounds));
	precis_symbols_free(symbols);
	precis_file_close(file);
	free(queries);
	return 0;
}
