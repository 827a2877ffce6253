/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * precis-dlfilter.so, called by perfs of other versions, and with samples that lie:
 * this program is the perf.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <precis/precis.h>

#include "perf_scripts/dlfilter/perf_dlfilter_abi.h"
#include "tests/support/tap.h"

#define SAMPLE_OF_5_14 0xc8u
#define SAMPLE_OF_6_12 0xd0u
#define CAPS_ZEN4 0xbffu
#define ZEN4 "cpuid=AuthenticAMD,25,17,1"

static struct dlfilter {
	void *library;
	struct dlfilter_fns *fns;
	int (*start)(void **data, void *ctx);
	int (*stop)(void *data, void *ctx);
	int (*filter_event)(void *data, const struct dlfilter_sample *sample, void *ctx);
	int (*filter_event_early)(void *data, const struct dlfilter_sample *sample, void *ctx);
	const char *(*filter_description)(const char **long_description);
} filter;

static char *arguments[8];
static char output_path[] = "/tmp/precis-dlfilter-XXXXXX";
static char output_argument[64];
static uint8_t attribute[128];

static char **give_arguments(void *ctx, int *count)
{
	(void)ctx;
	for (*count = 0; arguments[*count];)
		++*count;
	return arguments;
}

static void clean_up(void *ctx, void *location)
{
	(void)ctx, (void)location;
}

static const void *give_attr(void *ctx)
{
	(void)ctx;
	return attribute;
}

/* dlsym() gives data pointers; POSIX has them fit for functions. */
#define FIND(name)                                                                                 \
	(*(void **)&filter.name = dlsym(filter.library, #name), filter.name != NULL)

static int load(const char *path)
{
	filter.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!filter.library) {
		printf("# %s\n", dlerror());
		return 0;
	}
	filter.fns = dlsym(filter.library, "perf_dlfilter_fns");
	return filter.fns && FIND(start) && FIND(stop) && FIND(filter_event) &&
	       FIND(filter_event_early) && FIND(filter_description);
}

static int is_perf_6_6; /* or later: it has al_cleanup() */

/* Start with these arguments up to a NULL, and the output into a file. NULL if it refuses. */
static void *begin_with(const char *const *texts)
{
	void *data = NULL;
	int count = 0;

	arguments[count++] = output_argument;
	while (*texts)
		arguments[count++] = (char *)(uintptr_t)*texts++;
	arguments[count] = NULL;
	memset(filter.fns, 0, sizeof(*filter.fns));
	filter.fns->args = give_arguments;
	filter.fns->attr = give_attr;
	filter.fns->al_cleanup = is_perf_6_6 ? clean_up : NULL;
	return filter.start(&data, NULL) ? NULL : data;
}

static void *begin(const char *first, const char *second)
{
	const char *const texts[] = { first, second, NULL };

	return begin_with(texts);
}

/* End; what it wrote. */
static const char *end(void *data)
{
	static char text[4096];
	FILE *file;
	size_t got;

	CU_ASSERT_EQUAL(filter.stop(data, NULL), 0);
	file = fopen(output_path, "r");
	got = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
	text[got] = '\0';
	if (file)
		fclose(file);
	return text;
}

static void set_attr(uint32_t type, uint64_t sample_type)
{
	memset(attribute, 0, sizeof(attribute));
	memcpy(attribute, &type, sizeof(type));
	memcpy(attribute + 0x18, &sample_type, sizeof(sample_type));
}

/* A load that missed to DRAM: 500 cycles. The registers lie 4 bytes off an alignment of 8. */
static uint64_t payload_room[16];

static void make_sample(struct dlfilter_sample *sample, uint32_t size)
{
	const struct precis_ibs_op op = {
		.size = sizeof(op),
		.caps = CAPS_ZEN4,
		.op_ctl = UINT64_C(3) << 17,
		.op_rip = 0x401000,
		.op_data = UINT64_C(600) << 16 | 20,
		.op_data2 = 3,
		.op_data3 = UINT64_C(500) << 32 | 1u << 20 | 1u << 17 | 1u << 7 | 1u,
		.dc_lin_ad = 0x7000,
	};
	uint8_t *payload = (uint8_t *)payload_room + 4;

	memset(sample, 0xa5, sizeof(*sample)); /* what lies beyond 'size' is not to be read */
	memset(sample, 0, size < sizeof(*sample) ? size : sizeof(*sample));
	sample->size = size;
	sample->ip = 0x401000;
	sample->pid = sample->tid = 7;
	sample->cpu = 3;
	sample->time = 1000;
	sample->raw_size = (uint32_t)precis_ibs_op_encode(&op, payload);
	sample->raw_data = payload;
	sample->event = "ibs_op//";
	set_attr(10, PRECIS_SAMPLE_IP | PRECIS_SAMPLE_TID | PRECIS_SAMPLE_TIME | PRECIS_SAMPLE_CPU |
			     PRECIS_SAMPLE_RAW);
}

static const char fields[] = "fields=ip,cpu,mem_level,dcache_miss_latency";
static const char decoded[] = "ip=0x401000 cpu=3 mem_level=DRAM dcache_miss_latency=500\n";

static void test_sizes(void)
{
	static const uint32_t sizes[] = { SAMPLE_OF_5_14, SAMPLE_OF_6_12, 0x400 };
	struct dlfilter_sample sample;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		void *data = begin(fields, ZEN4);

		CU_ASSERT_PTR_NOT_NULL_FATAL(data);
		make_sample(&sample, sizes[i]);
		CU_ASSERT_EQUAL(filter.filter_event_early(data, &sample, NULL), 0);
		CU_ASSERT_EQUAL(filter.filter_event(data, &sample, NULL), 0);
		CU_ASSERT_STRING_EQUAL(end(data), decoded);
	}
}

