/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Folded stacks: "TASK;OUTERMOST;...;INNERMOST WEIGHT", a line for each stack. A ';' in a name is
 * written \x3b, as all that precis(1) escapes.
 *
 * Source: github.com/brendangregg/FlameGraph, "Fold stacks" and flamegraph.pl. A stack that stands
 * in several lines has the sum of them, so that memory is bounded: when the tree of stacks is full,
 * what has been counted is written, and a new one begun.
 */
#include <stdlib.h>

#include "document/quote.h"
#include "export.h"
#include "stacks.h"

/* With the stack that comes next it is 12 MiB, of which room for texts is the half at most. */
#define NODES_MOST ((UINT32_C(1) << 16) - STACK_FRAMES - 2)
#define TEXT_MOST (UINT32_C(2) << 20) /* bytes of names */
#define SUM_MOST (UINT64_C(1) << 62)

struct folded {
	struct stacks stacks;
	uint64_t *sums; /* by node */
	uint32_t room;
};

static void put_name(struct output *output, const char *name)
{
	for (;;) {
		size_t length = strcspn(name, ";");

		output_plain_bytes(output, name, length);
		name += length;
		if (!*name)
			return;
		output_text(output, "\\x3b");
		name++;
	}
}

static void put_stack(struct output *output, struct stacks *stacks, uint32_t node, uint64_t sum)
{
	uint32_t count = stacks_frames(stacks, node);
	char *at;

	for (uint32_t n = 0; n < count; n++) {
		if (n)
			output_bytes(output, ";", 1);
		put_name(output, stacks_frame_name(stacks, stacks->chain[n]));
	}
	at = output_room(output, NUMBER_TEXT + 2);
	*at = ' ';
	output_wrote(output, (size_t)(put_decimal(at + 1, sum) - at));
	output_bytes(output, "\n", 1);
}

/* Write what has been counted, and begin anew. */
static void flush(struct export *export)
{
	struct folded *folded = export->state;

	for (uint32_t node = 0; node < folded->stacks.nodes.slots.count; node++) {
		if (folded->sums[node])
			put_stack(&export->dump.output, &folded->stacks, node, folded->sums[node]);
	}
	if (folded->room)
		memset(folded->sums, 0, folded->room * sizeof(*folded->sums));
	stacks_free(&folded->stacks);
}

/* May what comes next be too much? */
static int is_full(const struct folded *folded, uint32_t node)
{
	return folded->stacks.nodes.slots.count > NODES_MOST ||
	       folded->stacks.texts.used > TEXT_MOST || folded->sums[node] > SUM_MOST;
}

/* Room for the sums of all nodes that there are. 0, or -1 if memory is short */
static int grow(struct folded *folded)
{
	uint32_t room = folded->stacks.nodes.slots.room;
	uint64_t *more;

	if (room <= folded->room)
		return 0;
	more = realloc(folded->sums, room * sizeof(*more));
	if (!more)
		return -1;
	memset(more + folded->room, 0, (room - folded->room) * sizeof(*more));
	folded->sums = more;
	folded->room = room;
	return 0;
}

static void add(struct export *export, uint64_t weight)
{
	struct folded *folded = export->state;
	struct parts *parts = &export->dump.parts;
	char room[32];
	uint32_t node = stacks_name(&folded->stacks, NO_NUMBER, stacks_task(parts, room));

	if (node != NO_NUMBER)
		node = stacks_sample(&folded->stacks, parts, node);
	if (node == NO_NUMBER || grow(folded)) {
		export_out_of_memory(export);
		return;
	}
	folded->sums[node] += weight;
	if (is_full(folded, node))
		flush(export);
}

static void take(struct dump *dump, const struct precis_sample *sample)
{
	struct export *export = export_of(dump);
	uint64_t weight;
	int error;

	weight = weight_of(&export->weight, dump->recording, dump->parts.event, sample, &error);
	if (error)
		dump->is_stopped = 1;
	else if (weight)
		add(export, weight);
}

static int open_folded(struct export *export)
{
	struct folded *folded = calloc(1, sizeof(*folded));

	export->state = folded;
	if (!folded) {
		export_out_of_memory(export);
		return -1;
	}
	folded->stacks.with_objects = 1;
	return 0;
}

static void begin(struct dump *dump)
{
	(void)dump;
}

static void end(struct dump *dump)
{
	struct export *export = export_of(dump);

	if (!export->weight.is_refused)
		flush(export);
}

static void close_folded(struct export *export)
{
	struct folded *folded = export->state;

	stacks_free(&folded->stacks);
	free(folded->sums);
	free(folded);
}

const struct export_format export_folded = {
	.dump = { "folded", begin, take, end, NULL },
	.takes = EXPORT_WEIGHT,
	.parts = STACKS_NEED,
	.open = open_folded,
	.close = close_folded,
};
