/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of each sample of a tracepoint: SYSTEM:NAME: TEXT, and how many were listed. */
#include <stdio.h>
#include <stdlib.h>

#include <precis/precis.h>

#define TYPE_TRACEPOINT 2u
#define ROOM (1u << 20)

static unsigned long listed;

static void print(struct precis_tracepoints *tracepoints, const struct precis_event *event,
		  const struct precis_bytes *raw, char *room)
{
	const struct precis_tracepoint *tracepoint;
	const char *plain = NULL;
	int length;

	tracepoint = precis_tracepoints_find(tracepoints, event->config);
	if (!tracepoint) {
		printf("tracepoint %llu is not described\n", (unsigned long long)event->config);
		return;
	}
	length = precis_tracepoints_text(tracepoints, tracepoint, raw->data, raw->bytes, room, ROOM,
					 &plain);
	printf("%s:%s: %s\n", tracepoint->system, tracepoint->name,
	       length < 0 ? precis_strerror(length) : room);
	if (plain && !listed++)
		fprintf(stderr, "%s:%s: %s\n", tracepoint->system, tracepoint->name, plain);
}

static void print_all(struct precis_file *file, struct precis_tracepoints *tracepoints)
{
	struct precis_perf_sample sample = { .size = sizeof(sample) };
	struct precis_record record;
	char *room = malloc(ROOM);

	while (room && precis_file_next(file, &record) > 0) {
		const struct precis_event *event = precis_file_event_of(file, &record);

		if (record.type != PRECIS_RECORD_SAMPLE || !event || event->type != TYPE_TRACEPOINT)
			continue;
		precis_perf_sample_parse(event->layout, &record, &sample);
		print(tracepoints, event, &sample.raw, room);
	}
	free(room);
}

int main(int argc, char **argv)
{
	struct precis_tracepoints *tracepoints = NULL;
	struct precis_bytes data;
	struct precis_file *file;

	if (argc != 2 || precis_file_open(argv[1], NULL, &file, NULL))
		return 2;
	if (precis_file_feature(file, PRECIS_FEATURE_TRACING_DATA, &data) ||
	    precis_tracepoints_new(data.data, data.bytes, &tracepoints, NULL)) {
		fprintf(stderr, "no tracing data\n");
		return 1;
	}
	print_all(file, tracepoints);
	fprintf(stderr, "%lu listed\n", listed);
	precis_tracepoints_free(tracepoints);
	precis_file_close(file);
	return 0;
}
