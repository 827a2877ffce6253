/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * copy_recording FORM LEVEL FROM: what the reader gives of a recording through
 * the writer, to the standard output. FORM: file or pipe. LEVEL: of zstd, or 0.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

static int copy_events(struct precis_file *from, struct precis_writer *to)
{
	int error = 0;

	for (uint32_t n = 0; n < precis_file_event_count(from) && !error; n++) {
		const struct precis_event *event = precis_file_event(from, n);

		error = precis_writer_event(to, event->attr, event->attr_bytes, event->ids,
					    event->id_count, event->name);
	}
	return error;
}

static int copy_features(struct precis_file *from, struct precis_writer *to)
{
	int error = 0;

	for (uint32_t n = 1; n <= PRECIS_FEATURE_PMU_CAPS && !error; n++) {
		struct precis_bytes section;

		if (n != PRECIS_FEATURE_COMPRESSED && !precis_file_feature(from, n, &section))
			error = precis_writer_feature(to, n, section.data, section.bytes);
	}
	return error;
}

static int copy_records(struct precis_file *from, struct precis_writer *to)
{
	struct precis_record record;
	int found, error = 0;

	while (!error && (found = precis_file_next(from, &record)) == 1)
		error = precis_writer_record(to, record.data, record.size);
	return error ? error : found;
}

static int open_writer(const char *form, int level, struct precis_writer **writer)
{
	int error = strcmp(form, "pipe") ? precis_writer_open("/dev/stdout", writer)
					 : precis_writer_open_fd(1, writer);

	return error || !level ? error : precis_writer_compress(*writer, level);
}

int main(int argc, char **argv)
{
	struct precis_writer *to = NULL;
	struct precis_file *from = NULL;
	int error, closed;

	if (argc != 4) {
		fprintf(stderr, "usage: copy_recording file|pipe LEVEL FROM > TO\n");
		return 2;
	}
	error = precis_file_open(argv[3], NULL, &from, NULL);
	if (!error)
		error = open_writer(argv[1], atoi(argv[2]), &to);
	if (!error)
		error = copy_events(from, to);
	if (!error)
		error = copy_features(from, to);
	if (!error)
		error = copy_records(from, to);
	closed = to ? precis_writer_close(to) : 0;
	error = error ? error : closed;
	precis_file_close(from);
	if (error == PRECIS_E_UNSUPPORTED)
		return 77;
	if (error)
		fprintf(stderr, "copy_recording: %s: %s\n", argv[3], precis_strerror(error));
	return error ? 1 : 0;
}
