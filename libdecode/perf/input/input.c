/* SPDX-License-Identifier: BSD-3-Clause */
/* Inputs of any kind: opening, reading on, and what can be asked of them. */
#include <stdlib.h>

#include "private.h"

static void reset_counts(struct precis_input *input)
{
	memset(&input->counts, 0, sizeof(input->counts));
	input->counts.size = sizeof(input->counts);
	memset(input->fault, 0, sizeof(input->fault));
	for (uint32_t kind = 0; kind < PRECIS_INPUT_FAULT_TRACE; kind++) {
		input->fault[kind].size = sizeof(input->fault[kind]);
		input->fault[kind].offset = UINT64_MAX;
	}
	memset(&input->item, 0, sizeof(input->item));
	input->item.size = sizeof(input->item);
	input->stopped = 0;
	input->error.code = 0;
}

static int are_valid(const struct precis_input_options *options, struct precis_input **input,
		     const struct precis_file_error *error)
{
	if (!input || (error && error->size < sizeof(*error)))
		return 0;
	if (!options)
		return 1;
	if (options->size < sizeof(*options))
		return 0;
	return !options->dump || (options->dump->size >= sizeof(*options->dump) &&
				  precis_pebs_format_name(options->dump->format) &&
				  (!options->dump->machine ||
				   options->dump->machine->size >= sizeof(*options->dump->machine)));
}

/* @param path  NULL: from 'fd' */
static int open_any(const char *path, int fd, const struct precis_input_options *options,
		    struct precis_input **input, struct precis_file_error *error)
{
	static const struct precis_input_options none = { .size = sizeof(none) };
	struct precis_input *opened;
	int code;

	if (!are_valid(options, input, error))
		return PRECIS_E_ARGUMENT;
	if (!options)
		options = &none;
	*input = NULL;
	opened = calloc(1, sizeof(*opened));
	if (!opened)
		return PRECIS_E_NO_MEMORY;
	opened->error.size = sizeof(opened->error);
	code = options->dump ? precis_input_begin_dump(opened, path, fd, options->dump)
			     : precis_input_begin_file(opened, path, fd, options);
	if (code) {
		if (error)
			*error = opened->error;
		precis_input_close(opened);
		return code;
	}
	reset_counts(opened);
	*input = opened;
	return 0;
}

int precis_input_open(const char *path, const struct precis_input_options *options,
		      struct precis_input **input, struct precis_file_error *error)
{
	return path ? open_any(path, -1, options, input, error) : PRECIS_E_ARGUMENT;
}

int precis_input_open_fd(int fd, const struct precis_input_options *options,
			 struct precis_input **input, struct precis_file_error *error)
{
	return open_any(NULL, fd, options, input, error);
}

void precis_input_close(struct precis_input *input)
{
	if (!input)
		return;
	if (input->kind)
		input->kind->close(input);
	free(input);
}

int precis_input_next(struct precis_input *input, const struct precis_item **item)
{
	int found;

	if (unlikely(!input || !item))
		return PRECIS_E_ARGUMENT;
	if (unlikely(input->stopped))
		return input->stopped;
	input->is_judged = 0;
	found = input->kind->next(input);
	if (likely(found > 0)) {
		if (input->item.kind == PRECIS_ITEM_SAMPLE)
			input->counts.samples++;
		else
			input->counts.records++;
		*item = &input->item;
		return 1;
	}
	input->item.kind = 0;
	input->stopped = found;
	return found;
}

int precis_input_sample(struct precis_input *input, const uint64_t *wanted,
			struct precis_perf_sample *perf, struct precis_sample *sample)
{
	if (unlikely(!input || input->item.kind != PRECIS_ITEM_SAMPLE || !sample ||
		     sample->size < sizeof(*sample) || (perf && perf->size < sizeof(*perf))))
		return PRECIS_E_ARGUMENT;
	return input->kind->sample(input, wanted, perf, sample);
}

int precis_input_rewind(struct precis_input *input)
{
	int error;

	if (!input)
		return PRECIS_E_ARGUMENT;
	error = input->kind->rewind(input);
	if (!error)
		reset_counts(input);
	return error;
}

struct precis_file *precis_input_file(const struct precis_input *input)
{
	return input ? input->file : NULL;
}

uint32_t precis_input_event_count(const struct precis_input *input)
{
	if (!input)
		return 0;
	return input->file ? precis_file_event_count(input->file) : 1;
}

const struct precis_event *precis_input_event(const struct precis_input *input, uint32_t n)
{
	if (!input)
		return NULL;
	if (input->file)
		return precis_file_event(input->file, n);
	return n ? NULL : &input->event;
}

const struct precis_cpu *precis_input_cpu(const struct precis_input *input)
{
	return input ? input->kind->cpu(input) : NULL;
}

uint64_t precis_input_position(const struct precis_input *input)
{
	return input ? input->kind->position(input) : 0;
}

const struct precis_file_error *precis_input_last_error(const struct precis_input *input)
{
	return input ? &input->error : NULL;
}

int precis_input_counts(const struct precis_input *input, struct precis_input_counts *counts)
{
	if (!input || !counts || counts->size < sizeof(*counts))
		return PRECIS_E_ARGUMENT;
	*counts = input->counts;
	return 0;
}
