/* SPDX-License-Identifier: BSD-3-Clause */
/* See stacks.h. */
#include "stacks.h"

#include <errno.h>
#include <unwind.h>

#include "arena.h"
#include "call_frames.h"
#include "clock.h"
#include "code_changes.h"
#include "definitions.h"
#include "libdecode/objects/format.h"
#include "libraries.h"
#include "system.h"

#define BUCKETS_LOG 16u
#define BUCKETS ((size_t)1 << BUCKETS_LOG)
/* So many stacks of one depth are looked at: where there are more, as of a recursion, to walk is quicker. */
#define SEEN_MOST 8u
#define PAGE 4096u
#define FRAME_MOST ((uint64_t)1 << 20) /* bytes, of a stack of which the end is not known */
#define PIECES_MOST 256u /* of the arena */

#define GONE UINT64_MAX /* depth of a stack with code that is gone */

/* A stack that was unwound: where its return addresses stood, in words from the first one */
struct seen {
	struct seen *next;
	uint64_t depth; /* bytes from the first return address to the end of the stack */
	const struct definition *stack;
	uint32_t has_alike; /* 1: others have their return addresses at the same places */
	uint32_t places[];
};

/* A stack with its return addresses where those of another stood: a recursion by several calls makes many. */
struct alike {
	struct alike *next;
	const struct seen *first; /* of these places */
	const struct definition *stack;
};

/* One that is being unwound */
struct walk {
	uint64_t start; /* the address that the first return address stands at */
	uint64_t last; /* that of the last one */
	uint32_t count, flags;
	uint32_t can_be_kept;
	uint64_t addresses[OBJECTS_DEPTH_MOST];
	uint32_t places[OBJECTS_DEPTH_MOST];
};

static struct seen **buckets;
static struct alike **alike_buckets; /* by what stands at the places of the first */
static struct arena arena = { .pieces_most = PIECES_MOST };
static uint32_t unwinder, depth_most;
static int unloading; /* threads that are about to unload libraries */

static void begin_walk(struct walk *walk, const uint64_t *start)
{
	walk->start = walk->last = (uint64_t)start;
	walk->count = walk->flags = 0;
}

/* @param is_exact  no return address, and at no place. @return 0: that was the last one */
static int add_frame(struct walk *walk, uint64_t place, uint64_t address, int is_exact)
{
	if (!address)
		return 0;
	if (walk->count == depth_most) {
		walk->flags = OBJECTS_STACK_CUT;
		return 0;
	}
	if (is_exact || place < walk->last || (place - walk->start) / 8 > UINT32_MAX ||
	    *(const uint64_t *)place != address)
		walk->can_be_kept = 0; /* a signal's frame, a stack that was changed */
	walk->last = place;
	walk->addresses[walk->count] = address;
	walk->places[walk->count++] = (uint32_t)((place - walk->start) / 8);
	return 1;
}

