/* SPDX-License-Identifier: BSD-3-Clause */
/* struct precis_input, and what the two kinds of input offer the functions that know none. */
#ifndef PRECIS_PERF_INPUT_PRIVATE_H
#define PRECIS_PERF_INPUT_PRIVATE_H

#include <precis/input.h>

#include "libdecode/perf/file/private.h"

struct pebs_window; /* a dump's: dump.c */
struct input_run; /* run.h */

/* What is different between inputs. */
struct input_kind {
	/* As the public functions, of arguments that have been checked. next() counts what it hands
	 * out, or says input_stop(). */
	int (*next)(struct precis_input *input);
	int (*sample)(struct precis_input *input, const uint64_t *wanted,
		      struct precis_perf_sample *perf, struct precis_sample *sample);
	int (*rewind)(struct precis_input *input);
	void (*close)(struct precis_input *input);
	uint64_t (*position)(const struct precis_input *input);
	const struct precis_cpu *(*cpu)(const struct precis_input *input);
};

struct precis_input {
	const struct input_kind *kind;
	struct precis_item item; /* that was handed out last */
	int stopped; /* the error that ended reading: it stays until a rewind */
	uint32_t is_judged; /* 1: what is wrong with the item has been counted */
	struct input_run *run; /* that precis_input_take_run() took last; NULL: never … */
	uint32_t run_count;    /* … and how many of its samples can be asked for, if 'item' is none */
	struct precis_input_counts counts;
	struct precis_input_fault fault[PRECIS_INPUT_FAULT_TRACE]; /* found here: all but traces' */
	/* of a perf.data */
	struct precis_file *file;
	struct precis_record record;
	struct precis_pebs_pt_samples *traced; /* NULL: it has no samples in the AUX area */
	uint32_t is_traced; /* 1: the last record, or the end, may have such samples */
	uint32_t is_at_end; /* 1: of its records … */
	int ended; /* … with this: 0, or negative */
	/* of a dump */
	struct pebs_window *window;
	struct precis_event event; /* that its records are of */
	struct precis_file_error error;
};

/* There is no next item: 0, or negative. @return that */
static inline int input_stop(struct precis_input *input, int ended)
{
	input->item.kind = 0;
	input->run_count = 0;
	input->is_judged = 0;
	input->stopped = ended;
	return ended;
}

/* recording.c, dump.c: what 'opened' has for its kind. @return 0 or negative, 'error' filled */
int precis_input_begin_file(struct precis_input *opened, const char *path, int fd,
			    const struct precis_input_options *options);
int precis_input_begin_dump(struct precis_input *opened, const char *path, int fd,
			    const struct precis_pebs_dump *dump);

/* faults.c */

/* One more of a kind, found in the item at that offset. @return 1: the first, to be described */
int precis_input_note(struct precis_input *input, uint32_t kind, int code, uint64_t offset);

/* What precis_file_sample() said of the item's record: 'code', or its payload. */
void precis_input_judge(struct precis_input *input, const struct precis_sample *sample, int code);

#endif
