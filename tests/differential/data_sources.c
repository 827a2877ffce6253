/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Data source words, one hexadecimal number a line of stdin, for test_data_source.py:
 *
 *   data_sources text        their texts: of perf 6.1, a tab, of perf 6.12
 *   data_sources record FILE a recording with one sample of each, for stock perf
 *
 * and, without stdin, for test_data_source_kernel.py:
 *
 *   data_sources cores       "number name load-table store-table" of each Intel core
 *   data_sources models      "family model type name" of each that has a core
 *   data_sources rows        "table value version" of each row of the tables
 *   data_sources dse CORE EVENT   the kernel's words for the data sources 0 to FFFFh
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

#define SAMPLE_ID 77

struct sample_record {
	struct perf_event_header header;
	uint64_t identifier, ip;
	uint32_t pid, tid;
	uint64_t time, period, data_src;
};

/* 0 at the end of stdin */
static int next_word(uint64_t *word)
{
	char line[64];

	if (!fgets(line, sizeof(line), stdin))
		return 0;
	*word = strtoull(line, NULL, 16);
	return 1;
}

static int print_texts(void)
{
	char old[PRECIS_DATA_SOURCE_TEXT], new[PRECIS_DATA_SOURCE_TEXT];
	uint64_t word;

	while (next_word(&word)) {
		precis_data_source_text(word, PRECIS_WORDING_PERF_6_1, old, sizeof(old));
		precis_data_source_text(word, PRECIS_WORDING_PERF_6_12, new, sizeof(new));
		printf("%s\t%s\n", old, new);
	}
	return 0;
}

static int print_cores(void)
{
	for (uint32_t core = 1; core < PRECIS_INTEL_CORE_COUNT; core++) {
		struct precis_intel_core_info info = { .size = sizeof(info) };

		precis_intel_core_info(core, &info);
		printf("%u\t%s\t%s\t%s\n", core, info.name,
		       precis_dse_table_name(info.load_table),
		       precis_dse_table_name(info.store_table));
	}
	return 0;
}

static int print_models(void)
{
	for (uint32_t n = 0; n < 32 * 256 * 4; n++) {
		struct precis_cpu cpu = { .size = sizeof(cpu), .vendor = PRECIS_VENDOR_INTEL,
					  .family = n >> 10, .model = n >> 2 & 0xff };
		uint32_t core = precis_intel_core_of(&cpu, (enum precis_core_type)(n & 3));

		if (core)
			printf("%u\t%u\t%u\t%s\n", cpu.family, cpu.model, n & 3,
			       precis_intel_core_name(core));
	}
	return 0;
}

static int print_rows(void)
{
	for (uint32_t table = 1; table < PRECIS_DSE_TABLE_COUNT; table++) {
		for (uint32_t value = 0; value < 256; value++) {
			struct precis_dse_row row = { .size = sizeof(row) };

			if (!precis_dse_row(table, value, &row))
				printf("%s\t%u\t%s\n", precis_dse_table_name(row.table), value,
				       row.read_in);
		}
	}
	return 0;
}

static int print_words(uint32_t core, uint32_t event)
{
	struct precis_dse_encoding encoding = { .size = sizeof(encoding) };
	int error = precis_dse_encoding_of(core, &encoding);
	uint64_t word;

	for (uint32_t dse = 0; !error && dse <= 0xffff; dse++) {
		error = precis_dse_word(&encoding, event, dse, &word);
		printf("%llx\n", (unsigned long long)word);
	}
	return error;
}

static int describe(struct precis_writer *writer)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.config = 0x1cd,
		.sample_period = 1000,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD | PERF_SAMPLE_DATA_SRC,
		.sample_id_all = 1,
	};
	const uint64_t id = SAMPLE_ID;
	int error = precis_writer_event(writer, &attr, sizeof(attr), &id, 1, "mem-loads");

	if (!error)
		error = precis_writer_string(writer, PRECIS_FEATURE_OSRELEASE, "6.1.0");
	if (!error)
		error = precis_writer_string(writer, PRECIS_FEATURE_ARCH, "x86_64");
	if (!error)
		error = precis_writer_string(writer, PRECIS_FEATURE_CPUID, "GenuineIntel,6,143,8");
	return error;
}

static int record(const char *path)
{
	struct precis_writer *writer;
	struct sample_record sample = {
		.header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(sample) },
		.identifier = SAMPLE_ID,
		.ip = 0x401000,
		.pid = 1,
		.tid = 1,
		.period = 1,
	};
	int error = precis_writer_open(path, &writer);

	if (error)
		return error;
	error = describe(writer);
	while (!error && next_word(&sample.data_src)) {
		sample.time += 1000;
		error = precis_writer_record(writer, &sample, sizeof(sample));
	}
	return precis_writer_close(writer) || error;
}

int main(int argc, char **argv)
{
	int error = PRECIS_E_ARGUMENT;

	if (argc == 2 && !strcmp(argv[1], "text"))
		error = print_texts();
	else if (argc == 3 && !strcmp(argv[1], "record"))
		error = record(argv[2]);
	else if (argc == 2 && !strcmp(argv[1], "cores"))
		error = print_cores();
	else if (argc == 2 && !strcmp(argv[1], "models"))
		error = print_models();
	else if (argc == 2 && !strcmp(argv[1], "rows"))
		error = print_rows();
	else if (argc == 4 && !strcmp(argv[1], "dse"))
		error = print_words((uint32_t)atoi(argv[2]), (uint32_t)atoi(argv[3]));
	if (error)
		fprintf(stderr, "data_sources: %s\n", precis_strerror(error));
	return error != 0;
}
