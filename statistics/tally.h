/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counting by key in bounded memory, exactly: samples of instructions, pages, lines.
 *
 * A hash table with open addressing that doubles up to a size given beforehand.
 * From then on keys that are in it are still counted; what to do with new ones is
 * up to the caller: heavy.h has what the table is to be emptied into.
 */
#ifndef STATISTICS_TALLY_H
#define STATISTICS_TALLY_H

#include <stddef.h>
#include <stdint.h>

/* As small as can be: most of a table is not near the processor, and each sample looks at one. */
struct tally_entry {
	uint64_t space; /* whose address: a pid, or what the caller has for the kernel */
	uint64_t address;
	uint64_t samples; /* tally_add() counts them */
	uint32_t sums; /* which, from 1; 0: it has none */
};

/* Further columns of those entries that need them, for the caller to add to */
struct tally_sums {
	uint64_t weight; /* for example the sum of periods */
	uint64_t squares[2]; /* of weights: weight_sum_add() */
	uint64_t latency_sum; /* each times what its sample weighs */
	uint64_t latency_count; /* samples that have a latency */
	uint64_t latency_weight; /* the weight of those */
	uint64_t latency_squares[2]; /* of what samples add to 'latency_sum', likewise */
};

/*
 * Multiply-shift hashing with random odd factors (Dietzfelbinger et al., "A
 * Reliable Randomized Algorithm for the Closest-Pair Problem", 1997): no
 * recording can be made such that its addresses collide.
 */
struct tally_hash {
	uint64_t factor[2];
};

void tally_hash_begin(struct tally_hash *hash);

/** The upper bits are the key's place in a table. */
static inline uint64_t tally_hash_of(const struct tally_hash *hash, uint64_t space, uint64_t address)
{
	return address * hash->factor[0] + space * hash->factor[1];
}

struct tally {
	struct tally_entry *slot; /* samples == 0: free */
	struct tally_sums *sums; /* 'sums_count' of them */
	uint32_t sums_count, sums_room;
	/* All samples weigh that, and weights of sums stay 0, until tally_weigh(); up to the caller */
	uint64_t each;
	int is_weighed;
	struct tally_hash hash;
	uint32_t shift; /* 64 - log2(slots) */
	uint32_t bits; /* log2(slots) */
	uint32_t count, limit; /* keys in it; grow at 'limit' */
	uint32_t max_bits; /* for growing */
	uint64_t untracked; /* samples of keys that found no room: tally_add() gave NULL */
};

/**
 * @param max_bytes  of the table at its largest; while it grows, half as much
 *                   again is needed. At least 64 keys have room in any case
 * @return 0, or -1 if memory is short
 */
int tally_init(struct tally *tally, size_t max_bytes);
void tally_free(struct tally *tally);

/** Forget all keys and how they weighed, and keep the memory. */
void tally_clear(struct tally *tally);

/**
 * All entries in the order of their keys: by 'space', and those of one space by 'address'.
 * @param entries  room for tally.count of them
 * @return 0, or -1 if memory is short
 */
int tally_sort(const struct tally *tally, const struct tally_entry **entries);

/** Out of line part of tally_add(): a key that is not at home in its first slot. */
struct tally_entry *tally_add_slow(struct tally *tally, uint64_t space, uint64_t address,
				   size_t at);

/* 'hash': the key's */
static inline size_t tally_home(const struct tally *tally, uint64_t hash)
{
	return (size_t)(hash >> tally->shift);
}

/** Out of line part of tally_sums(). */
struct tally_sums *tally_new_sums(struct tally *tally, struct tally_entry *entry);

/** The sums of an entry, 0 at first, valid until others are asked for. @return NULL if memory is short */
static inline struct tally_sums *tally_sums(struct tally *tally, struct tally_entry *entry)
{
	return entry->sums ? &tally->sums[entry->sums - 1] : tally_new_sums(tally, entry);
}

/**
 * From here on samples weigh differently: entries have sums with what theirs weighed so far.
 * @return 0, or -1 if memory is short
 */
int tally_weigh(struct tally *tally);

/** Say that an entry will be looked at soon … */
static inline void tally_expect_entry(const struct tally_entry *entry)
{
	__builtin_prefetch(entry);
}

/** … and that it will be told, once it is near the processor */
static inline void tally_expect_sums(const struct tally *tally, const struct tally_entry *entry)
{
	if (entry->sums)
		__builtin_prefetch(&tally->sums[entry->sums - 1]);
}

/** What an entry's sums are, or would be */
struct tally_sums tally_told(const struct tally *tally, const struct tally_entry *entry);

/** Say that the key will be counted soon: its entry is then on the way from memory. @return its hash */
static inline uint64_t tally_expect(const struct tally *tally, uint64_t space, uint64_t address)
{
	const uint64_t hash = tally_hash_of(&tally->hash, space, address);

	__builtin_prefetch(&tally->slot[tally_home(tally, hash)], 1);
	return hash;
}

/**
 * Count a sample of a key whose hash is known.
 * @return the key's entry, for adding to its sums, valid until the next call;
 *         NULL if the sample is untracked
 */
static inline struct tally_entry *tally_add_expected(struct tally *tally, uint64_t hash, uint64_t space,
						     uint64_t address)
{
	size_t at = tally_home(tally, hash);
	struct tally_entry *entry = &tally->slot[at];

	if (__builtin_expect(
		    entry->address == address && entry->space == space && entry->samples != 0, 1)) {
		entry->samples++;
		return entry;
	}
	return tally_add_slow(tally, space, address, at);
}

/** The same of one that nobody expected */
static inline struct tally_entry *tally_add(struct tally *tally, uint64_t space, uint64_t address)
{
	return tally_add_expected(tally, tally_hash_of(&tally->hash, space, address), space, address);
}

#endif
