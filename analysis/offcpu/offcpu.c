/* SPDX-License-Identifier: BSD-3-Clause */
/* Time off the CPU, by task: those that ran longest first, for in a whole system most only sleep. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analyses.h"
#include "analysis/merge.h"
#include "analysis/recordings.h"
#include "analysis/saving/fields.h"
#include "switches.h"

struct off_cpu {
	const struct analysis_about *about;
	struct offcpu_records switches;
	int is_recorded; /* an event may tell of switches */
	/* When all is read: */
	uint32_t sources; /* what the tasks' times rest on: FROM() */
	int is_one_sided; /* most switches lack their counterpart */
	uint64_t gaps;    /* switches that lack it elsewhere */
};

static const char *const kinds[OFFCPU_KINDS] = {
	[OFFCPU_RUNNABLE] = "runnable",
	[OFFCPU_SLEEPING] = "sleeping",
	[OFFCPU_UNINTERRUPTIBLE] = "uninterruptible",
	[OFFCPU_OTHER] = "other",
	[OFFCPU_WAITING] = "waiting",
};

/* Nanoseconds in JSON and CSV, milliseconds in text: a column each, side by side */
#define BEFORE_KINDS                                                                               \
	{ "tid", "tid", 0 }, { "wall_ns", NULL, 0 }, { NULL, "wall", 0 },                          \
		{ "on_cpu_ns", NULL, 0 }, { NULL, "on CPU", 0 }, { "off_cpu_ns", NULL, 0 },        \
		{ NULL, "off CPU", 0 }, { "runnable_ns", NULL, 0 },                                \
	{                                                                                          \
		NULL, "runnable", 0                                                                \
	}
#define BEHIND_KINDS                                                                               \
	{ "unknown_ns", NULL, 0 }, { NULL, "unknown", 0 }, { "switches", "switches", 0 },          \
		{ "longest_ns", NULL, 0 }, { NULL, "longest", 0 },                                 \
	{                                                                                          \
		"longest_kind", "in", 0                                                            \
	}
/* Where tasks had to go */
#define MISSED { "missed_most_ns", NULL, 0 }, { NULL, "missed<=", 0 }
#define MISSED_COLUMNS 2u

#define TRACEPOINT_KINDS                                                                           \
	{ "sleeping_ns", NULL, 0 }, { NULL, "sleeping", 0 }, { "uninterruptible_ns", NULL, 0 },    \
		{ NULL, "uninterr.", 0 }, { "other_ns", NULL, 0 },                                 \
	{                                                                                          \
		NULL, "other", 0                                                                   \
	}
#define RECORD_KINDS { "waiting_ns", NULL, 0 }, { NULL, "waiting", 0 }

/* What each source tells of, and several recordings that have not the same */
static const struct column tracepoint_columns[] = {
	BEFORE_KINDS, TRACEPOINT_KINDS, BEHIND_KINDS, MISSED,
};
static const struct column record_columns[] = {
	BEFORE_KINDS, RECORD_KINDS, BEHIND_KINDS, MISSED,
};
static const struct column mixed_columns[] = {
	BEFORE_KINDS, TRACEPOINT_KINDS, RECORD_KINDS, BEHIND_KINDS, MISSED,
};
#define COUNT_OF(columns) (sizeof(columns) / sizeof(columns[0]))
_Static_assert(COUNT_OF(mixed_columns) <= TABLE_COLUMNS_MOST, "a table has room for them");

/* As bits of off_cpu.sources */
#define FROM(source) (1u << (source))

static void cell_time(struct document *document, uint64_t ns)
{
	cell_count(document, ns);
	cell_decimal(document, (double)ns / 1e6, 1);
}

static void cells_longest(struct document *document, const struct offcpu_task *task)
{
	cell_time(document, task->longest);
	cell_text(document, "%s", kinds[task->longest_kind]);
}

static void cell_no_time(struct document *document)
{
	cell_absent(document);
	cell_absent(document);
}

static int by_on(const void *a, const void *b)
{
	const struct offcpu_task *left = *(struct offcpu_task *const *)a;
	const struct offcpu_task *right = *(struct offcpu_task *const *)b;

	if (left->on != right->on)
		return left->on < right->on ? 1 : -1;
	if (left->leaves != right->leaves)
		return left->leaves < right->leaves ? 1 : -1;
	if (left->tid != right->tid)
		return left->tid < right->tid ? -1 : 1;
	return left->first < right->first ? -1 : left->first > right->first; /* two recordings' */
}