/* Members that the size does not cover are not read: no event name, then no payload, … */
static void test_short_samples(void)
{
	for (uint32_t size = 0; size <= SAMPLE_OF_6_12; size++) {
		struct dlfilter_sample sample;
		void *data = begin(fields, ZEN4);
		const char *text;

		CU_ASSERT_PTR_NOT_NULL_FATAL(data);
		make_sample(&sample, size);
		if (size < 0xc8)
			sample.event = (const char *)(uintptr_t)1;
		if (size < 0xa0)
			sample.raw_data = (const void *)(uintptr_t)1;
		CU_ASSERT_EQUAL(filter.filter_event(data, &sample, NULL), 0);
		text = end(data);
		if (size >= 0xa0) /* the payload's shape tells what the name does not */
			CU_ASSERT_STRING_EQUAL(text, decoded)
		else
			CU_ASSERT_PTR_NULL(strstr(text, "DRAM"));
		CU_ASSERT_EQUAL(strstr(text, "cpu=3") != NULL, size >= 0x64);
	}
}

static void test_no_functions(void)
{
	struct dlfilter_sample sample;
	const char *text;
	void *data = begin(fields, ZEN4);

	CU_ASSERT_PTR_NOT_NULL_FATAL(data);
	make_sample(&sample, SAMPLE_OF_5_14);
	filter.fns->attr = NULL;
	sample.cpu = -1; /* perf's way to say that there is none */
	CU_ASSERT_EQUAL(filter.filter_event(data, &sample, NULL), 0);
	text = end(data);
	CU_ASSERT_STRING_EQUAL(text, "ip=0x401000 mem_level=DRAM dcache_miss_latency=500\n");

	data = NULL;
	memset(filter.fns, 0, sizeof(*filter.fns)); /* not even arguments: the default */
	CU_ASSERT_EQUAL(filter.start(&data, NULL), 0);
	CU_ASSERT_EQUAL(filter.stop(data, NULL), 0);
}

/* Without attr nothing but the payload tells; a payload of each wrong kind gives no field. */
static void test_payloads(void)
{
	struct dlfilter_sample sample;
	void *data = begin(fields, ZEN4);
	const void *payload;

	CU_ASSERT_PTR_NOT_NULL_FATAL(data);
	make_sample(&sample, SAMPLE_OF_6_12);
	payload = sample.raw_data;
	sample.raw_data = NULL;
	CU_ASSERT_EQUAL(filter.filter_event(data, &sample, NULL), 0);
	sample.raw_data = payload;
	for (uint32_t bytes = 0; bytes < 60; bytes++) {
		/* Behind exactly so many bytes lies what may not be read. */
		char *copy = malloc(bytes ? bytes : 1);

		CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
		memcpy(copy, payload, bytes);
		sample.raw_data = copy;
		sample.raw_size = bytes;
		CU_ASSERT_EQUAL(filter.filter_event(data, &sample, NULL), 0);
		free(copy);
	}
	CU_ASSERT_PTR_NULL(strstr(end(data), "DRAM"));
}

