/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * columns FILE [FIELD,... [ROUNDS]]: what columns of a few fields cost, beside reading the file as
 * cat(1) does. The two take turns in one process; told is the CPU time of each, the median.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <precis/precis.h>

#define ROUNDS_MOST 1000
#define CAT_BYTES (128 << 10) /* cat's buffer */

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int read_as_cat(const char *path)
{
	static char buffer[CAT_BYTES];
	int fd = open(path, O_RDONLY);
	ssize_t got;

	if (fd < 0)
		return -1;
	do {
		got = read(fd, buffer, sizeof(buffer));
	} while (got > 0);
	close(fd);
	return (int)got;
}

/* @return a sum, so that the values are looked at; rows are counted */
static int read_columns(const char *path, const uint32_t *fields, uint32_t count, uint64_t *rows)
{
	struct precis_batch batch = { .size = sizeof(batch) };
	struct precis_columns *columns = NULL;
	struct precis_input *input = NULL;
	int found = precis_input_open(path, NULL, &input, NULL);

	if (!found)
		found = precis_columns_open(fields, count, NULL, &columns);
	*rows = 0;
	while (!found && (found = precis_columns_next(columns, input, &batch)) == 1) {
		*rows += batch.rows;
		found = 0;
		if (!batch.rows)
			break;
	}
	precis_columns_close(columns);
	precis_input_close(input);
	return found;
}

static int by_value(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static double median(double *seconds, int count)
{
	qsort(seconds, (size_t)count, sizeof(*seconds), by_value);
	return seconds[count / 2];
}

static uint32_t parse_fields(char *text, uint32_t *fields)
{
	uint32_t count = 0;

	for (char *word = strtok(text, ","); word; word = strtok(NULL, ",")) {
		int field = precis_field_find(word, strlen(word));

		if (field < 0 || count == PRECIS_FIELD_COUNT)
			return 0;
		fields[count++] = (uint32_t)field;
	}
	return count;
}

int main(int argc, char **argv)
{
	static double cat[ROUNDS_MOST], columns[ROUNDS_MOST];
	char usual[] = "ip,addr,tlb_refill_latency";
	uint32_t fields[PRECIS_FIELD_COUNT];
	uint32_t count = parse_fields(argc > 2 ? argv[2] : usual, fields);
	int rounds = argc > 3 ? atoi(argv[3]) : 21;
	uint64_t rows = 0;

	if (argc < 2 || argc > 4 || !count || rounds < 1 || rounds > ROUNDS_MOST) {
		fprintf(stderr, "usage: columns FILE [FIELD,... [ROUNDS]]\n");
		return 2;
	}
	for (int round = -1; round < rounds; round++) {
		int slot = round < 0 ? 0 : round; /* the first one brings file and code into memory */
		double start = now();

		if (read_as_cat(argv[1])) {
			perror(argv[1]);
			return 1;
		}
		cat[slot] = now() - start;
		start = now();
		if (read_columns(argv[1], fields, count, &rows)) {
			fprintf(stderr, "columns: %s cannot be read\n", argv[1]);
			return 1;
		}
		columns[slot] = now() - start;
	}
	printf("%" PRIu32 " columns, %" PRIu64 " rows: %.6f s; read as cat: %.6f s; speed %.3f of "
	       "cat's\n",
	       count, rows, median(columns, rounds), median(cat, rounds),
	       median(cat, rounds) / median(columns, rounds));
	return 0;
}