/* Is time off the CPU of that kind what any of these sources can tell? */
static int tells(uint32_t sources, enum offcpu_kind kind)
{
	if (kind == OFFCPU_RUNNABLE)
		return 1;
	return (sources & FROM(kind == OFFCPU_WAITING ? SWITCH_RECORDS : SWITCH_TRACEPOINT)) != 0;
}

static void add_row(struct document *document, const struct offcpu_task *task, uint32_t sources)
{
	uint64_t off = offcpu_total(task), wall = task->last - task->first;
	int is_known = task->matched || task->is_open;

	row_begin(document, "%s", task->comm[0] ? task->comm : "-");
	cell_count(document, task->tid);
	cell_time(document, wall);
	cell_time(document, task->on);
	if (is_known)
		cell_time(document, off);
	else
		cell_no_time(document);
	for (uint32_t kind = 0; kind < OFFCPU_KINDS; kind++) {
		if (!tells(sources, kind))
			continue;
		if (is_known && tells(FROM(task->source), kind))
			cell_time(document, task->off[kind]);
		else
			cell_no_time(document);
	}
	cell_time(document, wall - task->on - off);
	cell_count(document, task->leaves);
	if (is_known) {
		cells_longest(document, task);
	} else {
		cell_no_time(document);
		cell_absent(document);
	}
	cell_time(document, task->missed); /* the table has a column for it where it is not 0 */
}

/* The recorded tasks that were seen to switch, and what that rests on */
static void keep_switched(struct off_cpu *off_cpu)
{
	struct offcpu *offcpu = &off_cpu->switches.offcpu;
	int is_whole = offcpu->matched >= offcpu->unmatched;
	size_t kept = 0;

	for (size_t i = 0; i < offcpu->count; i++) {
		struct offcpu_task *task = offcpu->tasks[i];

		if (task->first == UINT64_MAX || (!task->leaves && !is_whole)) {
			free(task);
			continue;
		}
		task->source = (uint8_t)off_cpu->switches.source;
		offcpu->tasks[kept++] = task;
	}
	offcpu->count = kept;
}

static void note_gaps(struct document *document, const struct off_cpu *off_cpu)
{
	const struct offcpu_records *records = &off_cpu->switches;
	const struct offcpu *offcpu = &records->offcpu;

	if (off_cpu->is_one_sided)
		table_note(document,
			   "The switches back to most tasks are missing: sched:sched_switch of "
			   "single tasks has only their leaving. Record with -a.");
	if (off_cpu->gaps)
		table_note(document,
			   "%llu switches lack their counterpart: those intervals are unknown.",
			   (unsigned long long)off_cpu->gaps);
	if (offcpu->losses)
		table_note(document,
			   "Records were lost %llu times: intervals in which that was noticed are "
			   "unknown, others around them may be too long.",
			   (unsigned long long)offcpu->losses);
	if (offcpu->backward)
		table_note(document,
			   "%llu switches are not in the order of their times, and left out.",
			   (unsigned long long)offcpu->backward);
	if (records->unread)
		table_note(document, "%llu switches have no time or no task, and are left out.",
			   (unsigned long long)records->unread);
	if (offcpu->forgotten)
		table_note(document,
			   "There are more tasks than are counted at once: a row has what its task "
			   "had since it was last taken in, and missed at most so much time on the "
			   "CPU before that (missed). No task that is not counted ran longer than "
			   "%.3f ms.",
			   (double)offcpu->floor / 1e6);
	if (offcpu->dropped)
		table_note(document, "%llu switches are of more tasks than can be counted.",
			   (unsigned long long)offcpu->dropped);
}

static void begin_table(struct document *document, uint32_t sources, int is_bounded)
{
	const struct column *columns = tracepoint_columns;
	size_t count = COUNT_OF(tracepoint_columns);

	if (tells(sources, OFFCPU_WAITING)) {
		int is_mixed = tells(sources, OFFCPU_SLEEPING);

		columns = is_mixed ? mixed_columns : record_columns;
		count = is_mixed ? COUNT_OF(mixed_columns) : COUNT_OF(record_columns);
	}
	table_begin(document, "off_cpu", "Time off the CPU, by task (ms)", "task", columns,
		    is_bounded ? count : count - MISSED_COLUMNS);
}

static void note_source(struct document *document, uint32_t sources)
{
	const char *from = "From context-switch records, which do not say what a task waited for.";

	if (sources == FROM(SWITCH_TRACEPOINT))
		from = "From sched:sched_switch.";
	else if (sources & FROM(SWITCH_TRACEPOINT))
		from = "From sched:sched_switch, and of some recordings from context-switch "
		       "records, which do not say what a task waited for.";
	table_note(document,
		   "%s wall: from a task's first switch to its last, or to the end of the "
		   "recording.", from);
}