static void test_unnamed_event(void)
{
	static const struct {
		const char *name;
		uint32_t type;
		int is_ibs;
	} cases[] = {
		{ "mine", 10, 1 },	/* -e ibs_op/name=mine/ */
		{ "mine", 2, 0 },	/* a tracepoint: its raw data is its own */
		{ "ibs_op//", 10, 1 },
		{ NULL, 10, 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct dlfilter_sample sample;
		void *data = begin(fields, ZEN4);

		CU_ASSERT_PTR_NOT_NULL_FATAL(data);
		make_sample(&sample, SAMPLE_OF_6_12);
		set_attr(cases[i].type, PRECIS_SAMPLE_RAW);
		sample.event = cases[i].name;
		CU_ASSERT_EQUAL(filter.filter_event(data, &sample, NULL), 0);
		CU_ASSERT_EQUAL(strstr(end(data), "DRAM") != NULL, cases[i].is_ibs);
	}
}

/* A precise load of Sapphire Rapids: cache latency 80, instruction latency 20 */
static void make_pebs_sample(struct dlfilter_sample *sample, uint16_t retire)
{
	const uint64_t config = 0x1cd, flags = UINT64_C(2) << 15;

	make_sample(sample, SAMPLE_OF_6_12);
	sample->raw_data = NULL;
	sample->raw_size = 0;
	sample->event = "cpu/mem-loads,ldlat=30/P";
	sample->weight = 80;
	sample->ins_lat = 20;
	sample->p_stage_cyc = retire;
	sample->data_src = 0x11a69101042;
	set_attr(4, PRECIS_SAMPLE_IP | PRECIS_SAMPLE_DATA_SRC | PRECIS_SAMPLE_WEIGHT_STRUCT);
	memcpy(attribute + 0x08, &config, sizeof(config));
	memcpy(attribute + 0x28, &flags, sizeof(flags));
}

#define SAPPHIRE_RAPIDS "cpuid=GenuineIntel,6,143,8"

/* What is printed with these options of the two words that may be 0 */
static const char *pebs_line(const char *release, const char *capabilities, uint16_t retire)
{
	const char *const texts[] = { "fields=retire_latency,instruction_latency,perf_weight3",
				      "reasons=1", SAPPHIRE_RAPIDS,
				      release ? release : capabilities,
				      release ? capabilities : NULL, NULL };
	struct dlfilter_sample sample;
	void *data = begin_with(texts);

	if (!data)
		return "refused";
	make_pebs_sample(&sample, retire);
	CU_ASSERT_EQUAL(filter.filter_event(data, &sample, NULL), 0);
	return end(data);
}

/* A retire latency of 0 is one only if kernel, CPU and perf are known to tell it. */
static void test_retire_latency(void)
{
	static const struct {
		int is_perf_6_6;
		const char *release, *capabilities;
		uint16_t retire;
		const char *expected;
	} rows[] = {
		{ 1, "os-release=6.8.0-40-generic", "perf-capabilities=0x20000", 0,
		  "retire_latency=0 instruction_latency=20 perf_weight3=0\n" },
		{ 1, "os-release=6.8", "perf-capabilities=20000", 7,
		  "retire_latency=7 instruction_latency=20 perf_weight3=7\n" },
		{ 0, "os-release=6.8", "perf-capabilities=20000", 7,
		  "retire_latency=7 instruction_latency=20 perf_weight3=7\n" },
		{ 0, "os-release=6.8", "perf-capabilities=20000", 0,
		  "retire_latency=NOT_CAPTURED(perf does not hand it on)" },
		{ 1, "os-release=6.8", "perf-capabilities=1ffff", 0,
		  "retire_latency=NOT_SUPPORTED(this machine does not measure it" },
		{ 1, "os-release=6.2.9", "perf-capabilities=20000", 0,
		  "retire_latency=NOT_CAPTURED(kernels before 6.3" },
		{ 1, "os-release=6.8", NULL, 0,
		  "retire_latency=NOT_CAPTURED(whether this machine" },
		{ 1, NULL, NULL, 0, "retire_latency=NOT_CAPTURED(" },
		{ 1, NULL, NULL, 9, "retire_latency=9 " },
		{ 1, "os-release=6.8", "perf-capabilities=x", 0, "refused" },
		{ 1, "os-release=6.8", "perf-capabilities=-1", 0, "refused" },
		{ 1, "os-release=6.8", "perf-capabilities=10000000000000000", 0, "refused" },
		{ 1, "os-release=6.8", "perf-capabilities=12g", 0, "refused" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *found;

		is_perf_6_6 = rows[i].is_perf_6_6;
		found = pebs_line(rows[i].release, rows[i].capabilities, rows[i].retire);
		if (strncmp(found, rows[i].expected, strlen(rows[i].expected)))
			printf("# row %zu: %s\n", i, found);
		CU_ASSERT_EQUAL(strncmp(found, rows[i].expected, strlen(rows[i].expected)), 0);
	}
	is_perf_6_6 = 0;
}

/* The answers: 0 keep, 1 drop. filter_event() alone judges, too. */
static void test_answers(void)
{
	struct dlfilter_sample sample;
	void *data;

	make_sample(&sample, SAMPLE_OF_5_14);
	data = begin("filter=dc_miss_lat > 499 && data_src == DRAM", "only=1");
	CU_ASSERT_PTR_NOT_NULL_FATAL(data);
	CU_ASSERT_EQUAL(filter.filter_event_early(data, &sample, NULL), 0);
	CU_ASSERT_EQUAL(filter.filter_event(data, &sample, NULL), 1); /* printed: perf need not */
	CU_ASSERT_EQUAL(filter.filter_event(data, &sample, NULL), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(end(data), "dcache_miss_latency=500"));

	data = begin("filter=dc_miss_lat > 500", fields);
	CU_ASSERT_PTR_NOT_NULL_FATAL(data);
	CU_ASSERT_EQUAL(filter.filter_event_early(data, &sample, NULL), 1);
	CU_ASSERT_EQUAL(filter.filter_event(data, &sample, NULL), 1);
	CU_ASSERT_STRING_EQUAL(end(data), "");

	/* A sample of another event has no IBS fields: not even "different" ones. */
	data = begin("filter=mem_level != L1", fields);
	CU_ASSERT_PTR_NOT_NULL_FATAL(data);
	CU_ASSERT_EQUAL(filter.filter_event(data, &sample, NULL), 0);
	sample.event = "cycles";
	sample.raw_data = NULL;
	sample.raw_size = 0;
	CU_ASSERT_EQUAL(filter.filter_event(data, &sample, NULL), 1);
	CU_ASSERT_STRING_EQUAL(end(data), decoded);
}

static void test_refusals(void)
{
	static const char *const wrong[] = {
		"fields=no_such",   "fields=",	     "fields=ip,,cpu", "fields", "filter=op ==",
		"filter=(op",	    "only=2",	     "reasons=yes",    "format=json", "cpuid=AMD",
		"o=/dev/null",	    "nonsense",	     "",	       "help",
		"fields=ip,cpu,no", "filter=no == 1",
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		void *data = begin(wrong[i], NULL);

		if (data) {
			printf("# accepted: '%s'\n", wrong[i]);
			end(data);
		}
		CU_ASSERT_PTR_NULL(data);
	}
	CU_ASSERT_PTR_NULL(begin("only=1", "only=1"));
}

static void test_description(void)
{
	const char *more = NULL;

	CU_ASSERT_PTR_NOT_NULL(filter.filter_description(&more));
	CU_ASSERT_PTR_NOT_NULL(more);
	CU_ASSERT_PTR_NOT_NULL(filter.filter_description(NULL));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "samples of perf 5.14, of 6.12, and larger", test_sizes },
		{ "samples of any smaller size", test_short_samples },
		{ "a perf without attr() or args()", test_no_functions },
		{ "payloads that are absent or too short", test_payloads },
		{ "events whose name does not tell", test_unnamed_event },
		{ "retire latencies of 0", test_retire_latency },
		{ "what is kept and what is dropped", test_answers },
		{ "wrong arguments are refused", test_refusals },
		{ "description", test_description },
	};
	const char *path = getenv("PRECIS_DLFILTER");
	int result, fd;

	if (!path || access(path, F_OK)) {
		puts("1..0 # SKIP configured without the dlfilter");
		return 0;
	}
	if (!load(path)) {
		puts("Bail out! precis-dlfilter.so cannot be loaded");
		return 1;
	}
	fd = mkstemp(output_path);
	if (fd < 0) {
		puts("Bail out! no temporary file");
		return 1;
	}
	close(fd);
	snprintf(output_argument, sizeof(output_argument), "o=%s", output_path);
	result = tap_main("dlfilter", cases, sizeof(cases) / sizeof(cases[0]));
	unlink(output_path);
	return result;
}
