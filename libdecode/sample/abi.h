/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The promise of precis(3), "Structures with a size": a program may have been compiled with older
 * headers than the library, or with newer ones, and neither reads or writes what the other does
 * not have.
 *
 * A function that fills or reads a struct of the caller begins with one of the macros below. Where
 * the caller's struct is as long as the library's own they do nothing. Otherwise the function calls
 * itself with a copy that is as long as it expects: what an older program does not have is 0 in
 * the copy and is not written back; what a newer program has beyond the library's struct becomes 0.
 * So the code behind the macro, and all that it calls, knows one layout only.
 *
 * Structs that keep a state between calls (contexts, decoders, rings, walks, filters) need none of
 * this: their size never changes, which is asserted where they are made.
 */
#ifndef PRECIS_SAMPLE_ABI_H
#define PRECIS_SAMPLE_ABI_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <precis/error.h>
#include <precis/sample.h>

/*
 * Sizes that cannot be meant: nothing but 'size', or more than any struct will ever have, which is
 * what a 'size' has that nobody set.
 */
#define ABI_LEAST_BYTES 8u
#define ABI_MOST_BYTES 65536u

static inline uint32_t abi_size(const void *user)
{
	uint32_t size;

	memcpy(&size, user, sizeof(size));
	return size;
}

/* Can that be a struct of the caller's? */
static inline int abi_is_size(const void *user)
{
	return user && abi_size(user) >= ABI_LEAST_BYTES && abi_size(user) <= ABI_MOST_BYTES;
}

static inline int abi_differs(const void *user, size_t known)
{
	return __builtin_expect(!user || abi_size(user) != known, 0);
}

/* The caller's struct as one of 'known' bytes. @return 0 if it is none */
static inline int abi_read(void *copy, const void *user, size_t known)
{
	const uint32_t size = (uint32_t)known;
	uint32_t theirs;

	if (!abi_is_size(user))
		return 0;
	theirs = abi_size(user);
	memset(copy, 0, known);
	memcpy(copy, user, theirs < known ? theirs : known);
	memcpy(copy, &size, sizeof(size));
	return 1;
}

/* Struct n of an array, all of whose structs have the size of the first; a copy if it is another */
static inline const void *abi_at(const void *users, size_t n, void *copy, size_t known)
{
	const void *user = (const char *)users + n * abi_size(users);

	if (!abi_differs(users, known))
		return user;
	abi_read(copy, user, known);
	return copy;
}

/* The copy back into the caller's struct, whose 'size' stays */
static inline void abi_write(void *user, const void *copy, size_t known)
{
	const uint32_t theirs = abi_size(user);
	const size_t both = theirs < known ? theirs : known;

	memcpy((char *)user + sizeof(theirs), (const char *)copy + sizeof(theirs),
	       both - sizeof(theirs));
	memset((char *)user + both, 0, theirs - both);
}

/*
 * A struct with a size of its own lies in the caller's at 'offset', up to the end: that size must
 * not say more than is there.
 */
static inline void abi_fit_last(void *user, size_t offset)
{
	char *last = (char *)user + offset;
	const uint32_t theirs = abi_size(user);
	uint32_t room, size;

	if (theirs < offset + sizeof(size))
		return;
	room = theirs - (uint32_t)offset;
	memcpy(&size, last, sizeof(size));
	if (size > room)
		memcpy(last, &room, sizeof(room));
}

/*
 * A struct that the function reads: if it is not of the library's size, return 'call', the same
 * call with '&abi' in its place.
 */
#define ABI_IN_OR(failure, type, user, call)                                                       \
	do {                                                                                       \
		if (abi_differs((user), sizeof(type))) {                                           \
			type abi;                                                                  \
			if (!abi_read(&abi, (user), sizeof(abi)))                                  \
				return (failure);                                                  \
			return (call);                                                             \
		}                                                                                  \
	} while (0)

#define ABI_IN(type, user, call) ABI_IN_OR(PRECIS_E_ARGUMENT, type, user, call)

/* A struct that the function fills, or reads and changes */
#define ABI_OUT(type, user, call)                                                                  \
	do {                                                                                       \
		if (abi_differs((user), sizeof(type))) {                                           \
			int abi_code;                                                              \
			type abi;                                                                  \
			if (!abi_read(&abi, (user), sizeof(abi)))                                  \
				return PRECIS_E_ARGUMENT;                                          \
			abi_code = (call);                                                         \
			abi_write((user), &abi, sizeof(abi));                                      \
			return abi_code;                                                           \
		}                                                                                  \
	} while (0)

