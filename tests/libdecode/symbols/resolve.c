/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resolve FILE [SYMFS [DEBUG_DIR [CACHE [KALLSYMS]]]]: a line for each sample, with tabs:
 * task, IP, symbol+offset, object, source line; "-" or the reason where there is none. An
 * empty argument is one that is not given.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

struct kept {
	uint64_t time;
	size_t number;
	struct precis_record record;
};

static struct kept *kept;
static size_t count;

static void fail(const char *what, int code)
{
	fprintf(stderr, "resolve: %s: %s\n", what, precis_strerror(code));
	exit(1);
}

static uint64_t time_of(struct precis_file *file, const struct precis_record *record)
{
	const struct precis_event *event = precis_file_event_of(file, record);
	struct precis_sample_id id = { .size = sizeof(id) };

	if (!event)
		event = precis_file_event(file, 0);
	if (!event || precis_sample_id_parse(event->layout, record, &id) ||
	    !(id.present & PRECIS_SAMPLE_TIME))
		return 0;
	return id.time;
}

static void keep(struct precis_file *file, const struct precis_record *record)
{
	uint8_t *copy = malloc(record->size);

	kept = realloc(kept, (count + 1) * sizeof(*kept));
	if (!kept || !copy)
		fail("keep", PRECIS_E_NO_MEMORY);
	memcpy(copy, record->data, record->size);
	kept[count].time = time_of(file, record);
	kept[count].number = count;
	kept[count].record = *record;
	kept[count++].record.data = copy;
}

static int by_time(const void *a, const void *b)
{
	const struct kept *left = a, *right = b;

	if (left->time != right->time)
		return left->time < right->time ? -1 : 1;
	return left->number < right->number ? -1 : 1;
}

static void learn(struct precis_symbols *symbols, struct precis_file *file)
{
	struct precis_record record;
	size_t i;
	int code;

	while ((code = precis_file_next(file, &record)) > 0) {
		if (record.type != PRECIS_RECORD_SAMPLE)
			keep(file, &record);
	}
	if (code)
		fail("read", code);
	if (count)
		qsort(kept, count, sizeof(*kept), by_time);
	for (i = 0; i < count; i++)
		precis_symbols_record(symbols, &kept[i].record, kept[i].time);
}

static void print(struct precis_symbols *symbols, const struct precis_perf_sample *sample)
{
	struct precis_location location = { .size = sizeof(location) };
	struct precis_line line = { .size = sizeof(line) };
	const char *task;

	precis_symbols_task(symbols, sample->tid, sample->time, &task);
	precis_symbols_find(symbols, sample->pid, sample->misc & PRECIS_MISC_CPUMODE_MASK,
			    sample->time, sample->ip, &location);
	precis_symbols_line(symbols, &location, &line);
	printf("%s\t%" PRIx64 "\t", task ? task : "-", sample->ip);
	if (location.symbol)
		printf("%s+0x%" PRIx64, location.symbol, location.symbol_offset);
	else
		printf("-%s", precis_symbol_absent_text(location.symbol_absent));
	printf("\t%s\t", location.object ? location.object : "-");
	if (line.file)
		printf("%s:%u\n", line.file, line.number);
	else
		printf("-%s\n", precis_symbol_absent_text(line.absent));
}

static const char *argument(int argc, char **argv, int n)
{
	return n < argc && argv[n][0] ? argv[n] : NULL;
}

int main(int argc, char **argv)
{
	const char *debug[] = { argument(argc, argv, 3), NULL };
	const char *cache[] = { argument(argc, argv, 4), NULL };
	struct precis_symbols_options options = {
		.size = sizeof(options),
		.symfs = argument(argc, argv, 2),
		.debug_directories = debug[0] ? debug : NULL,
		.build_id_caches = cache[0] ? cache : NULL,
		.kallsyms = argument(argc, argv, 5),
	};
	struct precis_perf_sample parts = { .size = sizeof(parts) };
	struct precis_symbols *symbols;
	struct precis_sample sample;
	struct precis_record record;
	struct precis_file *file;
	int code;

	code = precis_file_open(argc > 1 ? argv[1] : "", NULL, &file, NULL);
	if (code)
		fail("open", code);
	code = precis_symbols_new(&options, &symbols);
	if (!code)
		code = precis_symbols_file(symbols, file);
	if (code)
		fail("symbols", code);
	learn(symbols, file);
	precis_file_rewind(file);
	precis_sample_init(&sample);
	while (precis_file_next(file, &record) > 0) {
		if (record.type == PRECIS_RECORD_SAMPLE &&
		    !precis_file_sample(file, &record, NULL, &parts, &sample))
			print(symbols, &parts);
	}
	precis_symbols_free(symbols);
	precis_file_close(file);
	while (count)
		free((void *)(uintptr_t)kept[--count].record.data);
	free(kept);
	return 0;
}
