/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said on stderr after the last sample. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "closing.h"
#include "losses.h"
#include "command/usage/complain.h"

void faults_note_body(struct faults *faults, const struct precis_record *record, int code)
{
	struct fault *bodies = &faults->bodies;

	if (bodies->count++)
		return;
	bodies->offset = record->offset;
	snprintf(bodies->reason, sizeof(bodies->reason), "%s", precis_strerror(code));
}

void fault_of_input(const struct precis_input *input, uint32_t kind, struct fault *fault)
{
	struct precis_input_fault found = { .size = sizeof(found) };

	precis_input_fault(input, kind, &found);
	fault->count = found.count;
	fault->offset = found.offset;
	memcpy(fault->reason, found.text, sizeof(fault->reason));
}

void faults_take(struct faults *faults, const struct precis_input *input)
{
	struct precis_input_fault bare = { .size = sizeof(bare) };

	fault_of_input(input, PRECIS_INPUT_FAULT_UNREAD, &faults->unread);
	fault_of_input(input, PRECIS_INPUT_FAULT_UNDECODABLE, &faults->undecodable);
	precis_input_fault(input, PRECIS_INPUT_FAULT_NO_PAYLOAD, &bare);
	faults->no_payload = bare.count;
	faults->no_payload_event = bare.event ? bare.event->name : NULL;
}

void faults_note_empty(struct faults *faults, const struct precis_input *input,
		       const struct precis_sample *sample)
{
	struct precis_input_fault bare = { .size = sizeof(bare) };

	precis_input_fault(input, PRECIS_INPUT_FAULT_NO_PAYLOAD, &bare);
	faults->nothing += bare.count > faults->no_payload && sample->source == PRECIS_SOURCE_NONE;
	faults->no_payload = bare.count;
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