/* One that ends in a struct that has a size of its own */
#define ABI_OUT_ENDING_IN(type, member, user, call)                                                \
	do {                                                                                       \
		if (abi_differs((user), sizeof(type))) {                                           \
			int abi_code;                                                              \
			type abi;                                                                  \
			if (!abi_read(&abi, (user), sizeof(abi)))                                  \
				return PRECIS_E_ARGUMENT;                                          \
			abi_code = (call);                                                         \
			abi_write((user), &abi, sizeof(abi));                                      \
			abi_fit_last((user), offsetof(type, member));                              \
			return abi_code;                                                           \
		}                                                                                  \
	} while (0)

/* One that may be NULL */
#define ABI_MAY_IN(type, user, call)                                                               \
	do {                                                                                       \
		if (user)                                                                          \
			ABI_IN(type, user, call);                                                  \
	} while (0)

#define ABI_MAY_OUT(type, user, call)                                                              \
	do {                                                                                       \
		if (user)                                                                          \
			ABI_OUT(type, user, call);                                                 \
	} while (0)

/*
 * The sample, whose last member is as long as the catalogue: fields that the caller has no room for
 * are not present in his sample, and values of fields that only he knows are left alone.
 */
#define ABI_SAMPLE(user, call)                                                                     \
	do {                                                                                       \
		if (abi_differs((user), sizeof(struct precis_sample))) {                           \
			int abi_code;                                                              \
			struct precis_sample abi;                                                  \
			if (!precis_abi_read_sample(&abi, (user)))                                 \
				return PRECIS_E_ARGUMENT;                                          \
			abi_code = (call);                                                         \
			precis_abi_write_sample((user), &abi);                                     \
			return abi_code;                                                           \
		}                                                                                  \
	} while (0)

/*
 * Is either of another size than here? 'perf' may be NULL. Functions that are called for each sample
 * leave such callers to one apart: its copies would weigh on the stack of all.
 */
#define ABI_SAMPLES_DIFFER(perf, sample)                                                           \
	(__builtin_expect((perf) && abi_size(perf) != sizeof(*(perf)), 0) ||                       \
	 abi_differs((sample), sizeof(struct precis_sample)))

#define ABI_SAMPLE_LEAST offsetof(struct precis_sample, value)

/* Fields that a sample of this size has room for */
static inline size_t abi_sample_fields(uint32_t size)
{
	size_t fields = (size - ABI_SAMPLE_LEAST) / sizeof(uint64_t);

	return fields < PRECIS_FIELD_COUNT ? fields : PRECIS_FIELD_COUNT;
}

/* The copy back into the caller's sample, whose 'size' stays */
static inline void abi_write_sample(struct precis_sample *user, const struct precis_sample *copy)
{
	const uint32_t size = user->size;
	const size_t fields = abi_sample_fields(size);

	memcpy(user, copy, ABI_SAMPLE_LEAST + fields * sizeof(copy->value[0]));
	user->size = size;
	for (size_t field = fields; field < PRECIS_FIELD_COUNT; field++)
		precis_fields_remove(user->present, (uint32_t)field);
}

int precis_abi_read_sample(struct precis_sample *copy, const struct precis_sample *user);
/* abi_write_sample() for who calls it in many places */
void precis_abi_write_sample(struct precis_sample *user, const struct precis_sample *copy);

/* The size of a struct that keeps a state, where pointers have 64 bits: the same for good */
#define ABI_FIXED(type, bytes)                                                                     \
	_Static_assert(sizeof(void *) != 8 || sizeof(type) == (bytes), "its size is part of the ABI")

/* Words of a set that have fields. The others are 0 in every sample. */
#define FIELD_WORDS ((PRECIS_FIELD_COUNT + 63) / 64)
_Static_assert(FIELD_WORDS <= PRECIS_FIELD_WORDS, "a set has room for the catalogue");

/* What NULL for a set of wanted fields means */
extern const uint64_t precis_all_fields[PRECIS_FIELD_WORDS];

/* The fields of the last word that exist: a caller's struct is not believed to hold no other. */
#define LAST_WORD_FIELDS (~UINT64_C(0) >> (64 * FIELD_WORDS - PRECIS_FIELD_COUNT))

/* Of a word of a set: fields that were in the sample, and will not be now, read as absent. */
static inline void sample_forget(struct precis_sample *sample, uint32_t word, uint64_t stale)
{
	if (word == FIELD_WORDS - 1)
		stale &= LAST_WORD_FIELDS;
	for (; stale; stale &= stale - 1)
		sample->value[64 * word + (uint32_t)__builtin_ctzll(stale)] = UINT64_MAX;
}

#endif
