/* SPDX-License-Identifier: BSD-3-Clause */
/* See stacks.h. */
#include "stacks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/model/absences.h"
#include "analysis/model/callchains.h"
#include "places.h"

/* Calls of a stack that are told, the innermost ones: Linux walks 127 unless it is told otherwise */
#define FRAMES_MOST 1024u
#define DEEPER "..."

/* Functions from the sample's own outwards */
struct frames {
	const struct precis_sample *sample;
	uint32_t count;
	int is_deeper; /* than what is kept */
	struct by_value list[FRAMES_MOST]; /* names of symbol and object */
};

static uint64_t time_of(const struct by *by, const struct precis_sample *sample)
{
	uint64_t time = by->model.records.clock;

	precis_get_time(sample, &time);
	return time;
}

/* As a sample's own address is looked up */
static struct by_value place_of(struct by *by, const struct precis_sample *sample, uint32_t mode,
				uint64_t address)
{
	struct by_place place;
	uint32_t owner = MODEL_KERNEL;
	uint64_t pid;

	if (mode != PRECIS_CPUMODE_KERNEL) {
		if (mode != PRECIS_CPUMODE_USER || !precis_get_pid(sample, &pid))
			return (struct by_value){ 0, 0 };
		owner = (uint32_t)pid;
	}
	place = by_place_at(by, owner, model_epoch(&by->model.processes, owner, time_of(by, sample)), mode,
			    address);
	return (struct by_value){ place.symbol, place.object };
}

static void add_frame(struct by *by, struct frames *frames, uint32_t mode, uint64_t address)
{
	if (frames->count == FRAMES_MOST)
		frames->is_deeper = 1;
	else
		frames->list[frames->count++] = place_of(by, frames->sample, mode, address);
}

/* 'most': no more than so many are needed */
static void read_frames(struct by *by, const struct precis_perf_sample *perf, uint32_t most,
			struct frames *frames)
{
	struct precis_callchain_entry entry = { .size = sizeof(entry) };
	uint64_t mode = PRECIS_CPUMODE_UNKNOWN;

	precis_get(frames->sample, PRECIS_FIELD_CPUMODE, &mode);
	for (uint64_t n = 0; frames->count < most && !frames->is_deeper &&
			     !precis_callchain_entry(perf->callchain, n, &entry); n++) {
		if (entry.kind == PRECIS_CALLCHAIN_CONTEXT)
			mode = callchain_mode(entry.value);
		else if (entry.kind == PRECIS_CALLCHAIN_ADDRESS)
			add_frame(by, frames, (uint32_t)mode, entry.value);
	}
}

/* Between brackets what is no function; 'room' 0: nothing is written. How many bytes */
static size_t put_frame(const struct by *by, const struct by_value *frame, char *at)
{
	const struct name *symbol = names_get(&by->names, frame->a);
	const struct name *object = names_get(&by->names, frame->b);
	const char *text = symbol ? symbol->text : object ? model_file_of(object->text) : "unknown";
	const size_t length = strlen(text);
	/* the kernel's and their like have brackets of their own */
	const size_t bracket = !symbol && *text != '[';

	if (at) {
		at[0] = '[';
		memcpy(at + bracket, text, length);
		if (bracket)
			at[bracket + length] = ']';
	}
	return length + 2 * bracket;
}

char *by_stack_text(const struct by *by, const struct by_value *frames, uint32_t count,
		    int is_deeper)
{
	size_t bytes = sizeof(DEEPER ";");
	char *text, *at;

	for (uint32_t n = 0; n < count; n++)
		bytes += put_frame(by, &frames[n], NULL) + 1;
	text = at = malloc(bytes);
	if (!text)
		return NULL;
	if (is_deeper) {
		memcpy(at, DEEPER ";", strlen(DEEPER ";"));
		at += strlen(DEEPER ";");
	}
	for (uint32_t n = count; n > 0; n--) {
		at += put_frame(by, &frames[n - 1], at);
		*at++ = n > 1 ? ';' : '\0';
	}
	return text;
}

static struct by_value stack_value(struct by *by, const struct frames *frames)
{
	char *text = by_stack_text(by, frames->list, frames->count, frames->is_deeper);
	struct by_value value = { by_name_of(by, text), 0 };

	by->failed |= !text;
	free(text);
	return value;
}

void by_stacks_read(struct by *by, struct precis_input *input, const struct precis_sample *sample,
		    struct by_chained *chained)
{
	static const uint64_t nothing[PRECIS_FIELD_WORDS];
	struct precis_perf_sample perf = { .size = sizeof(perf) };
	struct frames frames;

	chained->caller = chained->stack = (struct by_value){ PRECIS_NOT_CAPTURED, BY_ABSENT };
	if (!by->model.symbols || precis_input_sample(input, nothing, &perf, &by->reader) ||
	    !(perf.present & PRECIS_SAMPLE_CALLCHAIN))
		return;
	frames.sample = sample;
	frames.count = 0;
	frames.is_deeper = 0;
	read_frames(by, &perf, by->wants_stack ? UINT32_MAX : 2, &frames);
	if (!frames.count)
		return;
	chained->caller = frames.count > 1 ? frames.list[1] :
					     (struct by_value){ BY_OUTERMOST, BY_ABSENT };
	if (by->wants_stack)
		chained->stack = stack_value(by, &frames);
}
