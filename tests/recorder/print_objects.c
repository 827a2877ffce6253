/* SPDX-License-Identifier: BSD-3-Clause */
/* A side file as lines of words, for tests: info, threads, moments, events, stacks, warnings. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

static void print_info(const struct precis_object_file *file)
{
	struct precis_object_file_info info = { .size = sizeof(info) };

	precis_object_file_info(file, &info);
	printf("info pid=%u parent=%u clock=%u unwinder=%u flags=%u end=%u threads=%u chunks=%" PRIu64
	       " events=%" PRIu64 " lost=%" PRIu64 " chunks_lost=%" PRIu64 " unread=%" PRIu64
	       " stacks=%" PRIu64 " strings=%" PRIu64 " allocations=%" PRIu64 " allocated=%" PRIu64
	       " own=%" PRIu64 " interval=%" PRIu64 " threshold=%" PRIu64 " start=%" PRIu64
	       " mono=%" PRIu64 " seed=%" PRIu64 " depth=%u overhead=%u without_memory=%" PRIu64
	       " lost_from=%" PRIu64 "\n",
	       info.pid, info.parent_pid, info.clock, info.unwinder, info.flags, info.end,
	       info.threads, info.chunks, info.events, info.events_lost, info.chunks_lost,
	       info.bytes_unread, info.stacks, info.strings, info.allocations, info.allocated,
	       info.own_time, info.interval, info.threshold, info.start_time, info.start_monotonic,
	       info.seed, info.depth, info.max_overhead, info.events_without_memory,
	       info.lost_from);
	printf("executable %s\nbuildid ", info.executable);
	for (uint32_t n = 0; n < info.build_id_bytes; n++)
		printf("%02x", info.build_id[n]);
	printf("\n");
}

static void print_threads(const struct precis_object_file *file)
{
	struct precis_object_thread thread = { .size = sizeof(thread) };

	for (uint32_t n = 0; !precis_object_file_thread(file, n, &thread); n++)
		printf("thread tid=%u first=%" PRIu64 " last=%" PRIu64 " fs=%" PRIu64
		       " low=%" PRIu64 " high=%" PRIu64 " events=%" PRIu64 " lost=%" PRIu64
		       " allocations=%" PRIu64 " allocated=%" PRIu64 " first_interval=%" PRIu64
		       " last_interval=%" PRIu64 " name=%s\n",
		       thread.tid, thread.first_time, thread.last_time, thread.fs_base,
		       thread.stack_low, thread.stack_high, thread.events, thread.events_lost,
		       thread.allocations, thread.allocated, thread.first_interval,
		       thread.last_interval, thread.name);
}

static void print_moments(const struct precis_object_file *file)
{
	struct precis_object_moment moment = { .size = sizeof(moment) };
	uint64_t ns, error;

	for (uint32_t n = 0; !precis_object_file_moment(file, n, &moment); n++) {
		if (precis_object_file_monotonic(file, moment.before, &ns, &error))
			ns = error = 0;
		printf("moment kind=%u number=%u before=%" PRIu64 " after=%" PRIu64
		       " value=%" PRIu64 " ns=%" PRIu64 " error=%" PRIu64 "\n",
		       moment.kind, moment.number, moment.before, moment.after, moment.value, ns,
		       error);
	}
}

static void print_stack(const struct precis_object_file *file, uint32_t id)
{
	const uint64_t *addresses;
	uint32_t is_cut, count = precis_object_file_stack(file, id, &addresses, &is_cut);

	printf("stack %u %u", id, is_cut);
	for (uint32_t n = 0; n < count; n++)
		printf(" %" PRIx64, addresses[n]);
	printf("\n");
}

static const char *string(const struct precis_object_file *file, uint32_t id)
{
	const char *text = precis_object_file_string(file, id);

	return text ? text : "-";
}

static void print_event(const struct precis_object_file *file, const struct precis_object_event *event)
{
	printf("event %" PRIu64 " %u %s %" PRIx64 " %" PRIu64 " %u %.17g %" PRIu64 " %" PRIu64
	       " %u %" PRIx64 "|%s|%s\n",
	       event->time, event->tid, precis_object_operation_name(event->operation),
	       event->address, event->bytes, event->stack, event->probability, event->count,
	       event->stride, event->present, event->file_offset,
	       string(file, event->name), string(file, event->type));
}

/* Each event, or with 'count_only' how many there are */
static int print_events(struct precis_object_file *file, int count_only)
{
	struct precis_object_event event = { .size = sizeof(event) };
	uint32_t last_stack = 0;
	uint64_t count = 0;
	int error;

	while ((error = precis_object_file_next(file, &event)) > 0) {
		count++;
		if (!count_only)
			print_event(file, &event);
		if (event.stack > last_stack)
			last_stack = event.stack;
	}
	for (uint32_t id = 1; id <= last_stack && !count_only; id++)
		print_stack(file, id);
	printf("end %d %" PRIu64 "\n", error, count);
	return error;
}

int main(int argc, char **argv)
{
	struct precis_file_error error = { .size = sizeof(error) };
	struct precis_object_file *file;
	int code;

	if (argc < 2)
		return 2;
	code = strcmp(argv[1], "-") ? precis_object_file_open(argv[1], NULL, &file, &error) :
				      precis_object_file_open_fd(0, NULL, &file, &error);
	if (code) {
		printf("error %d %d %" PRIu64 " %s\n", code, error.has_offset, error.offset, error.expected);
		return 1;
	}
	print_info(file);
	print_threads(file);
	print_moments(file);
	code = print_events(file, argc > 2);
	for (uint32_t n = 0; precis_object_file_warning(file, n); n++)
		printf("warning %s\n", precis_object_file_warning(file, n));
	precis_object_file_close(file);
	return code != 0;
}
