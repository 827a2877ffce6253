/* SPDX-License-Identifier: BSD-3-Clause */
/* See side_clock.h. */
#include "side_clock.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "statistics/room.h"

/* The name that the recorder gives a thread for a moment, before a number in eight hexadecimal digits */
#define MARK "precis:"
#define MARK_DIGITS 8u

/* One each minute, and at begin and end of each process: more is not the recorder's doing */
#define MOMENTS_MOST (UINT32_C(1) << 20)

void side_moments_begin(struct side_moments *moments, struct precis_file *file)
{
	struct precis_clock_data clock = { .size = sizeof(clock) };
	struct precis_bytes section;

	moments->is_monotonic = !precis_file_feature(file, PRECIS_FEATURE_CLOCK_DATA, &section) &&
				!precis_clock_data_parse(section, &clock) &&
				clock.clock_id == CLOCK_MONOTONIC;
}

/* Is it such a name? Only the recorder's form counts. */
static int number_of(const char *name, uint32_t *number)
{
	char *end;

	if (strncmp(name, MARK, strlen(MARK)) || strlen(name) != strlen(MARK) + MARK_DIGITS)
		return 0;
	*number = (uint32_t)strtoul(name + strlen(MARK), &end, 16);
	return !*end;
}

static int add_moment(struct side_moments *moments, const struct side_moment *moment)
{
	struct side_moment *list;

	if (moments->count == MOMENTS_MOST)
		return 0;
	list = array_with_room(moments->list, moments->count + 1, &moments->room, sizeof(*list));
	if (!list)
		return -1;
	moments->list = list;
	moments->list[moments->count++] = *moment;
	return 0;
}

static int add_exec(struct side_moments *moments, uint32_t pid, uint64_t time)
{
	struct side_exec *list;

	if (moments->exec_count == MOMENTS_MOST)
		return 0;
	list = array_with_room(moments->execs, moments->exec_count + 1, &moments->exec_room,
			       sizeof(*list));
	if (!list)
		return -1;
	moments->execs = list;
	moments->execs[moments->exec_count++] = (struct side_exec){ pid, time };
	return 0;
}

int side_moments_record(struct side_moments *moments, const struct precis_record *record,
			uint64_t time)
{
	struct precis_time_conv conversion = { .size = sizeof(conversion) };
	struct precis_comm comm = { .size = sizeof(comm) };
	struct side_moment moment = { .time = time };

	if (!precis_time_conv_parse(record, &conversion)) {
		if (conversion.is_zero_usable && !conversion.is_counter_short &&
		    conversion.time_shift < 64)
			moments->conversion = conversion;
		return 0;
	}
	if (precis_comm_parse(record, &comm))
		return 0;
	if (record->misc & PRECIS_MISC_COMM_EXEC)
		return add_exec(moments, comm.pid, time);
	if (!number_of(comm.name, &moment.number))
		return 0;
	moment.tid = comm.tid;
	return add_moment(moments, &moment);
}

void side_moments_free(struct side_moments *moments)
{
	free(moments->list);
	free(moments->execs);
	memset(moments, 0, sizeof(*moments));
}

/* --- a file's clock --- */

/* When the process became the program that it was at a time; 0: it was that all the time */
static uint64_t program_since(const struct side_moments *moments, uint32_t pid, uint64_t from)
{
	uint64_t since = 0;

	for (uint32_t n = 0; n < moments->exec_count; n++) {
		const struct side_exec *exec = &moments->execs[n];

		if (exec->pid == pid && exec->time <= from && exec->time > since)
			since = exec->time;
	}
	return since;
}

/* The first since then */
static const struct side_moment *moment_of(const struct side_moments *moments, uint64_t tid, uint32_t number,
					   uint64_t since)
{
	const struct side_moment *found = NULL;

	for (uint32_t n = 0; n < moments->count; n++) {
		const struct side_moment *moment = &moments->list[n];

		if (moment->tid == tid && moment->number == number && moment->time >= since &&
		    (!found || moment->time < found->time))
			found = moment;
	}
	return found;
}

/* In the file's order; what is not behind the one before is left out. 0, or -1 if memory is short */
static int find_points(struct side_clock *clock, const struct side_moments *moments,
		       const struct precis_object_file *file, uint64_t since)
{
	struct precis_object_moment moment = { .size = sizeof(moment) };
	uint32_t count = 0;

	while (!precis_object_file_moment(file, count, &moment))
		count++;
	clock->points = calloc(count + 1, sizeof(*clock->points));
	if (!clock->points)
		return -1;
	for (uint32_t n = 0; n < count; n++) {
		const struct precis_object_point *last =
			&clock->points[clock->count - (clock->count > 0)];
		const struct side_moment *here;

		precis_object_file_moment(file, n, &moment);
		here = moment.kind == PRECIS_OBJECT_MOMENT_COMM
			       ? moment_of(moments, moment.value, moment.number, since)
			       : NULL;
		if (here &&
		    (!clock->count || (moment.before > last->after && here->time > last->time)))
			clock->points[clock->count++] =
				(struct precis_object_point){ moment.before, moment.after,
							      here->time };
	}
	return 0;
}

int side_clock_open(struct side_clock *clock, const struct side_moments *moments,
		    const struct precis_object_file *file, uint32_t pid, uint64_t from)
{
	struct precis_object_file_info info = { .size = sizeof(info) };

	memset(clock, 0, sizeof(*clock));
	precis_object_file_info(file, &info);
	if (moments->is_monotonic)
		clock->kind = SIDE_CLOCK_MONOTONIC;
	else if (info.clock == PRECIS_OBJECT_CLOCK_TSC && moments->conversion.size)
		clock->kind = SIDE_CLOCK_COUNTER;
	else if (find_points(clock, moments, file, program_since(moments, pid, from)) < 0)
		return -1;
	else if (clock->count >= 2)
		clock->kind = SIDE_CLOCK_COMM;
	return 0;
}

/* As perf_event_open(2) has it of time_zero */
static uint64_t by_counter(const struct precis_time_conv *by, uint64_t ticks)
{
	const uint64_t whole = ticks >> by->time_shift,
		       rest = ticks & ((UINT64_C(1) << by->time_shift) - 1);

	return by->time_zero + whole * by->time_mult + ((rest * by->time_mult) >> by->time_shift);
}

int side_clock_convert(struct side_clock *clock, const struct side_moments *moments,
		       const struct precis_object_file *file, uint64_t time, uint64_t *converted)
{
	uint64_t error = 0;
	int failed = -1;

	if (clock->kind == SIDE_CLOCK_MONOTONIC) {
		failed = precis_object_file_monotonic(file, time, converted, &error);
	} else if (clock->kind == SIDE_CLOCK_COUNTER) {
		*converted = by_counter(&moments->conversion, time);
		failed = 0;
	} else if (clock->kind == SIDE_CLOCK_COMM) {
		failed = precis_object_clock_convert(clock->points, clock->count, time, converted,
						     &error);
	}
	if (!failed && error > clock->error)
		clock->error = error;
	return failed ? -1 : 0;
}

void side_clock_free(struct side_clock *clock)
{
	free(clock->points);
	memset(clock, 0, sizeof(*clock));
}