static _Unwind_Reason_Code take_frame(struct _Unwind_Context *context, void *data)
{
	struct walk *walk = data;
	uint64_t place = (uint64_t)_Unwind_GetCFA(context) - sizeof(uint64_t);
	uint64_t address;
	int is_exact = 0;

	if (!walk->count && place != walk->start)
		return _URC_NO_REASON; /* the recorder's own frames */
	address = (uint64_t)_Unwind_GetIPInfo(context, &is_exact);
	return add_frame(walk, place, address, is_exact) ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

static uint64_t page_end(uint64_t address)
{
	return (address + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

static int is_on(const struct stack_bounds *bounds, uint64_t address)
{
	return address > bounds->low && address < bounds->high;
}

/*
 * A stack that is not the thread's own, as of a coroutine or a signal handler, goes on as far as pages can be
 * read. @return 1: up to 'end', and 'top' is not below it
 */
static int is_longer(uint64_t *top, uint64_t end)
{
	if (end > *top + FRAME_MOST)
		return 0;
	while (*top < end && is_readable(*top))
		*top += PAGE;
	return *top >= end;
}

/*
 * Whatever made such a stack may have put nothing that leads to an end at its upper one, where pages may be
 * of something else, or not readable. @return 0: that is all that there is; -1, -2: not all of it is known by
 * that
 */
static int walk_by_lines(struct walk *walk, const uint64_t *start,
			 const struct stack_bounds *bounds, uint64_t libraries)
{
	struct call_frame frame = {
		.address = *start,
		.stack_pointer = (uint64_t)(start + 1),
		.frame_pointer = start[-1],
	};
	int is_own = is_on(bounds, (uint64_t)start), step = 0;
	uint64_t top = is_own ? bounds->high : page_end(frame.stack_pointer), end;

	begin_walk(walk, start);
	while (step == 0 && add_frame(walk, frame.stack_pointer - 8, frame.address, frame.is_exact)) {
		step = call_frames_step(&frame, top, libraries, &end);
		if (step == CALL_FRAMES_BEYOND && !is_own && is_longer(&top, end))
			step = call_frames_step(&frame, top, libraries, &end);
		if (step == 0 && frame.is_exact) { /* the handler's stack may be another one */
			is_own = is_on(bounds, frame.stack_pointer);
			top = is_own ? bounds->high : page_end(frame.stack_pointer);
		}
	}
	return is_own ? step : 0;
}

static void walk_by_unwinder(struct walk *walk, const uint64_t *start)
{
	begin_walk(walk, start);
	_Unwind_Backtrace(take_frame, walk);
	if (!walk->count) { /* no tables at all */
		walk->addresses[0] = *start;
		walk->places[0] = 0;
		walk->count = 1;
	}
}

int stacks_begin(uint32_t chosen, uint32_t depth)
{
	struct walk none = { .start = UINT64_MAX };

	unwinder = chosen;
	depth_most = depth;
	if (unwinder != OBJECTS_NO_UNWINDER && code_changes_begin())
		return -1;
	if (unwinder != OBJECTS_CALL_FRAMES)
		return 0;
	buckets = own_memory(BUCKETS * sizeof(*buckets));
	alike_buckets = own_memory(BUCKETS * sizeof(*alike_buckets));
	/* Whatever the unwinder sets up when it is used first, now */
	_Unwind_Backtrace(take_frame, &none);
	return buckets && alike_buckets && call_frames_begin() == 0 ? 0 : -1;
}

int stacks_are_walked(void)
{
	return unwinder != OBJECTS_NO_UNWINDER;
}

void stacks_clear(void)
{
	unloading = 0;
	code_changes_mend();
	if (!buckets)
		return;
	own_memory_clear(buckets, BUCKETS * sizeof(*buckets));
	own_memory_clear(alike_buckets, BUCKETS * sizeof(*alike_buckets));
	arena_clear(&arena);
}

static struct seen **bucket_of(uint64_t address, uint64_t depth)
{
	uint64_t hash = (address ^ depth << 24) * UINT64_C(0x9e3779b97f4a7c15);

	return &buckets[hash >> (64 - BUCKETS_LOG)];
}

/*
 * Are all return addresses of a stack where they were? Those places are all above the first, and below the
 * stack's end.
 */
static int is_here(const struct definition *stack, const uint32_t *places, const uint64_t *start)
{
	for (uint32_t n = 0; n < stack->count; n++)
		if (start[places[n]] != stack->words[n])
			return 0;
	return 1;
}

/* No product waits for the one before. */
static struct alike **alike_bucket(const struct seen *first, const uint64_t *start)
{
	uint64_t sum = (uint64_t)first, factor = 1;

	for (uint32_t n = 0; n < first->stack->count; n++) {
		sum += start[first->places[n]] * factor;
		factor += 2 * UINT64_C(0x9e3779b97f4a7c15);
	}
	return &alike_buckets[(sum * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - BUCKETS_LOG)];
}

static const struct definition *find_alike(const struct seen *first, const uint64_t *start)
{
	const struct alike *alike = __atomic_load_n(alike_bucket(first, start), __ATOMIC_ACQUIRE);

	while (alike && (__atomic_load_n(&alike->first, __ATOMIC_ACQUIRE) != first ||
			 !is_here(alike->stack, first->places, start)))
		alike = alike->next;
	return alike ? alike->stack : NULL;
}

/* One of code that is gone. @return NULL: there is none */
static struct alike *take_alike(struct alike *alike)
{
	static const struct seen taken;

	for (; alike; alike = alike->next) {
		const struct seen *none = NULL;

		if (__atomic_compare_exchange_n(&alike->first, &none, &taken, 0, __ATOMIC_ACQUIRE,
						__ATOMIC_RELAXED))
			return alike;
	}
	return NULL;
}

static void keep_alike(struct seen *first, const struct definition *stack, const uint64_t *start)
{
	struct alike **bucket = alike_bucket(first, start),
		     *alike = take_alike(__atomic_load_n(bucket, __ATOMIC_ACQUIRE));

	if (alike) { /* where it has been all the time */
		alike->stack = stack;
		__atomic_store_n(&alike->first, first, __ATOMIC_RELEASE);
		return;
	}
	alike = arena_take(&arena, sizeof(*alike));
	if (!alike)
		return;
	alike->first = first;
	alike->stack = stack;
	alike->next = __atomic_load_n(bucket, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(bucket, &alike->next, alike, 0, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
	__atomic_store_n(&first->has_alike, 1, __ATOMIC_RELEASE);
}

/* Those of that depth in a bucket, one after the other. NULL: that was the last one */
static struct seen *next_seen(struct seen *seen, uint64_t depth)
{
	while (seen && __atomic_load_n(&seen->depth, __ATOMIC_ACQUIRE) != depth)
		seen = seen->next;
	return seen;
}

/* Where there was a stack with as many return addresses, of code that is gone, it is this one from now on. */
static int take_place(struct seen *seen, const struct definition *stack, const struct walk *walk,
		      uint64_t depth)
{
	const size_t bytes = stack->count * sizeof(uint32_t);

	for (; (seen = next_seen(seen, GONE)) != NULL; seen = seen->next) {
		uint64_t gone = GONE;

		if (seen->stack->count != stack->count ||
		    memcmp(seen->places, walk->places, bytes) != 0 ||
		    !__atomic_compare_exchange_n(&seen->depth, &gone, GONE - 1, 0, __ATOMIC_ACQUIRE,
						 __ATOMIC_RELAXED))
			continue;
		seen->stack = stack;
		__atomic_store_n(&seen->depth, depth, __ATOMIC_RELEASE);
		return 1;
	}
	return 0;
}

static void keep(struct seen **bucket, const struct definition *stack, const struct walk *walk,
		 uint64_t depth)
{
	const size_t bytes = stack->count * sizeof(uint32_t);
	struct seen *seen = next_seen(__atomic_load_n(bucket, __ATOMIC_ACQUIRE), depth);
	uint32_t others = 0;

	for (; seen; seen = next_seen(seen->next, depth)) {
		if (seen->stack->count == stack->count && memcmp(seen->places, walk->places, bytes) == 0) {
			keep_alike(seen, stack, (const uint64_t *)walk->start);
			return;
		}
		if (++others == SEEN_MOST)
			return;
	}
	if (take_place(__atomic_load_n(bucket, __ATOMIC_ACQUIRE), stack, walk, depth))
		return;
	seen = arena_take(&arena, sizeof(*seen) + bytes);
	if (!seen)
		return;
	seen->depth = depth;
	seen->stack = stack;
	seen->has_alike = 0;
	memcpy(seen->places, walk->places, bytes);
	seen->next = __atomic_load_n(bucket, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(bucket, &seen->next, seen, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

/* NULL: none of those that are kept */
static const struct definition *find_seen(struct seen *const *bucket, const uint64_t *start, uint64_t depth)
{
	struct seen *seen = next_seen(__atomic_load_n(bucket, __ATOMIC_ACQUIRE), depth);
	const struct definition *alike;

	for (; seen; seen = next_seen(seen->next, depth)) {
		if (is_here(seen->stack, seen->places, start))
			return seen->stack;
		alike = __atomic_load_n(&seen->has_alike, __ATOMIC_ACQUIRE) ? find_alike(seen, start) : NULL;
		if (alike)
			return alike;
	}
	return NULL;
}

/* What is kept of stacks with code that is gone is not to be found any more. */
static void forget_gone(void)
{
	for (size_t n = 0; buckets && n < BUCKETS; n++) {
		for (struct seen *seen = __atomic_load_n(&buckets[n], __ATOMIC_ACQUIRE); seen;
		     seen = seen->next)
			if (code_changes_are_at(seen->stack->words, seen->stack->count))
				__atomic_store_n(&seen->depth, GONE, __ATOMIC_RELEASE);
		for (struct alike *alike = __atomic_load_n(&alike_buckets[n], __ATOMIC_ACQUIRE);
		     alike; alike = alike->next)
			if (code_changes_are_at(alike->stack->words, alike->stack->count))
				__atomic_store_n(&alike->first, NULL, __ATOMIC_RELEASE);
	}
}

static void notice_code(uint64_t libraries)
{
	if (code_changes_notice(libraries))
		forget_gone();
}

void stacks_unload_begins(void)
{
	if (!stacks_are_walked())
		return;
	notice_code(libraries_changes());
	__atomic_fetch_add(&unloading, 1, __ATOMIC_SEQ_CST);
}

void stacks_unload_ends(void)
{
	if (!stacks_are_walked())
		return;
	notice_code(libraries_changes());
	__atomic_fetch_sub(&unloading, 1, __ATOMIC_SEQ_CST);
}

static uint32_t defined(const struct walk *walk, struct seen **bucket, uint64_t depth)
{
	const uint64_t code = code_changes_identity(walk->addresses, walk->count);
	const struct definition *stack =
		definition_of_stack(walk->addresses, walk->count, walk->flags, code);

	if (stack && walk->can_be_kept && walk->places[walk->count - 1] < depth / 8)
		keep(bucket, stack, walk, depth);
	return stack ? stack->id : 0;
}

/* @param bucket  where to keep it; NULL: not on the thread's own stack */
static __attribute__((noinline)) uint32_t unwind(const uint64_t *start, struct seen **bucket,
						 const struct stack_bounds *bounds, struct own_time *own)
{
	const uint64_t begin = ticks_now(), depth = bounds->high - (uint64_t)start;
	const uint64_t libraries = libraries_changes();
	const int saved = errno;
	struct walk walk;
	uint64_t begin_ns;
	uint32_t id;

	notice_code(libraries);
	walk.can_be_kept = bucket != NULL;
	if (walk_by_lines(&walk, start, bounds, libraries) == 0) {
		id = defined(&walk, bucket, depth);
		own->ticks += own_ticks_since(begin);
	} else {
		begin_ns = clock_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
		walk_by_unwinder(&walk, start);
		id = defined(&walk, bucket, depth);
		own->ns += clock_nanoseconds(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
	}
	errno = saved;
	return id;
}

static uint32_t unwound(const uint64_t *start, const struct stack_bounds *bounds, struct own_time *own)
{
	const uint64_t depth = bounds->high - (uint64_t)start;
	const struct definition *seen;
	struct seen **bucket;

	if (!is_on(bounds, (uint64_t)start))
		return unwind(start, NULL, bounds, own);
	bucket = bucket_of(*start, depth);
	seen = __builtin_expect(__atomic_load_n(&unloading, __ATOMIC_RELAXED) > 0, 0)
		       ? NULL
		       : find_seen(bucket, start, depth);
	return seen ? seen->id : unwind(start, bucket, bounds, own);
}

static uint32_t chained_stack(const uint64_t *addresses, uint32_t count, uint32_t flags)
{
	const struct definition *stack = definition_of_stack(
		addresses, count, flags, code_changes_identity(addresses, count));

	return stack ? stack->id : 0;
}

/* By frame pointers, as far as they lead up the stack */
static uint32_t chained(const uint64_t *frame, const struct stack_bounds *bounds)
{
	const int is_own = is_on(bounds, (uint64_t)frame);
	uint64_t addresses[OBJECTS_DEPTH_MOST];
	uint32_t count = 0;

	for (;;) {
		uint64_t next = frame[0];

		addresses[count++] = frame[1];
		if (next <= (uint64_t)frame || next < bounds->low || next > bounds->high - 16 || next % 8 ||
		    !is_own || !((const uint64_t *)next)[1])
			break;
		if (count == depth_most)
			return chained_stack(addresses, count, OBJECTS_STACK_CUT);
		frame = (const uint64_t *)next;
	}
	return chained_stack(addresses, count, 0);
}

uint32_t stack_of(const uint64_t *frame, const struct stack_bounds *bounds, struct own_time *own)
{
	switch (unwinder) {
	case OBJECTS_CALL_FRAMES:
		return unwound(frame + 1, bounds, own);
	case OBJECTS_FRAME_POINTERS: return chained(frame, bounds);
	default: return 0;
	}
}
