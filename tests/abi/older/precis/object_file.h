#ifndef PRECIS_OBJECT_FILE_H
#define PRECIS_OBJECT_FILE_H

#include <precis/export.h>
#include <precis/file.h>

PRECIS_BEGIN_DECLS

struct precis_object_file;

enum precis_object_operation {
	PRECIS_OBJECT_ALLOC = 1,
	PRECIS_OBJECT_FREE = 2,
	PRECIS_OBJECT_REALLOC_FREE = 3,
	PRECIS_OBJECT_REALLOC_ALLOC = 4,
	PRECIS_OBJECT_RESTORED = 5,
	PRECIS_OBJECT_MAP = 6,
	PRECIS_OBJECT_UNMAP = 7,
	PRECIS_OBJECT_MAP_FILE = 8,
	PRECIS_OBJECT_NAME = 9,
	PRECIS_OBJECT_NAME_ARRAY = 10,
	PRECIS_OBJECT_TAG = 11,
	PRECIS_OBJECT_FORGET = 12,
	PRECIS_OBJECT_PHASE = 13,
	PRECIS_OBJECT_TLS = 14,
	PRECIS_OBJECT_THREAD_STACK = 15,
	PRECIS_OBJECT_THREAD_END = 16,
	PRECIS_OBJECT_MODULE = 17
};

enum precis_object_member {
	PRECIS_OBJECT_HAS_ADDRESS = 1,
	PRECIS_OBJECT_HAS_BYTES = 2,
	PRECIS_OBJECT_HAS_STACK = 4,
	PRECIS_OBJECT_HAS_NAME = 8,
	PRECIS_OBJECT_HAS_TYPE = 16,
	PRECIS_OBJECT_HAS_ARRAY = 32,
	PRECIS_OBJECT_HAS_PROBABILITY = 64,
	PRECIS_OBJECT_HAS_FILE_OFFSET = 128
};

struct precis_object_event {
	uint32_t size;
	uint32_t operation;
	uint32_t tid;
	uint32_t present;
	uint64_t time;
	uint64_t address;
	uint64_t bytes;
	uint64_t count, stride;
	uint32_t stack;

	uint32_t name;
	uint32_t type;
	uint32_t reserved;

	double probability;
	uint64_t offset;
};

enum precis_object_clock {
	PRECIS_OBJECT_CLOCK_MONOTONIC = 1,
	PRECIS_OBJECT_CLOCK_TSC = 2
};

enum precis_object_unwinder {
	PRECIS_OBJECT_NO_STACKS = 0,
	PRECIS_OBJECT_FRAME_POINTERS = 1,
	PRECIS_OBJECT_CALL_FRAMES = 2
};

enum precis_object_end {
	PRECIS_OBJECT_END_UNKNOWN = 0,
	PRECIS_OBJECT_END_EXIT = 1,
	PRECIS_OBJECT_END_IMMEDIATE = 2,
	PRECIS_OBJECT_END_EXEC = 3
};

enum precis_object_flag {
	PRECIS_OBJECT_SMALL_DROPPED = 1,
	PRECIS_OBJECT_OTHER_MALLOC = 2,
	PRECIS_OBJECT_NOT_MAPPED = 4
};

struct precis_object_file_info {
	uint32_t size;
	uint32_t version;
	uint32_t pid;
	uint32_t parent_pid;
	uint32_t clock;
	uint32_t unwinder;
	uint32_t flags;
	uint32_t end;
	uint64_t start_time, start_monotonic;
	uint64_t threshold;
	uint64_t interval;
	uint64_t seed;
	uint32_t depth;
	uint32_t max_overhead;
	const char *executable;
	const uint8_t *build_id;
	uint32_t build_id_bytes;
	uint32_t threads;
	uint64_t chunks, events;
	uint64_t events_lost;
	uint64_t chunks_lost;
	uint64_t bytes_unread;
	uint64_t stacks, strings;
	uint64_t allocations, allocated;
};

struct precis_object_thread {
	uint32_t size;
	uint32_t tid;
	uint64_t first_time, last_time;
	uint64_t fs_base;
	uint64_t stack_low, stack_high;
	uint64_t events, events_lost;
	uint64_t allocations, allocated;
	uint64_t first_interval, last_interval;
};

enum precis_object_moment_kind {
	PRECIS_OBJECT_MOMENT_MONOTONIC = 1,

	PRECIS_OBJECT_MOMENT_COMM = 2
};

struct precis_object_moment {
	uint32_t size;
	uint32_t kind;
	uint32_t number;
	uint32_t reserved;
	uint64_t before, after;
};

struct precis_object_point {
	uint64_t before, after, time;
};

struct precis_object_file_options {
	uint32_t size;
	uint32_t reserved;
	uint64_t memory;
};

PRECIS_API int precis_object_file_open(const char *path, const struct precis_object_file_options *options,
				       struct precis_object_file **file, struct precis_file_error *error);

PRECIS_API int precis_object_file_open_fd(int fd, const struct precis_object_file_options *options,
					  struct precis_object_file **file, struct precis_file_error *error);

PRECIS_API void precis_object_file_close(struct precis_object_file *file);

PRECIS_API int precis_object_file_info(const struct precis_object_file *file,
				       struct precis_object_file_info *info);

PRECIS_API int precis_object_file_thread(const struct precis_object_file *file, uint32_t n,
					 struct precis_object_thread *thread);

PRECIS_API const char *precis_object_file_warning(const struct precis_object_file *file, uint32_t n);

PRECIS_API int precis_object_file_next(struct precis_object_file *file, struct precis_object_event *event);

PRECIS_API int precis_object_file_rewind(struct precis_object_file *file);

PRECIS_API uint32_t precis_object_file_stack(const struct precis_object_file *file, uint32_t id,
					     const uint64_t **addresses, uint32_t *is_cut);

PRECIS_API const char *precis_object_file_string(const struct precis_object_file *file, uint32_t id);

PRECIS_API int precis_object_file_moment(const struct precis_object_file *file, uint32_t n,
					 struct precis_object_moment *moment);

PRECIS_API int precis_object_file_monotonic(const struct precis_object_file *file, uint64_t time,
					    uint64_t *ns, uint64_t *error);

PRECIS_API int precis_object_clock_convert(const struct precis_object_point *points, size_t count,
					   uint64_t time, uint64_t *converted, uint64_t *error);

PRECIS_API const char *precis_object_operation_name(uint32_t operation);

PRECIS_API const struct precis_file_error *
precis_object_file_last_error(const struct precis_object_file *file);

PRECIS_END_DECLS

#endif
