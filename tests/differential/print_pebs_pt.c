/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * print_pebs_pt FILE packets: each packet of the traces of a recording
 *     cpu offset NAME detail payload
 * print_pebs_pt FILE records: each PEBS record, once for each of its events
 *     event cpu time ip addr latency branches flags ... registers
 * and at last what could not be read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

#define PIECE 1000u /* bytes that are read at once: packets and records go on in the next */
#define MOST 65536u

static struct precis_pebs_pt_events *events;
static struct precis_bytes info_words; /* of the AUXTRACE_INFO record, copied */
static uint8_t info_copy[1024];

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

static void print_word(const struct precis_pebs *record, uint32_t word)
{
	if (record->captured >> word & 1)
		printf(" %" PRIx64, record->word[word]);
	else
		printf(" -");
}

static uint64_t load(const uint8_t *at)
{
	uint64_t value = 0;

	for (int n = 0; n < 8; n++)
		value |= (uint64_t)at[n] << 8 * n;
	return value;
}

static void print_parts(const struct precis_pebs *record, const struct precis_pebs_parts *parts)
{
	printf(" branches");
	for (uint32_t n = 0; n < parts->lbr_count; n++)
		printf(" %" PRIx64 "/%" PRIx64 "/%" PRIx64, load(parts->lbr + 24 * n),
		       load(parts->lbr + 24 * n + 8), load(parts->lbr + 24 * n + 16));
	printf(" registers");
	for (uint32_t n = 0; n < PRECIS_PEBS_GPR_COUNT; n++) {
		if (record->gpr_captured >> n & 1)
			printf(" %u:%" PRIx64, n, record->gpr[n]);
	}
	printf(" xmm");
	for (uint32_t n = 0; parts->xmm && n < 32; n++)
		printf(" %" PRIx64, load(parts->xmm + 8 * n));
	printf("\n");
}

static void print_record(struct precis_file *file, const struct precis_auxtrace *trace,
			 const struct precis_pebs *record, const struct precis_pebs_parts *parts,
			 const struct precis_pebs_pt_about *about)
{
	struct precis_auxtrace_info info = { .size = sizeof(info), .type = 1 };
	struct precis_pebs_pt_match match = { .size = sizeof(match) };
	uint64_t time = PRECIS_PEBS_PT_NO_TIME;

	info.private_words = info_words;
	if (record->captured >> PRECIS_PEBS_TSC & 1 &&
	    precis_pebs_pt_time(&info, record->word[PRECIS_PEBS_TSC], &time))
		time = PRECIS_PEBS_PT_NO_TIME;
	precis_pebs_pt_events_match(events, trace, time, record, &match);
	for (uint32_t n = 0; n < match.count; n++) {
		printf("%s %d %" PRIu64, precis_file_event(file, match.event[n])->name, trace->cpu,
		       time);
		print_word(record, PRECIS_PEBS_EVENTING_IP);
		print_word(record, PRECIS_PEBS_DATA_ADDRESS);
		print_word(record, PRECIS_PEBS_LATENCY);
		if (about->flags & PRECIS_PEBS_PT_HAS_FUP_IP)
			printf(" %" PRIx64, about->fup_ip);
		else
			printf(" -");
		print_parts(record, parts);
	}
	if (!match.count)
		printf("no event: counters %" PRIx64 "\n", match.unmatched);
}

static void print_records(struct precis_file *file, const struct precis_auxtrace *trace)
{
	struct precis_pebs record = { .size = sizeof(record) };
	struct precis_pebs_parts parts = { .size = sizeof(parts) };
	struct precis_pebs_pt_about about = { .size = sizeof(about) };
	struct precis_pebs_pt decoder;
	uint8_t bytes[PIECE];
	int64_t count;

	precis_pebs_pt_init(&decoder, trace->aux_offset);
	while ((count = precis_file_payload(file, bytes, sizeof(bytes))) > 0) {
		size_t at = 0, used;

		while (precis_pebs_pt_next(&decoder, bytes + at, (size_t)count - at, &used, &record,
					   &parts, &about) == 1) {
			at += used;
			print_record(file, trace, &record, &parts, &about);
		}
	}
	if (count < 0)
		fail(file, count);
	if (precis_pebs_pt_end(&decoder, &record, &parts, &about) == 1)
		print_record(file, trace, &record, &parts, &about);
	for (uint32_t n = 0; n < PRECIS_PEBS_PT_PROBLEM_COUNT; n++) {
		if (decoder.problems[n])
			printf("# %" PRIu64 ": %s\n", decoder.problems[n],
			       precis_pebs_pt_problem_name(n));
	}
}

static void keep_info(const struct precis_record *record)
{
	struct precis_auxtrace_info info = { .size = sizeof(info) };

	if (precis_auxtrace_info_parse(record, &info) ||
	    info.private_words.bytes > sizeof(info_copy))
		return;
	memcpy(info_copy, info.private_words.data, info.private_words.bytes);
	info_words.data = info_copy;
	info_words.bytes = info.private_words.bytes;
}

int main(int argc, char **argv)
{
	struct precis_auxtrace trace = { .size = sizeof(trace) };
	struct precis_record record;
	struct precis_file *file;
	int packets, found;

	if (argc != 3 || precis_file_open(argv[1], NULL, &file, NULL) ||
	    precis_pebs_pt_events_open(file, &events))
		return 2;
	packets = !strcmp(argv[2], "packets");
	while ((found = precis_file_next(file, &record)) > 0) {
		if (record.type == PRECIS_RECORD_AUXTRACE_INFO)
			keep_info(&record);
		if (precis_pebs_pt_events_record(events, &record))
			return 1;
		if (record.type != PRECIS_RECORD_AUXTRACE ||
		    precis_auxtrace_parse(&record, &trace))
			continue;
		if (packets)
			print_packets(file, &trace);
		else
			print_records(file, &trace);
	}
	if (found < 0)
		fail(file, found);
	precis_pebs_pt_events_close(events);
	precis_file_close(file);
	return 0;
}
