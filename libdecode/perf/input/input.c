/* SPDX-License-Identifier: BSD-3-Clause */
/* Inputs of any kind: opening, reading on, and what can be asked of them. */
#include <stdlib.h>

#include "libdecode/sample/abi.h"
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
	input->run_count = 0;
	input->item.size = sizeof(input->item);
	input->stopped = 0;
	input->error.code = 0;
}

/* What is said of a dump, as structs of the library's sizes. @return 0, PRECIS_E_ARGUMENT */
static int read_dump(const struct precis_pebs_dump *from, struct precis_pebs_dump *dump,
		     struct precis_pebs_machine *machine)
{
	if (!abi_read(dump, from, sizeof(*dump)) || !precis_pebs_format_name(dump->format))
		return PRECIS_E_ARGUMENT;
	if (!dump->machine)
		return 0;
	if (!abi_read(machine, dump->machine, sizeof(*machine)))
		return PRECIS_E_ARGUMENT;
	dump->machine = machine;
	return 0;
}

/* @param path  NULL: from 'fd' */
static int open_any(const char *path, int fd, const struct precis_input_options *options,
		    struct precis_input **input, struct precis_file_error *error)
{
	static const struct precis_input_options none = { .size = sizeof(none) };
	struct precis_pebs_machine machine;
	struct precis_pebs_dump dump;
	struct precis_input *opened;
	int code;

	if (!options)
		options = &none;
	if (!input || (options->dump && read_dump(options->dump, &dump, &machine)))
		return PRECIS_E_ARGUMENT;
	*input = NULL;
	opened = calloc(1, sizeof(*opened));
	if (!opened)
		return PRECIS_E_NO_MEMORY;
	opened->error.size = sizeof(opened->error);
	code = options->dump ? precis_input_begin_dump(opened, path, fd, &dump)
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
	ABI_MAY_IN(struct precis_input_options, options,
		   precis_input_open(path, &abi, input, error));
	ABI_MAY_OUT(struct precis_file_error, error, precis_input_open(path, options, input, &abi));
	return path ? open_any(path, -1, options, input, error) : PRECIS_E_ARGUMENT;
}

int precis_input_open_fd(int fd, const struct precis_input_options *options,
			 struct precis_input **input, struct precis_file_error *error)
{
	ABI_MAY_IN(struct precis_input_options, options,
		   precis_input_open_fd(fd, &abi, input, error));
	ABI_MAY_OUT(struct precis_file_error, error,
		    precis_input_open_fd(fd, options, input, &abi));
	return open_any(NULL, fd, options, input, error);
}

void precis_input_close(struct precis_input *input)
{
	if (!input)
		return;
	if (input->kind)
		input->kind->close(input);
	free(input->run);
	free(input);
}

int precis_input_next(struct precis_input *input, const struct precis_item **item)
{
	if (unlikely(!input || !item))
		return PRECIS_E_ARGUMENT;
	if (unlikely(input->stopped))
		return input->stopped;
	*item = &input->item;
	return input->kind->next(input);
}

static __attribute__((noinline)) int sample_of_other_size(struct precis_input *input,
							  const uint64_t *wanted,
							  struct precis_perf_sample *perf,
							  struct precis_sample *sample)
{
	ABI_MAY_OUT(struct precis_perf_sample, perf,
		    precis_input_sample(input, wanted, &abi, sample));
	ABI_SAMPLE(sample, precis_input_sample(input, wanted, perf, &abi));
	return PRECIS_E_ARGUMENT;
}

int precis_input_sample(struct precis_input *input, const uint64_t *wanted,
			struct precis_perf_sample *perf, struct precis_sample *sample)
{
	if (unlikely(ABI_SAMPLES_DIFFER(perf, sample)))
		return sample_of_other_size(input, wanted, perf, sample);
	if (unlikely(!input || input->item.kind != PRECIS_ITEM_SAMPLE))
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
	ABI_OUT(struct precis_input_counts, counts, precis_input_counts(input, &abi));
	if (!input)
		return PRECIS_E_ARGUMENT;
	*counts = input->counts;
	return 0;
}