static void tables(struct document *document, const void *state, const struct reasons *reasons)
{
	const struct off_cpu *off_cpu = state;
	const struct offcpu_records *records = &off_cpu->switches;
	const struct offcpu *offcpu = &records->offcpu;
	size_t top = off_cpu->about->top, count = offcpu->count;

	(void)reasons; /* these are no fields of samples */
	if (!off_cpu->sources && !records->unread)
		return;
	begin_table(document, off_cpu->sources, offcpu->forgotten != 0);
	if (count)
		qsort(offcpu->tasks, count, sizeof(*offcpu->tasks), by_on);
	for (size_t i = 0; i < count && i < top; i++)
		add_row(document, offcpu->tasks[i], off_cpu->sources);
	if (count > top)
		table_note(document, "%zu more tasks: --top lists them.", count - top);
	note_source(document, off_cpu->sources);
	if (off_cpu->about->recordings->count > 1)
		table_note(document, "A task of one recording is none of another, whatever its tid.");
	if (off_cpu->about->is_selected)
		table_note(document, "All switches count here, whatever samples were selected.");
	note_gaps(document, off_cpu);
}

static int begin(void *state, const struct analysis_about *about)
{
	struct off_cpu *off_cpu = state;
	const struct precis_file *file = precis_input_file(about->input);

	off_cpu->about = about;
	off_cpu->is_recorded = file && offcpu_is_recorded(file);
	return 0;
}

static int takes_samples(const void *state)
{
	return ((const struct off_cpu *)state)->is_recorded;
}

static int record(void *state, struct precis_file *file, const struct precis_record *read)
{
	struct off_cpu *off_cpu = state;

	/* the events of a pipe come while it is read */
	if (read->type == PRECIS_RECORD_HEADER_ATTR)
		off_cpu->is_recorded = offcpu_is_recorded(file);
	if (off_cpu->is_recorded)
		offcpu_records_add(&off_cpu->switches, file, read);
	return off_cpu->switches.offcpu.failed ? -1 : 0;
}

static int finish(void *state)
{
	struct off_cpu *off_cpu = state;
	const struct offcpu *offcpu = &off_cpu->switches.offcpu;

	offcpu_records_finish(&off_cpu->switches);
	keep_switched(off_cpu);
	if (off_cpu->switches.source != SWITCH_NONE)
		off_cpu->sources = FROM(off_cpu->switches.source);
	off_cpu->is_one_sided = offcpu->unmatched > offcpu->matched;
	off_cpu->gaps = off_cpu->is_one_sided ? 0 : offcpu->unmatched;
	return offcpu->failed ? -1 : 0;
}

/* The tasks go over. */
static int take_tasks(struct offcpu *offcpu, struct offcpu *others)
{
	struct offcpu_task **tasks;

	if (!others->count)
		return 0;
	tasks = realloc(offcpu->tasks, (offcpu->count + others->count) * sizeof(*tasks));
	if (!tasks)
		return -1;
	memcpy(tasks + offcpu->count, others->tasks, others->count * sizeof(*tasks));
	offcpu->tasks = tasks;
	offcpu->count += others->count;
	offcpu->room = offcpu->count;
	others->count = 0;
	return 0;
}

static int merge(void *state, void *other, const struct analysis_merge *how)
{
	struct off_cpu *off_cpu = state, *others = other;
	struct offcpu *offcpu = &off_cpu->switches.offcpu, *from = &others->switches.offcpu;

	(void)how; /* a task of one recording is none of another */
	off_cpu->sources |= others->sources;
	off_cpu->is_one_sided |= others->is_one_sided;
	off_cpu->gaps += others->gaps;
	off_cpu->switches.unread += others->switches.unread;
	offcpu->floor = from->floor > offcpu->floor ? from->floor : offcpu->floor;
	offcpu->forgotten += from->forgotten;
	offcpu->dropped += from->dropped;
	offcpu->backward += from->backward;
	offcpu->losses += from->losses;
	return take_tasks(offcpu, from);
}

