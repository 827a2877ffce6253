/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scan [-t] FILE: read all records of a recording, with -t in the order of time, and do next to
 * nothing with them: what reading costs by itself. Prints how many there were, how many bytes,
 * and how many were late.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <precis/precis.h>

int main(int argc, char **argv)
{
	struct precis_file_options options = { .size = sizeof(options) };
	struct precis_file_error error = { .size = sizeof(error) };
	struct precis_file_counts counts = { .size = sizeof(counts) };
	uint64_t bytes = 0, words = 0;
	struct precis_record record;
	struct precis_file *file;
	int found;

	if (argc == 3 && !strcmp(argv[1], "-t"))
		options.order = PRECIS_ORDER_TIME;
	else if (argc != 2) {
		fprintf(stderr, "usage: scan [-t] FILE\n");
		return 2;
	}
	found = precis_file_open(argv[argc - 1], &options, &file, &error);
	if (found) {
		fprintf(stderr, "scan: %s: %s\n", argv[argc - 1], precis_strerror(found));
		return 1;
	}
	while ((found = precis_file_next(file, &record)) == 1) {
		bytes += record.size;
		words += record.data[record.size - 1];
	}
	precis_file_counts(file, &counts);
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", counts.records, bytes,
	       counts.late_records, words);
	if (found)
		fprintf(stderr, "scan: %s: %s\n", argv[argc - 1], precis_strerror(found));
	precis_file_close(file);
	return found ? 1 : 0;
}
