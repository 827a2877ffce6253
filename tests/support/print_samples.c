/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * print_samples [--sorted] FILE: every SAMPLE record of a recording, through the public interface
 * alone, one line each, in the file's order or by time, for comparison with what other programs
 * read. FILE may be a directory; "-" is the standard input.
 *
 *   sample event=0 bytes=0900… misc=4001 ip=401000 pid=1 tid=1 time=12 …
 *   event index=0 samples=1 type=0 sample_type=7 read_format=0 … name=cycles
 *   total samples=1 unread=0 records=5 late=0 form=1 compressed=0
 *
 * The members of a sample stand there if the record has them. Addresses, masks and words of bits
 * are hexadecimal, all other numbers decimal; lists are separated by commas. Exit code 1: reading
 * ended with an error, which is the last line.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <precis/precis.h>

static uint64_t word(const struct precis_bytes *words, uint64_t n)
{
	uint64_t value;

	memcpy(&value, words->data + n * sizeof(value), sizeof(value));
	return value;
}

static void print_bytes(const char *name, const uint8_t *data, uint32_t count)
{
	static const char digits[] = "0123456789abcdef";

	printf(" %s=", name);
	for (uint32_t i = 0; i < count; i++) {
		putchar(digits[data[i] >> 4]);
		putchar(digits[data[i] & 15]);
	}
}

static void print_words(const char *name, const struct precis_bytes *words)
{
	printf(" %s=", name);
	for (uint64_t i = 0; i < words->bytes / sizeof(uint64_t); i++)
		printf("%s%" PRIx64, i ? "," : "", word(words, i));
}

static void print_branches(const struct precis_perf_sample *sample)
{
	fputs(" branches=", stdout);
	for (uint64_t i = 0; i < sample->branch_count; i++)
		printf("%s%" PRIx64 "/%" PRIx64 "/%" PRIx64, i ? "," : "",
		       word(&sample->branches, 3 * i), word(&sample->branches, 3 * i + 1),
		       word(&sample->branches, 3 * i + 2));
}

