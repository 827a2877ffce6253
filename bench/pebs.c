/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pebs [MEBIBYTES]: what decoding PEBS records costs, by format and groups: a few words of each
 * record into columns, and whole samples, next to a plain sum over the same buffer, which is
 * larger than the caches. The records are made up.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <precis/precis.h>

#define RUNS 5
#define ROOM 256u
#define RECORD_MOST 8192u
#define BRANCHES 32u
#define COUNTERS 4u

#define ALL_ADAPTIVE                                                                               \
	(PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_MEMORY | PRECIS_PEBS_GROUP_GPR |              \
	 PRECIS_PEBS_GROUP_XMM | PRECIS_PEBS_GROUP_LBR | PRECIS_PEBS_GROUP_COUNTERS |              \
	 PRECIS_PEBS_GROUP_METRICS)

static const struct kind {
	const char *name;
	uint32_t format, groups;
	uint32_t family, model; /* a CPU that writes them */
	uint32_t core_type;
} kinds[] = {
	{ "1, fixed", PRECIS_PEBS_FORMAT_1, 0, 6, 0x2a, PRECIS_CORE_TYPE_UNKNOWN },
	{ "2, fixed", PRECIS_PEBS_FORMAT_2, 0, 6, 0x3c, PRECIS_CORE_TYPE_UNKNOWN },
	{ "3, fixed", PRECIS_PEBS_FORMAT_3, 0, 6, 0x5e, PRECIS_CORE_TYPE_UNKNOWN },
	{ "4, basic, memory", PRECIS_PEBS_FORMAT_4, PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_MEMORY, 6,
	  0x8f, PRECIS_CORE_TYPE_UNKNOWN },
	{ "6, all groups", PRECIS_PEBS_FORMAT_6, ALL_ADAPTIVE, 6, 0xc6, PRECIS_CORE_TYPE_P },
	{ "arch, basic, memory", PRECIS_PEBS_FORMAT_ARCH,
	  PRECIS_PEBS_GROUP_BASIC | PRECIS_PEBS_GROUP_MEMORY, 6, 0xcc, PRECIS_CORE_TYPE_P },
};

static volatile uint64_t sink; /* so that nothing is left out */

/* CPU time: what else the machine does counts little */
static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Numbers that differ from record to record, from a few bits */
static uint64_t number(uint64_t n)
{
	n = (n ^ n >> 31) * UINT64_C(0x9e3779b97f4a7c15);
	return n ^ n >> 29;
}

/* Of the data sources each has its place; not all are reserved ones. */
static const uint8_t sources[] = { 0x1, 0x2, 0x3, 0x5, 0x6, 0x8, 0x11, 0x13 };

static void make_words(struct precis_pebs *pebs, uint64_t n)
{
	for (uint32_t word = 0; word < PRECIS_PEBS_WORD_COUNT; word++)
		pebs->word[word] = number(n * 16 + word);
	for (uint32_t gpr = 0; gpr < PRECIS_PEBS_GPR_COUNT; gpr++)
		pebs->gpr[gpr] = number(n * 32 + gpr);
	pebs->word[PRECIS_PEBS_DATA_SOURCE] = sources[number(n) % sizeof(sources)];
	pebs->word[PRECIS_PEBS_LATENCY] = (number(n) % 900 + 5) * UINT64_C(0x100000001);
	pebs->word[PRECIS_PEBS_RETIRE_LATENCY] &= 0xffff;
	pebs->word[PRECIS_PEBS_TSX] = 0;
}

/* One record. @return its bytes, or negative */
static int make_record(const struct kind *kind, uint64_t n, uint8_t *bytes)
{
	static uint8_t words[4096];
	struct precis_pebs_groups groups = { .size = sizeof(groups) };
	struct precis_pebs pebs = { .size = sizeof(pebs),
				    .format = kind->format,
				    .groups = kind->groups,
				    .captured = (1u << PRECIS_PEBS_WORD_COUNT) - 1,
				    .gpr_captured = (1u << PRECIS_PEBS_GPR_COUNT) - 1,
				    .flags = kind->format == PRECIS_PEBS_FORMAT_ARCH ?
						     PRECIS_PEBS_RETIRE_LATENCY_TOLD |
							     PRECIS_PEBS_RETIRE_LATENCY_VALID :
						     0 };

	make_words(&pebs, n);
	groups.xmm = groups.lbr = groups.counters = words;
	groups.lbr_count = BRANCHES;
	groups.gp_counters = groups.fixed_counters = (1u << COUNTERS) - 1;
	groups.metrics = 1;
	return precis_pebs_encode(&pebs, &groups, bytes, RECORD_MOST);
}

/* Fill the buffer. @return its bytes */
static size_t fill(const struct kind *kind, uint8_t *buffer, size_t room)
{
	size_t bytes = 0;

	for (uint64_t n = 0; room - bytes > RECORD_MOST; n++) {
		int made = make_record(kind, n, buffer + bytes);

		if (made < 0) {
			fprintf(stderr, "pebs: %s: %s\n", kind->name,
				precis_strerror(made));
			exit(1);
		}
		bytes += (size_t)made;
	}
	return bytes;
}

static struct precis_pebs_context context_of(const struct kind *kind)
{
	struct precis_pebs_machine machine = {
		.size = sizeof(machine),
		.core_type = kind->core_type,
		.cpu = { sizeof(machine.cpu), PRECIS_VENDOR_INTEL, kind->family, kind->model, 0 },
		.facility_is_known = 1,
		.facility = PRECIS_PEBS_FACILITY_LOAD_LATENCY,
		.has_capabilities = 1,
		.capabilities = 1u << 17,
	};
	struct precis_pebs_context context;

