/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said on stderr after the last sample. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "closing.h"
#include "losses.h"
#include "command/usage/complain.h"

#define FILLER_BYTES 4 /* what the kernel writes where an event has RAW and a sample has none */
#define CAPS_BYTES 4
#define OP_BYTES 60
#define FETCH_BYTES 28

int fault_count(struct fault *fault, uint64_t offset)
{
	if (fault->count++)
		return 0;
	fault->offset = offset;
	return 1;
}

static void note_unread(struct fault *fault, struct precis_file *file,
			const struct precis_record *record, int code)
{
	const char *meaning = precis_strerror(code);

	if (!fault_count(fault, record->offset))
		return;
	if (code == PRECIS_E_BAD_ID)
		snprintf(fault->reason, sizeof(fault->reason),
			 "%s: expected an id of one of the %" PRIu32 " events", meaning,
			 precis_file_event_count(file));
	else if (code == PRECIS_E_TRUNCATED)
		snprintf(fault->reason, sizeof(fault->reason),
			 "%s: expected more than the record's %u bytes for what the event samples",
			 meaning, record->size);
	else
		snprintf(fault->reason, sizeof(fault->reason), "%s", meaning);
}

static void note_payload(struct fault *fault, const struct precis_event *event,
			 const struct precis_record *record, const struct precis_bytes *raw,
			 int code)
{
	unsigned int least = event->kind == PRECIS_EVENT_IBS_OP ? OP_BYTES : FETCH_BYTES;
	uint32_t caps = 0;

	if (!fault_count(fault, record->offset))
		return;
	if (raw->bytes >= CAPS_BYTES)
		memcpy(&caps, raw->data, sizeof(caps));
	if (code == PRECIS_E_BAD_CAPS)
		snprintf(fault->reason, sizeof(fault->reason), "%s: expected bit 0 set, found 0x%x",
			 precis_strerror(code), caps);
	else if (code == PRECIS_E_NOT_A_SAMPLE)
		snprintf(fault->reason, sizeof(fault->reason),
			 "%s: expected its valid and enable bits set", precis_strerror(code));
	else
		snprintf(fault->reason, sizeof(fault->reason),
			 "payload too short: expected at least %u bytes, found %u", least,
			 raw->bytes);
}

void faults_note_slow(struct faults *faults, struct precis_file *file,
		      const struct precis_record *record, const struct precis_sample *sample,
		      int code)
{
	struct precis_perf_sample perf = { .size = sizeof(perf) };
	const struct precis_event *event = precis_file_event_of(file, record);

	if (code || !event) {
		note_unread(&faults->unread, file, record, code);
		return;
	}
	if (precis_perf_sample_parse(event->layout, record, &perf))
		return; /* is what 'code' would have said */
	if (!(perf.present & PRECIS_SAMPLE_RAW) || perf.raw.bytes <= FILLER_BYTES) {
		if (!faults->no_payload++)
			faults->no_payload_event = event->name;
		faults->nothing += sample->source == PRECIS_SOURCE_NONE;
		return;
	}
	note_payload(&faults->undecodable, event, record, &perf.raw, sample->payload_error);
}

void faults_note_body(struct faults *faults, const struct precis_record *record, int code)
{
	if (fault_count(&faults->bodies, record->offset))
		snprintf(faults->bodies.reason, sizeof(faults->bodies.reason), "%s",
			 precis_strerror(code));
}

void fault_of_input(const struct precis_input *input, uint32_t kind, struct fault *fault)
{
	struct precis_input_fault found = { .size = sizeof(found) };

	precis_input_fault(input, kind, &found);
	fault->count = found.count;
	fault->offset = found.offset;
	memcpy(fault->reason, found.text, sizeof(fault->reason));
}

void fault_print(const struct recording *recording, const struct fault *fault, const char *what)
{
	complain(recording->command,
		 "%s: %" PRIu64 " %s, the first at offset 0x%" PRIx64 " (%" PRIu64 "): %s",
		 recording->path, fault->count, what, fault->offset, fault->offset, fault->reason);
}

int faults_print(const struct faults *faults, const struct recording *recording)
{
	if (faults->unread.count)
		fault_print(recording, &faults->unread, "samples could not be read");
	if (faults->undecodable.count)
		fault_print(recording, &faults->undecodable, "IBS payloads could not be decoded");
	if (faults->bodies.count)
		fault_print(recording, &faults->bodies, "records could not be taken apart");
	if (faults->no_payload)
		complain(recording->command,
			 "%s: %" PRIu64 " samples of %s carry no raw payload: record with "
			 "--raw-samples",
			 recording->path, faults->no_payload, faults->no_payload_event);
	return faults->unread.count || faults->undecodable.count || faults->bodies.count ?
		       EXIT_FAILED :
		       EXIT_OK;
}

int input_faults_print(const struct recording *recording, const struct faults *of_records)
{
	struct precis_input_fault bare = { .size = sizeof(bare) };
	struct faults faults = *of_records;

	fault_of_input(recording->input, PRECIS_INPUT_FAULT_UNREAD, &faults.unread);
	fault_of_input(recording->input, PRECIS_INPUT_FAULT_UNDECODABLE, &faults.undecodable);
	precis_input_fault(recording->input, PRECIS_INPUT_FAULT_NO_PAYLOAD, &bare);
	faults.no_payload = bare.count;
	faults.no_payload_event = bare.event ? bare.event->name : NULL;
	return faults_print(&faults, recording);
}

void losses_print(const struct recording *recording)
{
	char text[200];

	if (losses_in_short(recording, text, sizeof(text)))
		complain(recording->command, "%s: lost: %s", recording->path, text);
}

int unlearnt_print(const struct recording *recording, uint64_t unlearnt)
{
	if (unlearnt)
		complain(recording->command,
			 "%s: %" PRIu64 " records of tasks, mappings and cgroups found no memory: "
			 "what they tell is missing",
			 recording->path, unlearnt);
	return unlearnt ? EXIT_FAILED : EXIT_OK;
}

void unknown_print(const struct recording *recording)
{
	struct precis_file_counts counts = { .size = sizeof(counts) };

	if (!precis_file_counts(recording->file, &counts) && counts.unknown_records)
		complain(recording->command,
			 "%s: %" PRIu64 " records of types that this version does not know",
			 recording->path, counts.unknown_records);
}
