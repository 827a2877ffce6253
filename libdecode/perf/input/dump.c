/* SPDX-License-Identifier: BSD-3-Clause */
/* A dump of a PEBS buffer as input: its records, out of a file or a pipe of any length. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "private.h"

#define WINDOW_BYTES ((size_t)4 << 20)
/* No record of any format is as long: what is left of the window always holds the next one. */
#define RECORD_MOST (((size_t)1 << 20) + ((size_t)64 << 10))
#define TYPE_RAW 4u /* PERF_TYPE_RAW: 'config' is the core's own */

/* Architectural PEBS: a null record is a size and nothing else. */
#define NULL_RECORD_LEAST 16u
#define NULL_RECORD_MOST 0xffffu

struct pebs_window {
	struct byte_source source;
	uint32_t format; /* enum precis_pebs_format */
	uint64_t skip, end; /* offsets of the first record, and behind the last; UINT64_MAX: open */
	int failed; /* PRECIS_E_IO: there is more, which cannot be read */
	struct precis_cpu cpu;
	struct precis_pebs pebs;
	struct precis_pebs_groups groups;
	struct precis_pebs_context context;
};

static void begin_window(struct pebs_window *window)
{
	byte_source_section(&window->source, window->source.is_stream ? 0 : window->skip,
			    window->end);
	if (window->source.is_stream)
		byte_source_skip(&window->source, window->skip);
	window->failed = 0;
}

static size_t unused(const struct byte_source *source)
{
	return (size_t)(source->end - source->at);
}

/* Bytes of the null record that comes next; 0 if it is none, or is not there as a whole */
static size_t null_record(const struct pebs_window *window)
{
	const struct byte_source *source = &window->source;
	uint64_t header;

	if (window->format != PRECIS_PEBS_FORMAT_ARCH || unused(source) < NULL_RECORD_LEAST)
		return 0;
	header = load_u64(source->at);
	if (header > NULL_RECORD_MOST || header < NULL_RECORD_LEAST || header % 8 ||
	    header > unused(source))
		return 0;
	return (size_t)header;
}

/* See that the next record lies in the window as a whole, with no null record in front: of these
 * there can be more than a window holds. */
static void fill(struct pebs_window *window)
{
	size_t bytes;

	do {
		if (!window->failed)
			window->failed = byte_source_need(&window->source, RECORD_MOST);
		bytes = null_record(window);
		byte_source_skip(&window->source, bytes);
	} while (bytes);
}

static int fail(struct precis_input *input, int code, uint64_t offset)
{
	struct precis_file_error *error = &input->error;

	error->code = code;
	error->sys_errno = code == PRECIS_E_IO ? input->window->source.sys_errno : 0;
	error->has_offset = 1;
	error->offset = offset;
	error->expected[0] = '\0';
	return code;
}

/* What was expected in the place of a record; "" if nothing is to be said */
static void describe(const struct pebs_window *window, int code, char *text, size_t room)
{
	*text = '\0';
	if (code == PRECIS_E_TRUNCATED)
		snprintf(text, room, "expected the rest of the record");
	else if (code == PRECIS_E_BAD_SIZE)
		snprintf(text, room, "expected a record of format %s",
			 precis_pebs_format_name(window->format));
	else if (code == PRECIS_E_UNKNOWN_BITS)
		snprintf(text, room, "0x%" PRIx64 " of 0x%" PRIx64, window->pebs.unknown_groups,
			 window->pebs.format_word);
}

/* Was all read that there should be? @return 0 or negative */
static int end(struct precis_input *input)
{
	const struct pebs_window *window = input->window;
	uint64_t at = byte_source_consumed(&window->source);

	if (window->failed)
		return fail(input, window->failed, at);
	if (window->end == UINT64_MAX || at >= window->end)
		return 0;
	fail(input, PRECIS_E_TRUNCATED, at);
	snprintf(input->error.expected, sizeof(input->error.expected),
		 "the DS area says that %" PRIu64 " bytes of records follow", window->end - at);
	return PRECIS_E_TRUNCATED;
}

/*
 * A fault behind which the next record is known is counted, any other ends the dump.
 * @return 0: go on
 */
static int note_fault(struct precis_input *input, int code, uint64_t offset)
{
	const struct pebs_window *window = input->window;
	struct precis_input_fault *fault = &input->fault[PRECIS_INPUT_FAULT_UNREAD];
	char text[64];

	describe(window, code, text, sizeof(text));
	if (window->pebs.bytes) {
		if (precis_input_note(input, PRECIS_INPUT_FAULT_UNREAD, code, offset))
			snprintf(fault->text, sizeof(fault->text), "%s%s%s", precis_strerror(code),
				 *text ? ": " : "", text);
		return 0;
	}
	if (window->failed)
		return fail(input, window->failed, byte_source_consumed(&window->source));
	fail(input, code, offset);
	memcpy(input->error.expected, text, sizeof(text));
	return code;
}

