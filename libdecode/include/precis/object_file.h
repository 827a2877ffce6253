/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading a side file: what objects a program had, from when to when.
 *
 * The recorder, precis-objects(7), writes one file for each process, precis-PID.objects, whose layout is in
 * precis-objects(5).
 * Events of all threads are handed out in the order of their times. A file that is cut off, as that of a
 * program that was killed, gives all that can be read; what cannot be read is counted, and told by
 * precis_object_file_warning(). Memory does not grow with the file, but for what describes it: 24 bytes for
 * each chunk of some thousand events, and its stacks and strings.
 */
#ifndef PRECIS_OBJECT_FILE_H
#define PRECIS_OBJECT_FILE_H

#include <precis/export.h>
#include <precis/file.h>

PRECIS_BEGIN_DECLS

/** An open side file. Not to be used by two threads at once. */
struct precis_object_file;

/** What happened to an object. Numbers are those of the file. */
enum precis_object_operation {
	PRECIS_OBJECT_ALLOC = 1,         /* a block of the heap is there */
	PRECIS_OBJECT_FREE = 2,          /* it is gone */
	PRECIS_OBJECT_REALLOC_FREE = 3,  /* gone by realloc(): the thread's next REALLOC_ALLOC follows it */
	PRECIS_OBJECT_REALLOC_ALLOC = 4, /* there by realloc() */
	PRECIS_OBJECT_RESTORED = 5,      /* what the thread said last of this address has failed */
	PRECIS_OBJECT_MAP = 6,           /* mmap() of anonymous memory, mremap() */
	PRECIS_OBJECT_UNMAP = 7,         /* munmap() of these bytes: a part, or of several mappings */
	PRECIS_OBJECT_MAP_FILE = 8,      /* mmap() of a file */
	PRECIS_OBJECT_NAME = 9,          /* precis_objects_name() */
	PRECIS_OBJECT_NAME_ARRAY = 10,   /* precis_objects_name_array() */
	PRECIS_OBJECT_TAG = 11,          /* precis_objects_tag() */
	PRECIS_OBJECT_FORGET = 12,       /* precis_objects_forget() */
	PRECIS_OBJECT_PHASE = 13,        /* precis_objects_phase() */
	PRECIS_OBJECT_TLS = 14,          /* the thread has this block of a module's thread-local variables;
					  * may be told more than once */
	PRECIS_OBJECT_THREAD_STACK = 15, /* the thread has this stack */
	PRECIS_OBJECT_THREAD_END = 16,
	PRECIS_OBJECT_MODULE = 17        /* the code of the program or a library is mapped here, for stacks;
					  * told anew with each library that is loaded */
};

/** Bits of precis_object_event.present: which members the operation has, and which of them are known. */
enum precis_object_member {
	PRECIS_OBJECT_HAS_ADDRESS = 1,
	PRECIS_OBJECT_HAS_BYTES = 2,
	PRECIS_OBJECT_HAS_STACK = 4,
	PRECIS_OBJECT_HAS_NAME = 8,
	PRECIS_OBJECT_HAS_TYPE = 16,
	PRECIS_OBJECT_HAS_ARRAY = 32, /* count and stride */
	PRECIS_OBJECT_HAS_PROBABILITY = 64,
	PRECIS_OBJECT_HAS_FILE_OFFSET = 128
};

/** One event. Members without their bit of 'present' are 0. */
struct precis_object_event {
	uint32_t size;      /* sizeof(struct precis_object_event), set by the caller */
	uint32_t operation; /* enum precis_object_operation */
	uint32_t tid;       /* the thread's id */
	uint32_t present;   /* enum precis_object_member */
	uint64_t time;      /* of the file's clock, see precis_object_file_monotonic() */
	uint64_t address;
	uint64_t bytes;     /* as asked for: what malloc_usable_size() has beyond is slack */
	uint64_t count, stride; /* objects of an array, bytes from one to the next */
	uint32_t stack;     /* for precis_object_file_stack() */
	/** For precis_object_file_string(); of TLS and MODULE the module's path, "" the executable's. */
	uint32_t name;
	uint32_t type;      /* the same; of MODULE its build id in hexadecimal digits */
	uint32_t reserved;
	/** Of ALLOC, REALLOC_ALLOC: that such a block is recorded, 0 to 1. It stands for 1 / probability. */
	double probability;
	uint64_t offset;    /* of its chunk, in the file */
	uint64_t file_offset; /* of MODULE: of what is at 'address', in the module's file */
};

/** Which clock an event's time is of. */
enum precis_object_clock {
	PRECIS_OBJECT_CLOCK_MONOTONIC = 1, /* CLOCK_MONOTONIC, ns */
	PRECIS_OBJECT_CLOCK_TSC = 2        /* the time stamp counter */
};

/** How stacks were found. */
enum precis_object_unwinder {
	PRECIS_OBJECT_NO_STACKS = 0,
	PRECIS_OBJECT_FRAME_POINTERS = 1, /* as far as they led: a function without one is left out */
	PRECIS_OBJECT_CALL_FRAMES = 2     /* by the compilers' unwind tables */
};