	if (precis_pebs_context_init(&context, &machine))
		exit(1);
	return context;
}

static uint64_t sum_of(const uint8_t *buffer, size_t bytes)
{
	uint64_t sum = 0, word;

	for (size_t at = 0; at + sizeof(word) <= bytes; at += sizeof(word)) {
		memcpy(&word, buffer + at, sizeof(word));
		sum += word;
	}
	return sum;
}

/* Address, level and latency of each record, where they are valid. @return how many there are */
static uint64_t columns_of(const struct kind *kind, const uint8_t *buffer, size_t bytes,
			   uint64_t *records)
{
	static uint64_t columns[3][ROOM];
	static uint32_t present[ROOM];
	uint64_t *const places[3] = { columns[0], columns[1], columns[2] };
	const uint32_t fields[3] = { PRECIS_FIELD_ADDR, PRECIS_FIELD_MEM_LEVEL,
				     kind->format < PRECIS_PEBS_FORMAT_4 ?
					     PRECIS_FIELD_LOAD_LATENCY :
					     PRECIS_FIELD_CACHE_LATENCY };
	struct precis_pebs_context context = context_of(kind);
	struct precis_pebs_buffer walk;
	uint64_t found = 0;
	int got;

	*records = 0;
	precis_pebs_buffer_init(&walk, kind->format, buffer, bytes);
	while ((got = precis_pebs_columns(&context, &walk, fields, 3, ROOM, places, present)) > 0) {
		for (int n = 0; n < got; n++)
			found += present[n] == 7;
		*records += (uint64_t)got;
	}
	return found;
}

/* How many fields a sample has */
static uint32_t fields_of(const struct precis_sample *sample)
{
	uint32_t count = 0;

	for (uint32_t field = 0; field < PRECIS_FIELD_COUNT; field++)
		count += (uint32_t)precis_fields_have(sample->present, field);
	return count;
}

/* All fields of each record. @return how many the last one has */
static uint64_t samples_of(const struct kind *kind, const uint8_t *buffer, size_t bytes,
			   uint64_t *records)
{
	struct precis_pebs_context context = context_of(kind);
	struct precis_pebs_groups groups = { .size = sizeof(groups) };
	struct precis_pebs_buffer walk;
	struct precis_sample sample;
	uint64_t sum = 0;

	*records = 0;
	precis_sample_init(&sample);
	precis_pebs_buffer_init(&walk, kind->format, buffer, bytes);
	sample.registers.pebs.size = sizeof(sample.registers.pebs);
	while (precis_pebs_buffer_next(&walk, &sample.registers.pebs, &groups) > 0) {
		precis_pebs_decode(&context, &sample.registers.pebs, NULL, &sample);
		sum += sample.value[PRECIS_FIELD_ADDR];
		++*records;
	}
	sink = sum;
	return fields_of(&sample);
}

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return a < b ? -1 : a > b;
}

static void measure(const struct kind *kind, uint8_t *buffer, size_t room)
{
	size_t bytes = fill(kind, buffer, room);
	double sum[RUNS], columns[RUNS], samples[RUNS];
	uint64_t records = 0, valid = 0, fields = 0;

	for (int run = 0; run < RUNS; run++) {
		double begin = now(), middle, later;

		sink = sum_of(buffer, bytes);
		middle = now();
		sum[run] = middle - begin;
		valid = columns_of(kind, buffer, bytes, &records);
		later = now();
		columns[run] = later - middle;
		fields = samples_of(kind, buffer, bytes, &records);
		samples[run] = now() - later;
	}
	qsort(sum, RUNS, sizeof(sum[0]), by_value);
	qsort(columns, RUNS, sizeof(columns[0]), by_value);
	qsort(samples, RUNS, sizeof(samples[0]), by_value);
	printf("%-19s %5zu  %7.2f  %8.1f  %6.2f  %8.1f  %6.2f  %5.2f %6" PRIu64 "\n", kind->name,
	       bytes / records, (double)bytes / sum[RUNS / 2] / 1e9,
	       (double)records / columns[RUNS / 2] / 1e6, sum[RUNS / 2] / columns[RUNS / 2],
	       (double)records / samples[RUNS / 2] / 1e6, sum[RUNS / 2] / samples[RUNS / 2],
	       (double)valid / (double)records, fields);
}

int main(int argc, char **argv)
{
	size_t room = (argc > 1 ? strtoul(argv[1], NULL, 10) : 1024) << 20;
	uint8_t *buffer = room ? malloc(room) : NULL;

	if (argc > 2 || !buffer) {
		fprintf(stderr, "usage: pebs [MEBIBYTES]\n");
		return 2;
	}
	printf("%zu MiB of made-up records, medians of %d runs; columns: address, level and latency, "
	       "gated; samples: all fields\n",
	       room >> 20, RUNS);
	printf("%-19s %5s  %7s  %8s  %6s  %8s  %6s  %5s %6s\n", "format, groups", "bytes", "sum GB/s",
	       "columns", "of sum", "samples", "of sum", "valid", "fields");
	printf("%-19s %5s  %7s  %8s  %6s  %8s  %6s\n", "", "", "", "M/s", "", "M/s", "");
	for (size_t n = 0; n < sizeof(kinds) / sizeof(kinds[0]); n++)
		measure(&kinds[n], buffer, room);
	free(buffer);
	return 0;
}
