/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * print_pebs_pt FILE: each packet of the traces of a recording
 *     cpu offset NAME detail payload
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <precis/precis.h>

#define MOST 65536u

static int64_t fail(struct precis_file *file, int64_t code)
{
	fprintf(stderr, "%s: %s\n", precis_strerror((int)code),
		precis_file_last_error(file)->expected);
	exit(1);
}

static void print_packets(struct precis_file *file, const struct precis_auxtrace *trace)
{
	static uint8_t bytes[MOST];
	struct precis_pt_packet packet = { .size = sizeof(packet) };
	int64_t count = precis_file_payload(file, bytes, sizeof(bytes));
	uint32_t item_bytes = 0;

	if (count < 0)
		fail(file, count);
	for (int64_t at = 0; at < count;) {
		int got = precis_pt_packet_parse(bytes + at, (size_t)(count - at), item_bytes,
						 &packet);

		if (got < 0) {
			printf("%d %" PRId64 " %s\n", trace->cpu, at, precis_strerror(got));
			at++;
			continue;
		}
		printf("%d %" PRId64 " %s %u %" PRIu64 "\n", trace->cpu, at,
		       precis_pt_packet_name(packet.type), packet.detail, packet.payload);
		at += got;
		if (packet.type == PRECIS_PT_BBP)
			item_bytes = packet.detail;
		else if (!precis_pt_packet_keeps_block(packet.type))
			item_bytes = 0;
	}
}

int main(int argc, char **argv)
{
	struct precis_auxtrace trace = { .size = sizeof(trace) };
	struct precis_record record;
	struct precis_file *file;
	int found;

	if (argc != 2 || precis_file_open(argv[1], NULL, &file, NULL))
		return 2;
	while ((found = precis_file_next(file, &record)) > 0) {
		if (record.type == PRECIS_RECORD_AUXTRACE &&
		    !precis_auxtrace_parse(&record, &trace))
			print_packets(file, &trace);
	}
	if (found < 0)
		fail(file, found);
	precis_file_close(file);
	return 0;
}