/* The members that are one number each */
static void print_numbers(const struct precis_perf_sample *sample)
{
	const struct {
		uint64_t bit;
		const char *name;
		uint64_t value;
		int decimal;
	} rows[] = {
		{ PRECIS_SAMPLE_IP, "ip", sample->ip, 0 },
		{ PRECIS_SAMPLE_TID, "pid", sample->pid, 1 },
		{ PRECIS_SAMPLE_TID, "tid", sample->tid, 1 },
		{ PRECIS_SAMPLE_TIME, "time", sample->time, 1 },
		{ PRECIS_SAMPLE_ADDR, "addr", sample->addr, 0 },
		{ PRECIS_SAMPLE_IDENTIFIER, "identifier", sample->identifier, 1 },
		{ PRECIS_SAMPLE_ID, "id", sample->id, 1 },
		{ PRECIS_SAMPLE_STREAM_ID, "stream_id", sample->stream_id, 1 },
		{ PRECIS_SAMPLE_CPU, "cpu", sample->cpu, 1 },
		{ PRECIS_SAMPLE_PERIOD, "period", sample->period, 1 },
		{ PRECIS_SAMPLE_RAW, "raw_size", sample->raw.bytes, 1 },
		{ PRECIS_SAMPLE_REGS_USER, "regs_user_abi", sample->regs_user_abi, 1 },
		{ PRECIS_SAMPLE_STACK_USER, "stack_size", sample->stack_user.bytes, 1 },
		{ PRECIS_SAMPLE_STACK_USER, "stack_dynamic", sample->stack_user_dynamic, 1 },
		{ PRECIS_SAMPLE_WEIGHT | PRECIS_SAMPLE_WEIGHT_STRUCT, "weight", sample->weight, 1 },
		{ PRECIS_SAMPLE_WEIGHT_STRUCT, "var2", sample->weight_var2, 1 },
		{ PRECIS_SAMPLE_WEIGHT_STRUCT, "var3", sample->weight_var3, 1 },
		{ PRECIS_SAMPLE_DATA_SRC, "data_src", sample->data_src, 0 },
		{ PRECIS_SAMPLE_TRANSACTION, "transaction", sample->transaction, 0 },
		{ PRECIS_SAMPLE_REGS_INTR, "regs_intr_abi", sample->regs_intr_abi, 1 },
		{ PRECIS_SAMPLE_PHYS_ADDR, "phys_addr", sample->phys_addr, 0 },
		{ PRECIS_SAMPLE_CGROUP, "cgroup", sample->cgroup, 1 },
		{ PRECIS_SAMPLE_DATA_PAGE_SIZE, "data_page_size", sample->data_page_size, 1 },
		{ PRECIS_SAMPLE_CODE_PAGE_SIZE, "code_page_size", sample->code_page_size, 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (sample->present & rows[i].bit)
			printf(rows[i].decimal ? " %s=%" PRIu64 : " %s=%" PRIx64, rows[i].name,
			       rows[i].value);
	}
}

static void print_lists(const struct precis_perf_sample *sample)
{
	const struct {
		uint64_t bit;
		const char *name;
		const struct precis_bytes *words;
	} rows[] = {
		{ PRECIS_SAMPLE_READ, "read", &sample->read },
		{ PRECIS_SAMPLE_CALLCHAIN, "callchain", &sample->callchain },
		{ PRECIS_SAMPLE_REGS_USER, "regs_user", &sample->regs_user },
		{ PRECIS_SAMPLE_REGS_INTR, "regs_intr", &sample->regs_intr },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (sample->present & rows[i].bit)
			print_words(rows[i].name, rows[i].words);
	}
	if (sample->present & PRECIS_SAMPLE_BRANCH_STACK)
		print_branches(sample);
}

static void print_sample(struct precis_file *file, const struct precis_record *record)
{
	const struct precis_event *event = precis_file_event_of(file, record);
	struct precis_perf_sample sample = { .size = sizeof(sample) };
	int error =
		event ? precis_perf_sample_parse(event->layout, record, &sample) : PRECIS_E_BAD_ID;

	fputs("sample", stdout);
	if (event)
		printf(" event=%" PRIu32, event->index);
	print_bytes("bytes", record->data, record->size);
	printf(" misc=%x", record->misc);
	if (event) {
		print_numbers(&sample);
		print_lists(&sample);
	}
	if (error)
		printf(" error=%d", error);
	putchar('\n');
}

/* The name stands last: it may hold blanks */
static void print_event(const struct precis_file *file, uint32_t n)
{
	const struct precis_event *event = precis_file_event(file, n);
	struct precis_event_counts counts = { .size = sizeof(counts) };

	precis_file_event_counts(file, n, &counts);
	printf("event index=%" PRIu32 " samples=%" PRIu64 " type=%" PRIu32 " sample_type=%" PRIx64
	       " read_format=%" PRIx64 " branch_sample_type=%" PRIx64 " ids=",
	       event->index, counts.samples, event->type, event->layout->sample_type,
	       event->layout->read_format, event->layout->branch_sample_type);
	for (uint32_t i = 0; i < event->id_count; i++)
		printf("%s%" PRIu64, i ? "," : "", event->ids[i]);
	printf(" name=%s\n", event->name);
}

static void print_totals(const struct precis_file *file)
{
	struct precis_file_counts counts = { .size = sizeof(counts) };
	struct precis_file_info info = { .size = sizeof(info) };

	for (uint32_t i = 0; i < precis_file_event_count(file); i++)
		print_event(file, i);
	for (uint32_t i = 0; precis_file_warning(file, i); i++)
		printf("warning text=%s\n", precis_file_warning(file, i));
	precis_file_counts(file, &counts);
	precis_file_info(file, &info);
	printf("total samples=%" PRIu64 " unread=%" PRIu64 " records=%" PRIu64 " late=%" PRIu64
	       " form=%" PRIu32 " compressed=%" PRIu32 "\n",
	       counts.samples, counts.samples_unread, counts.records, counts.late_records,
	       info.form, info.compressed);
}

/* @return the program's exit code */
static int print_error(int code, const struct precis_file_error *error)
{
	printf("error code=%d", code);
	if (error->has_offset)
		printf(" offset=%" PRIu64, error->offset);
	printf(" text=%s: %s\n", precis_strerror(code), error->expected);
	return 1;
}

static int open_recording(const char *path, const struct precis_file_options *options,
			  struct precis_file **file, struct precis_file_error *error)
{
	return strcmp(path, "-") ? precis_file_open(path, options, file, error)
				 : precis_file_open_fd(STDIN_FILENO, options, file, error);
}

int main(int argc, char **argv)
{
	struct precis_file_options options = { .size = sizeof(options) };
	struct precis_file_error error = { .size = sizeof(error) };
	struct precis_record record;
	struct precis_file *file;
	int result;

	if (argc == 3 && !strcmp(argv[1], "--sorted"))
		options.order = PRECIS_ORDER_TIME;
	else if (argc != 2) {
		fprintf(stderr, "usage: print_samples [--sorted] FILE\n");
		return 2;
	}
	result = open_recording(argv[argc - 1], &options, &file, &error);
	if (result)
		return print_error(result, &error);
	while ((result = precis_file_next(file, &record)) > 0) {
		if (record.type == PRECIS_RECORD_SAMPLE)
			print_sample(file, &record);
	}
	print_totals(file);
	if (result)
		print_error(result, precis_file_last_error(file));
	precis_file_close(file);
	return result ? 1 : 0;
}