/** How the recorder came to its end. */
enum precis_object_end {
	PRECIS_OBJECT_END_UNKNOWN = 0, /* no trailer: killed, or recording still */
	PRECIS_OBJECT_END_EXIT = 1,
	PRECIS_OBJECT_END_IMMEDIATE = 2, /* _exit() */
	PRECIS_OBJECT_END_EXEC = 3,
	PRECIS_OBJECT_END_FILTER = 4 /* a filter of system calls forbade it to go on: seccomp(2) */
};

/** Bits of precis_object_file_info.flags */
enum precis_object_flag {
	PRECIS_OBJECT_SMALL_DROPPED = 1, /* blocks below the threshold are not in the file */
	PRECIS_OBJECT_OTHER_MALLOC = 2,  /* the executable has its own malloc(): no block of the heap is */
	PRECIS_OBJECT_NOT_MAPPED = 4,    /* recordings do not name the file */
	PRECIS_OBJECT_OTHER_NEW = 8,     /* operator new does not call malloc(): no block of it is */
	PRECIS_OBJECT_LARGE_SAMPLED = 16 /* of blocks from the threshold on some are not, from a time on */
};

/** What the file says of itself, and what of it could be read. Strings belong to the file. */
struct precis_object_file_info {
	uint32_t size; /* sizeof(struct precis_object_file_info), set by the caller */
	uint32_t version;
	uint32_t pid;
	uint32_t parent_pid; /* it was forked from that: what lived then is in the parent's file; 0: no */
	uint32_t clock;      /* enum precis_object_clock */
	uint32_t unwinder;   /* enum precis_object_unwinder */
	uint32_t flags;      /* enum precis_object_flag */
	uint32_t end;        /* enum precis_object_end */
	uint64_t start_time, start_monotonic; /* the same moment: of the clock, and ns of CLOCK_MONOTONIC */
	uint64_t threshold;  /* bytes: such blocks are all recorded, but LARGE_SAMPLED; 0: none */
	uint64_t interval;   /* mean bytes between samples, at the begin; 0: no sampling */
	uint64_t seed;
	uint32_t depth;        /* return addresses of a stack at most */
	uint32_t max_overhead; /* per cent of a thread's time: above, fewer blocks are recorded; 0: any */
	const char *executable; /* "": not known */
	const uint8_t *build_id; /* of the executable */
	uint32_t build_id_bytes; /* 0: it has none */
	uint32_t threads;
	uint64_t chunks, events;
	uint64_t events_lost;  /* by the recorder */
	uint64_t chunks_lost;  /* numbers that are missing: each is some thousand events */
	uint64_t bytes_unread; /* of chunks that are damaged or cut off */
	uint64_t stacks, strings;
	uint64_t allocations, allocated; /* blocks and bytes of all threads, recorded or not */
	uint64_t
		own_time; /* what the recorder took, of the clock: of 1 in 64 events, and of each stack
				* that was unwound */
	/* LARGE_SAMPLED: since when, of the file's clock; the most mean bytes between samples of them */
	uint64_t large_sampled_from, large_interval;
	/* of events_lost: the recorder had no memory for them. Where there is no end: 0, and not known */
	uint64_t events_without_memory;
	/* of the clock: from then on the file could not be written, and events may be missing; 0: it could */
	uint64_t lost_from;
};

/** A thread; ids may come again, when one has ended. */
struct precis_object_thread {
	uint32_t size; /* sizeof(struct precis_object_thread), set by the caller */
	uint32_t tid;
	uint64_t first_time, last_time; /* of its events */
	uint64_t fs_base;               /* the end of its block of the executable's thread-local variables */
	uint64_t stack_low, stack_high; /* both 0: not known */
	uint64_t events, events_lost;
	uint64_t allocations, allocated; /* recorded or not: blocks, bytes */
	uint64_t first_interval, last_interval; /* of sampling: more at the end: it cost too much */
	char name[16]; /* the last one, with a NUL */
	/* The most mean bytes between samples, and those of blocks from the threshold on; 0: none */
	uint64_t most_interval, large_interval;
};

/** Moments at which the file's clock and another one were read. */
enum precis_object_moment_kind {
	PRECIS_OBJECT_MOMENT_MONOTONIC = 1, /* CLOCK_MONOTONIC was 'value' ns */
	/**
	 * The thread 'value' was named "precis:", with 'number' in eight hexadecimal digits, and then as
	 * before: the time of the recording's first of these two COMM records lies between.
	 */
	PRECIS_OBJECT_MOMENT_COMM = 2
};

struct precis_object_moment {
	uint32_t size; /* sizeof(struct precis_object_moment), set by the caller */
	uint32_t kind; /* enum precis_object_moment_kind */
	uint32_t number;
	uint32_t reserved;
	uint64_t before, after; /* of the file's clock */
	uint64_t value;
};

/** That another clock was 'time' between these times of the file's. */
struct precis_object_point {
	uint64_t before, after, time;
};