/* What only switches that come want is not saved. */
static const struct saved_field task_fields[] = {
	SAVED_U32(struct offcpu_task, tid),
	SAVED_U8(struct offcpu_task, comm),
	SAVED_NOT(struct offcpu_task, state),
	SAVED_NOT(struct offcpu_task, kind),
	SAVED_NOT(struct offcpu_task, generation),
	SAVED_NOT(struct offcpu_task, since),
	SAVED_U64(struct offcpu_task, first),
	SAVED_U64(struct offcpu_task, last),
	SAVED_U64(struct offcpu_task, on),
	SAVED_U64(struct offcpu_task, off),
	SAVED_U64(struct offcpu_task, missed),
	SAVED_U64(struct offcpu_task, matched),
	SAVED_U64(struct offcpu_task, unmatched),
	SAVED_U64(struct offcpu_task, leaves),
	SAVED_U64(struct offcpu_task, longest),
	SAVED_U8(struct offcpu_task, longest_kind),
	SAVED_U8(struct offcpu_task, source),
	SAVED_U8(struct offcpu_task, is_open),
	SAVED_END,
};

static const struct saved_field state_fields[] = {
	SAVED_NOT(struct off_cpu, about),
	SAVED_NOT(struct off_cpu, switches.offcpu.index),
	SAVED_NOT(struct off_cpu, switches.offcpu.tasks), /* behind the others */
	SAVED_NOT(struct off_cpu, switches.offcpu.count),
	SAVED_NOT(struct off_cpu, switches.offcpu.room),
	SAVED_NOT(struct off_cpu, switches.offcpu.idle),
	SAVED_NOT(struct off_cpu, switches.offcpu.most),
	SAVED_U64(struct off_cpu, switches.offcpu.floor),
	SAVED_U64(struct off_cpu, switches.offcpu.forgotten),
	SAVED_U64(struct off_cpu, switches.offcpu.dropped),
	SAVED_U64(struct off_cpu, switches.offcpu.clock),
	SAVED_U64(struct off_cpu, switches.offcpu.backward),
	SAVED_U64(struct off_cpu, switches.offcpu.switches),
	SAVED_U64(struct off_cpu, switches.offcpu.matched),
	SAVED_U64(struct off_cpu, switches.offcpu.unmatched),
	SAVED_U64(struct off_cpu, switches.offcpu.losses),
	SAVED_NOT(struct off_cpu, switches.offcpu.failed),
	SAVED_NOT(struct off_cpu, switches.source), /* 'sources' has it */
	SAVED_NOT(struct off_cpu, switches.tracepoints),
	SAVED_NOT(struct off_cpu, switches.tracepoint),
	SAVED_NOT(struct off_cpu, switches.fields),
	SAVED_U64(struct off_cpu, switches.unread),
	SAVED_U64(struct off_cpu, switches.last_time),
	SAVED_NOT(struct off_cpu, is_recorded),
	SAVED_U32(struct off_cpu, sources),
	SAVED_U32(struct off_cpu, is_one_sided),
	SAVED_U64(struct off_cpu, gaps),
	SAVED_END,
};

static void saved_task(struct saving *saving, struct offcpu_task *task)
{
	saved_fields(saving, task, task_fields);
	if (task->comm[OFFCPU_COMM_ROOM - 1] || task->longest_kind >= OFFCPU_KINDS ||
	    task->source > SWITCH_RECORDS)
		saving_damaged(saving, "expected a task: its name, what it waited for, and who says so");
}

static void saved_tasks(struct saving *saving, struct offcpu *offcpu)
{
	const uint32_t count = saved_count(saving, offcpu->count, OFFCPU_TASKS_MOST, 100, "tasks");

	if (saving->is_loading && count) {
		offcpu->tasks = calloc(count, sizeof(struct offcpu_task *));
		offcpu->room = count;
		if (!offcpu->tasks)
			saving_no_memory(saving);
	}
	for (uint32_t n = 0; n < count && !saving_failed(saving); n++) {
		if (saving->is_loading) {
			offcpu->tasks[n] = calloc(1, sizeof(struct offcpu_task));
			offcpu->count += offcpu->tasks[n] != NULL;
		}
		if (offcpu->tasks[n])
			saved_task(saving, offcpu->tasks[n]);
		else
			saving_no_memory(saving);
	}
}

static void saves(struct saving *saving, void *state)
{
	struct off_cpu *off_cpu = state;

	saved_tasks(saving, &off_cpu->switches.offcpu);
}

static void free_state(void *state)
{
	offcpu_records_free(&((struct off_cpu *)state)->switches);
}

const struct analysis analysis_offcpu = {
	.name = "off_cpu",
	.of = ANALYSIS_OF_ALL,
	.state_bytes = sizeof(struct off_cpu),
	.begin = begin,
	.record = record,
	.takes_late_records = 1, /* it keeps none unless they come in the order of their times */
	.takes_samples = takes_samples,
	.finish = finish,
	.merge = merge,
	.saved = state_fields,
	.saves = saves,
	.free = free_state,
	.tables = tables,
};
