/* SPDX-License-Identifier: BSD-3-Clause */
/* A perf.data as input: its records, and behind AUXTRACE records the samples in their data. */
#include "libdecode/perf/aux/pebs_pt_samples.h"
#include "libdecode/perf/file/usual.h"
#include "libdecode/sample/abi.h"
#include "private.h"

static void keep_error(struct precis_input *input)
{
	input->error = *precis_file_last_error(input->file);
}

/* Of what failed without the file's knowing */
static int fail(struct precis_input *input, int code)
{
	memset(&input->error, 0, sizeof(input->error));
	input->error.size = sizeof(input->error);
	input->error.code = code;
	return code;
}

/* @return 1 with a sample of the AUX area, 0 */
static int next_traced(struct precis_input *input)
{
	struct traced_current current;

	if (!precis_pebs_pt_samples_advance(input->traced)) {
		input->is_traced = 0;
		return 0;
	}
	precis_pebs_pt_samples_current(input->traced, &current);
	input->counts.samples++;
	input->counts.traced++;
	input->is_judged = 0;
	input->item.kind = PRECIS_ITEM_SAMPLE;
	input->item.record = NULL;
	input->item.event = current.event;
	input->item.pebs = current.record;
	input->item.groups = current.groups;
	input->item.offset = current.offset;
	return 1;
}

/* What the record says of the AUX area, or has of it. @return 0, PRECIS_E_NO_MEMORY */
static int tell_traces(struct precis_input *input, const struct precis_record *record)
{
	input->is_traced = !record || record->type == PRECIS_RECORD_AUXTRACE;
	return record ? precis_pebs_pt_samples_record(input->traced, record)
		      : precis_pebs_pt_samples_end(input->traced);
}

/* Of a recording without traces no item has the last two. */
static inline void forget_traced(struct precis_item *item)
{
	item->pebs = NULL;
	item->groups = NULL;
}

static inline int put_sample(struct precis_input *input)
{
	const struct file_event *event = input->file->sampled;

	input->counts.samples++;
	input->is_judged = 0;
	input->item.kind = PRECIS_ITEM_SAMPLE;
	input->item.record = &input->record;
	input->item.offset = input->record.offset;
	input->item.event = event ? &event->view : NULL;
	return 1;
}

static int put_record(struct precis_input *input)
{
	input->counts.records++;
	input->is_judged = 0;
	input->item.kind = PRECIS_ITEM_RECORD;
	input->item.record = &input->record;
	input->item.offset = input->record.offset;
	input->item.event = NULL;
	return 1;
}

/* The records have ended, perhaps in an error; a trace may still have samples. */
static int end(struct precis_input *input)
{
	if (input->is_traced && next_traced(input))
		return 1;
	if (input->ended)
		keep_error(input);
	return input_stop(input, input->ended);
}

/* Whatever is not usual */
static __attribute__((noinline)) int next_slowly(struct precis_input *input)
{
	int found, failed;

	if (input->is_at_end)
		return end(input);
	if (input->is_traced && next_traced(input))
		return 1;
	found = precis_file_next(input->file, &input->record);
	if (input->traced) {
		failed = tell_traces(input, found > 0 ? &input->record : NULL);
		if (failed)
			return input_stop(input, fail(input, failed));
	}
	forget_traced(&input->item);
	if (found > 0)
		return input->record.type == PRECIS_RECORD_SAMPLE ? put_sample(input)
								  : put_record(input);
	input->is_at_end = 1;
	input->ended = found;
	return end(input);
}

static int next_of_file(struct precis_input *input)
{
	if (unlikely(input->traced || !file_next_usual(input->file, &input->record)))
		return next_slowly(input);
	return put_sample(input);
}

static int sample_of_file(struct precis_input *input, const uint64_t *wanted,
			  struct precis_perf_sample *perf, struct precis_sample *sample)
{
	struct precis_file *file = input->file;
	int code;

	if (unlikely(!input->item.record))
		return precis_pebs_pt_samples_decode(input->traced, wanted, perf, sample);
	code = likely(file->sampled)
		       ? file_decode(file, file->sampled, &input->record, wanted, perf, sample)
		       : precis_file_sample(file, &input->record, wanted, perf, sample);
	if (unlikely(code || sample->payload_error))
		precis_input_judge(input, sample, code);
	return code;
}

static int rewind_file(struct precis_input *input)
{
	int error = precis_file_rewind(input->file);

	if (error) {
		keep_error(input);
		return error;
	}
	if (input->traced)
		precis_pebs_pt_samples_rewind(input->traced);
	input->is_traced = 0;
	input->is_at_end = 0;
	return 0;
}

static void close_file(struct precis_input *input)
{
	precis_pebs_pt_samples_close(input->traced);
	precis_file_close(input->file);
}

static uint64_t position_of_file(const struct precis_input *input)
{
	return precis_file_position(input->file);
}

static const struct precis_cpu *cpu_of_file(const struct precis_input *input)
{
	return precis_file_cpu(input->file);
}

static const struct input_kind of_file = {
	.next = next_of_file,
	.sample = sample_of_file,
	.rewind = rewind_file,
	.close = close_file,
	.position = position_of_file,
	.cpu = cpu_of_file,
};

int precis_input_begin_file(struct precis_input *opened, const char *path, int fd,
			    const struct precis_input_options *options)
{
	int code = path ? precis_file_open(path, options->file, &opened->file, &opened->error)
			: precis_file_open_fd(fd, options->file, &opened->file, &opened->error);

	if (code) {
		opened->error.code = code;
		return code;
	}
	opened->kind = &of_file;
	if (options->without_traces || !precis_file_has_pebs_pt(opened->file))
		return 0;
	code = precis_pebs_pt_samples_open(opened->file, &opened->traced);
	return code ? fail(opened, code) : 0;
}

int precis_input_origin(const struct precis_input *input, struct precis_pebs_pt_origin *origin)
{
	ABI_OUT(struct precis_pebs_pt_origin, origin, precis_input_origin(input, &abi));
	if (!input)
		return PRECIS_E_ARGUMENT;
	if (!input->traced || input->item.kind != PRECIS_ITEM_SAMPLE || input->item.record)
		return 0;
	precis_pebs_pt_samples_origin(input->traced, origin);
	return 1;
}
