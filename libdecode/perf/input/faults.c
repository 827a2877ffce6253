/* SPDX-License-Identifier: BSD-3-Clause */
/* What is wrong with single items: counted by kind, the first of each described. */
#include <inttypes.h>
#include <stdio.h>

#include <precis/pebs_pt_samples.h>

#include "libdecode/sample/abi.h"
#include "private.h"

#define FILLER_BYTES 4u /* what the kernel writes where an event has RAW and a sample has none */
#define CAPS_BYTES 4u
#define OP_BYTES 60u
#define FETCH_BYTES 28u

int precis_input_note(struct precis_input *input, uint32_t kind, int code, uint64_t offset)
{
	struct precis_input_fault *fault = &input->fault[kind];

	if (fault->count++)
		return 0;
	fault->code = code;
	fault->offset = offset;
	fault->event = input->item.event;
	return 1;
}

static void note_unread(struct precis_input *input, int code)
{
	struct precis_input_fault *fault = &input->fault[PRECIS_INPUT_FAULT_UNREAD];
	const char *meaning = precis_strerror(code);

	if (!precis_input_note(input, PRECIS_INPUT_FAULT_UNREAD, code, input->item.offset))
		return;
	if (code == PRECIS_E_BAD_ID)
		snprintf(fault->text, sizeof(fault->text),
			 "%s: expected an id of one of the %" PRIu32 " events", meaning,
			 input->file->events.count);
	else if (code == PRECIS_E_TRUNCATED)
		snprintf(fault->text, sizeof(fault->text),
			 "%s: expected more than the record's %u bytes for what the event samples",
			 meaning, input->record.size);
	else
		snprintf(fault->text, sizeof(fault->text), "%s", meaning);
}

static void note_payload(struct precis_input *input, const struct precis_bytes *raw, int code)
{
	struct precis_input_fault *fault = &input->fault[PRECIS_INPUT_FAULT_UNDECODABLE];
	uint32_t least = input->item.event->kind == PRECIS_EVENT_IBS_OP ? OP_BYTES : FETCH_BYTES;
	const char *meaning = precis_strerror(code);

	if (!precis_input_note(input, PRECIS_INPUT_FAULT_UNDECODABLE, code, input->item.offset))
		return;
	if (code == PRECIS_E_BAD_CAPS)
		snprintf(fault->text, sizeof(fault->text), "%s: expected bit 0 set, found 0x%x",
			 meaning, raw->bytes >= CAPS_BYTES ? load_u32(raw->data) : 0);
	else if (code == PRECIS_E_NOT_A_SAMPLE)
		snprintf(fault->text, sizeof(fault->text),
			 "%s: expected its valid and enable bits set", meaning);
	else
		snprintf(fault->text, sizeof(fault->text),
			 "payload too short: expected at least %u bytes, found %u", least,
			 raw->bytes);
}

static void note_no_payload(struct precis_input *input)
{
	struct precis_input_fault *fault = &input->fault[PRECIS_INPUT_FAULT_NO_PAYLOAD];

	if (precis_input_note(input, PRECIS_INPUT_FAULT_NO_PAYLOAD, PRECIS_E_NO_PAYLOAD,
			      input->item.offset))
		snprintf(fault->text, sizeof(fault->text), "%s",
			 precis_strerror(PRECIS_E_NO_PAYLOAD));
}

void precis_input_judge(struct precis_input *input, const struct precis_sample *sample, int code)
{
	struct precis_perf_sample perf = { .size = sizeof(perf) };
	const struct precis_event *event = input->item.event;

	if (input->is_judged)
		return;
	input->is_judged = 1;
	if (code || !event) {
		note_unread(input, code);
		return;
	}
	if (precis_perf_sample_parse(event->layout, &input->record, &perf))
		return; /* is what 'code' would have said */
	if (!(perf.present & PRECIS_SAMPLE_RAW) || perf.raw.bytes <= FILLER_BYTES)
		note_no_payload(input);
	else
		note_payload(input, &perf.raw, sample->payload_error);
}

int precis_input_traces(const struct precis_input *input, struct precis_pebs_pt_counts *counts)
{
	int error;

	ABI_OUT(struct precis_pebs_pt_counts, counts, precis_input_traces(input, &abi));
	if (!input)
		return PRECIS_E_ARGUMENT;
	if (!input->traced)
		return 0;
	error = precis_pebs_pt_samples_counts(input->traced, counts);
	return error ? error : 1;
}

/* The traces' own counts in the same terms */
static void judge_traces(const struct precis_input *input, struct precis_input_fault *fault)
{
	struct precis_pebs_pt_counts counts = { .size = sizeof(counts) };
	const char *problem = NULL;

	if (precis_input_traces(input, &counts) <= 0)
		return;
	fault->count = counts.traces_unread + counts.bad_ids;
	fault->code = counts.error;
	fault->offset = counts.fault_offset;
	for (uint32_t n = 0; n < PRECIS_PEBS_PT_PROBLEM_COUNT; n++) {
		fault->count += counts.problems[n];
		if (!problem && counts.problems[n])
			problem = precis_pebs_pt_problem_name(n);
	}
	if (counts.error)
		problem = precis_strerror(counts.error);
	else if (!problem)
		problem = "an AUX_OUTPUT_HW_ID record that is none";
	if (fault->count)
		snprintf(fault->text, sizeof(fault->text), "%s", problem);
}

int precis_input_fault(const struct precis_input *input, uint32_t kind,
		       struct precis_input_fault *fault)
{
	ABI_OUT(struct precis_input_fault, fault, precis_input_fault(input, kind, &abi));
	if (!input || kind >= PRECIS_INPUT_FAULT_COUNT)
		return PRECIS_E_ARGUMENT;
	if (kind < PRECIS_INPUT_FAULT_TRACE) {
		*fault = input->fault[kind];
		return 0;
	}
	*fault = (struct precis_input_fault){ .size = sizeof(*fault), .offset = UINT64_MAX };
	judge_traces(input, fault);
	return 0;
}