static int next_of_dump(struct precis_input *input)
{
	struct pebs_window *window = input->window;
	struct precis_pebs_buffer buffer;
	int found, stopped;

	do {
		fill(window);
		input->item.offset = byte_source_offset(&window->source);
		precis_pebs_buffer_init(&buffer, window->format, window->source.at,
					unused(&window->source));
		found = precis_pebs_buffer_next(&buffer, &window->pebs, &window->groups);
		input->item.offset += buffer.offset;
		stopped = found < 0 ? note_fault(input, found, input->item.offset) : 0;
		byte_source_skip(&window->source, buffer.next);
	} while (found < 0 && !stopped);
	if (stopped)
		return input_stop(input, stopped);
	if (!found)
		return input_stop(input, end(input));
	input->counts.samples++;
	input->is_judged = 0;
	input->item.kind = PRECIS_ITEM_SAMPLE;
	input->item.event = &input->event;
	input->item.pebs = &window->pebs;
	input->item.groups = &window->groups;
	return 1;
}

static int sample_of_dump(struct precis_input *input, const uint64_t *wanted,
			  struct precis_perf_sample *perf, struct precis_sample *sample)
{
	struct pebs_window *window = input->window;

	if (perf) {
		uint32_t size = perf->size;

		memset(perf, 0, sizeof(*perf));
		perf->size = size;
	}
	return precis_pebs_decode(&window->context, &window->pebs, wanted, sample);
}

static int rewind_dump(struct precis_input *input)
{
	if (input->window->source.is_stream)
		return PRECIS_E_UNSUPPORTED;
	begin_window(input->window);
	return 0;
}

static void close_dump(struct precis_input *input)
{
	byte_source_close(&input->window->source);
	free(input->window);
}

static uint64_t position_of_dump(const struct precis_input *input)
{
	return byte_source_consumed(&input->window->source);
}

static const struct precis_cpu *cpu_of_dump(const struct precis_input *input)
{
	return &input->window->cpu;
}

static const struct input_kind of_dump = {
	.next = next_of_dump,
	.sample = sample_of_dump,
	.rewind = rewind_dump,
	.close = close_dump,
	.position = position_of_dump,
	.cpu = cpu_of_dump,
};

static void describe_event(struct precis_event *event, const struct precis_pebs_machine *machine)
{
	*event = (struct precis_event){
		.kind = PRECIS_EVENT_PEBS,
		.kind_source = PRECIS_KIND_CPU,
		.type = TYPE_RAW,
		.config = machine->has_config ? machine->config : 0,
		.core_type = machine->core_type,
		.name = "pebs",
		.pebs_facility = PRECIS_E_UNSUPPORTED,
	};
	if (machine->facility_is_known)
		event->pebs_facility = (int32_t)machine->facility;
	else if (machine->has_config)
		event->pebs_facility = precis_pebs_facility_of(
			precis_intel_core_of(&machine->cpu,
					     (enum precis_core_type)machine->core_type),
			machine->config);
}

static void begin(struct precis_input *opened, const struct precis_pebs_dump *dump)
{
	static const struct precis_pebs_machine unknown = { .size = sizeof(unknown),
							    .cpu = { .size = sizeof(unknown.cpu) } };
	const struct precis_pebs_machine *machine = dump->machine ? dump->machine : &unknown;
	struct pebs_window *window = opened->window;

	window->format = dump->format;
	window->pebs.size = sizeof(window->pebs);
	window->groups.size = sizeof(window->groups);
	window->cpu = machine->cpu;
	window->skip = dump->skip;
	window->end = UINT64_MAX;
	if (dump->has_count && dump->count < UINT64_MAX - dump->skip)
		window->end = dump->skip + dump->count;
	precis_pebs_context_init(&window->context, machine);
	describe_event(&opened->event, machine);
	begin_window(window);
}

static int fail_open(struct precis_input *opened, int code, int sys_errno)
{
	opened->error.code = code;
	opened->error.sys_errno = sys_errno;
	return code;
}

int precis_input_begin_dump(struct precis_input *opened, const char *path, int fd,
			    const struct precis_pebs_dump *dump)
{
	int own = path ? open(path, O_RDONLY | O_CLOEXEC) : fcntl(fd, F_DUPFD_CLOEXEC, 0);
	int code;

	if (own < 0)
		return fail_open(opened, PRECIS_E_IO, errno);
	opened->window = calloc(1, sizeof(*opened->window));
	if (!opened->window) {
		close(own);
		return fail_open(opened, PRECIS_E_NO_MEMORY, 0);
	}
	opened->kind = &of_dump;
	code = byte_source_open(&opened->window->source, own, WINDOW_BYTES);
	if (code == PRECIS_E_DIRECTORY)
		return fail_open(opened, code, EISDIR);
	if (code)
		return fail_open(opened, code, opened->window->source.sys_errno);
	begin(opened, dump);
	return 0;
}