struct precis_object_file_options {
	uint32_t size; /* sizeof(struct precis_object_file_options), set by the caller */
	uint32_t reserved;
	uint64_t memory; /* bytes that may be used, or PRECIS_E_NO_MEMORY; 0: 1 GiB */
	const char *temporary_directory; /* for what comes through a pipe; NULL: $TMPDIR, else /var/tmp */
};

/**
 * Open a side file and look through it: which chunks it has, and all stacks and strings.
 *
 * @param options  NULL for none
 * @param file     set on success; release with precis_object_file_close()
 * @param error    filled on failure; NULL if not wanted; 'size' must be set
 * @return 0; PRECIS_E_NOT_OBJECTS: another kind of file; PRECIS_E_TRUNCATED: it ends in its header;
 *         PRECIS_E_UNSUPPORTED: a later version's; PRECIS_E_IO, PRECIS_E_NO_MEMORY, PRECIS_E_DIRECTORY;
 *         PRECIS_E_ENDIAN: this machine's byte order is not that of the format
 */
PRECIS_API int precis_object_file_open(const char *path, const struct precis_object_file_options *options,
				       struct precis_object_file **file, struct precis_file_error *error);

/**
 * The same from a descriptor. A pipe is first copied to a temporary file.
 *
 * @param fd  is duplicated: it stays the caller's
 */
PRECIS_API int precis_object_file_open_fd(int fd, const struct precis_object_file_options *options,
					  struct precis_object_file **file, struct precis_file_error *error);

/** Close; NULL is allowed. All strings and stacks of the file end with it. */
PRECIS_API void precis_object_file_close(struct precis_object_file *file);

/** What the file says of itself. @return 0 or PRECIS_E_ARGUMENT */
PRECIS_API int precis_object_file_info(const struct precis_object_file *file,
				       struct precis_object_file_info *info);

/** Thread n, in the order of their first events. @return 0; PRECIS_E_ARGUMENT: there are not so many */
PRECIS_API int precis_object_file_thread(const struct precis_object_file *file, uint32_t n,
					 struct precis_object_thread *thread);

/** Warning n met so far (a damaged chunk, ...), or NULL past the last. */
PRECIS_API const char *precis_object_file_warning(const struct precis_object_file *file, uint32_t n);

/**
 * The next event in the order of time. Of equal times, what ends a lifetime comes first, unless the same
 * thread did something before.
 *
 * @param event  'size' must be set
 * @return 1 with an event; 0 at the end; PRECIS_E_IO, PRECIS_E_NO_MEMORY, PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_object_file_next(struct precis_object_file *file, struct precis_object_event *event);

/** Start over at the first event. @return 0, PRECIS_E_ARGUMENT */
PRECIS_API int precis_object_file_rewind(struct precis_object_file *file);

/**
 * A stack's return addresses, the innermost first: of the function that the recorder stands in front of, so
 * that the call is before each. They are absolute: the recording's MMAP records say of which file.
 *
 * @param id         an event's
 * @param addresses  set; belongs to the file
 * @param is_cut     set to 1 if it went on beyond the recorder's depth; NULL if not wanted
 * @return how many; 0: it is not known, nobody walked it or the file has lost it
 */
PRECIS_API uint32_t precis_object_file_stack(const struct precis_object_file *file, uint32_t id,
					     const uint64_t **addresses, uint32_t *is_cut);

/** A string; NULL if there is none of this id, as of 0. */
PRECIS_API const char *precis_object_file_string(const struct precis_object_file *file, uint32_t id);

/** Moment n in the file's order. @return 0; PRECIS_E_ARGUMENT: there are not so many */
PRECIS_API int precis_object_file_moment(const struct precis_object_file *file, uint32_t n,
					 struct precis_object_moment *moment);

/**
 * A time of the file's in ns of CLOCK_MONOTONIC, by its moments.
 *
 * @param error  set to how much it may be wrong, ns
 * @return 0; PRECIS_E_ARGUMENT; PRECIS_E_UNSUPPORTED: fewer than two moments are left of it
 */
PRECIS_API int precis_object_file_monotonic(const struct precis_object_file *file, uint64_t time,
					    uint64_t *ns, uint64_t *error);

/**
 * A time of the file's clock on another one, from points at which both are known: on the straight line
 * between the points before and behind it, or on that of the two nearest.
 *
 * @param points  in the order of 'before'; at least 2 unless the clocks are one
 * @param error   set to the bound: half of what both points leave open, and how far they may be from the
 *                lines of their neighbours, so that a kink between them is in it; of two points alone that is
 *                not known. Beyond the first and last point it is in proportion more
 * @return 0; PRECIS_E_ARGUMENT: fewer than two points, not in order, or the time is ages away from them
 */
PRECIS_API int precis_object_clock_convert(const struct precis_object_point *points, size_t count,
					   uint64_t time, uint64_t *converted, uint64_t *error);

/** "alloc", "realloc-free", ...: as in the manual. NULL: there is no such operation */
PRECIS_API const char *precis_object_operation_name(uint32_t operation);

/** The error of the last call that failed, with its offset. */
PRECIS_API const struct precis_file_error *
precis_object_file_last_error(const struct precis_object_file *file);

PRECIS_END_DECLS

#endif
