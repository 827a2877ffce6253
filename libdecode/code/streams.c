/* SPDX-License-Identifier: BSD-3-Clause */
/* See streams.h. */
#include "streams.h"

#include <string.h>

#include <precis/fields.h>

#include "libdecode/sample/branch_entry.h"

#define CPUMODE_MASK 7u /* of a record's misc: PERF_RECORD_MISC_CPUMODE_MASK */

/* branch_sample_type: PERF_SAMPLE_BRANCH_* */
#define BRANCH_USER (UINT64_C(1) << 0)
#define BRANCH_KERNEL (UINT64_C(1) << 1)
#define BRANCH_HYPERVISOR (UINT64_C(1) << 2)
#define BRANCH_ANY (UINT64_C(1) << 3)
#define BRANCH_HW_INDEX (UINT64_C(1) << 17)

static const struct {
	uint64_t bits;
	const char *text;
} refusals[] = {
	{ 0, "usable" },
#define REFUSAL(name, bits, text) { bits, text },
#include "refusals.def"
#undef REFUSAL
};

static const struct {
	int is_kept;
	const char *text;
} fates[] = {
#define FATE(name, is_kept, text) { is_kept, text },
#include "fates.def"
#undef FATE
};

int code_stacks_are_synthesized(uint64_t sample_type, uint64_t branch_sample_type)
{
	return (sample_type & PRECIS_SAMPLE_BRANCH_STACK) && !(branch_sample_type & ~BRANCH_HW_INDEX);
}

uint32_t code_stacks_refusal(uint64_t sample_type, uint64_t branch_sample_type)
{
	if (!(sample_type & PRECIS_SAMPLE_BRANCH_STACK))
		return CODE_STACKS_NO_STACK;
	if (code_stacks_are_synthesized(sample_type, branch_sample_type))
		return CODE_STACKS_USABLE;
	for (uint32_t n = CODE_STACKS_USABLE + 1; n < CODE_REFUSALS; n++) {
		if (branch_sample_type & refusals[n].bits)
			return n;
	}
	return branch_sample_type & BRANCH_ANY ? CODE_STACKS_USABLE : CODE_STACKS_NOT_ANY;
}

const char *code_refusal_text(uint32_t refusal)
{
	return refusal < CODE_REFUSALS ? refusals[refusal].text : "unknown reason";
}

const char *code_fate_text(uint32_t fate)
{
	return fate < CODE_FATES ? fates[fate].text : "unknown reason";
}

int code_fate_is_kept(uint32_t fate)
{
	return fate < CODE_FATES && fates[fate].is_kept;
}

uint64_t code_stacks_type(uint64_t branch_sample_type, int excludes_kernel, int excludes_user)
{
	if (branch_sample_type & (BRANCH_USER | BRANCH_KERNEL | BRANCH_HYPERVISOR))
		return branch_sample_type;
	return branch_sample_type | (excludes_kernel ? 0 : BRANCH_KERNEL) |
	       (excludes_user ? 0 : BRANCH_USER);
}

void code_streams_init(struct code_streams *streams, uint64_t branch_sample_type)
{
	const uint64_t rings = branch_sample_type & (BRANCH_USER | BRANCH_KERNEL);

	*streams = (struct code_streams){ .one_ring = rings == BRANCH_USER || rings == BRANCH_KERNEL };
}

static int is_kernels(uint64_t address)
{
	return address >> 63 != 0;
}

static inline enum code_fate fate_of(uint64_t target, uint64_t source)
{
	/* Nearly all: both are of user space, and one behind the other, or the difference were larger */
	if ((target != 0) & (source - target <= CODE_RANGE_BYTES_MOST) &
	    (source >> (CODE_ADDRESS_BITS - 1) == 0))
		return CODE_FATE_KEPT;
	if (!code_is_address(target) || !code_is_address(source))
		return CODE_FATE_NO_ADDRESS;
	if (is_kernels(target) != is_kernels(source))
		return CODE_FATE_RINGS;
	if (source < target)
		return CODE_FATE_BACKWARD;
	return source - target > CODE_RANGE_BYTES_MOST ? CODE_FATE_TOO_LONG : CODE_FATE_KEPT;
}

enum code_fate code_fate_of(struct code_jump older, struct code_jump newer)
{
	return fate_of(older.to, newer.from);
}

int code_stack_is_not_frozen(const struct precis_perf_sample *sample)
{
	struct branch_entry newest;

	return (sample->misc & CPUMODE_MASK) == PRECIS_CPUMODE_USER &&
	       branch_entry_at(sample, 0, &newest) && is_kernels(newest.to);
}

/* What was no branch on the path, of what is recorded */
static int is_left_out(struct code_streams *streams, const struct branch_entry *entry)
{
	if (branch_flag(entry->flags, BRANCH_SPECULATION) == PRECIS_SPECULATION_WRONG_PATH) {
		streams->wrong_path++;
		return 1;
	}
	/* Entries are filtered where they enter the other ring, and not where they leave it. */
	if (is_kernels(entry->from ^ entry->to) && streams->one_ring &&
	    code_is_address(entry->from) && code_is_address(entry->to)) {
		streams->other_ring++;
		return 1;
	}
	return 0;
}

/* Can it be? Hardly one is: both questions at once */
static inline int may_be_left_out(const struct branch_entry *entry)
{
	return (branch_flag(entry->flags, BRANCH_SPECULATION) == PRECIS_SPECULATION_WRONG_PATH) |
	       is_kernels(entry->from ^ entry->to);
}

/* Ranges between two equal entries. @return 1: that of the newest ones, which is counted apart */
static int is_copy(struct code_streams *streams, uint32_t place)
{
	if (place < CODE_PLACES)
		streams->copies[place]++;
	return !place;
}

uint32_t code_streams_jumps(struct code_streams *streams, const struct precis_perf_sample *sample,
			    struct code_jump branches[CODE_JUMPS_MOST])
{
	const uint64_t entries = branch_entries(sample);
	const uint8_t *data = sample->branches.data;
	/* 'kept' is nearly all of them: in memory each addition would wait for the last one */
	uint64_t at, last = 0, kept = 0, newer_from = 0, newer_to = 0;
	uint32_t count = 0;

	streams->stacks++;
	for (at = 0; at < entries && count < CODE_JUMPS_MOST; at++) {
		const struct branch_entry entry = branch_entry_read(data + at * sizeof(entry));

		if (may_be_left_out(&entry) && is_left_out(streams, &entry))
			continue;
		branches[count].from = entry.from;
		branches[count].to = entry.to;
		/* Equal, and nothing stood between them that was no copy of either */
		if (count && !(entry.from == newer_from && entry.to == newer_to && at == last + 1 &&
			       is_copy(streams, count - 1))) {
			const enum code_fate fate = fate_of(entry.to, newer_from);

			if (fate == CODE_FATE_KEPT)
				kept++;
			else
				streams->fates[fate]++;
		}
		newer_from = entry.from;
		newer_to = entry.to;
		last = at;
		count++;
	}
	streams->depths[count <= CODE_PLACES ? count : CODE_PLACES + 1]++;
	streams->fates[CODE_FATE_KEPT] += kept;
	streams->entries += at;
	return count;
}

void code_streams_again(struct code_streams *streams, uint32_t entries, uint64_t copies)
{
	streams->stacks++;
	streams->entries += entries;
	streams->depths[entries <= CODE_PLACES ? entries : CODE_PLACES + 1]++;
	streams->fates[CODE_FATE_KEPT] += entries - 1 - (copies & 1);
	for (uint32_t n = 0; copies; n++, copies >>= 1)
		streams->copies[n] += copies & 1;
}

/*
 * The newest pair is equal more often than at the place that has most, by more than four standard
 * deviations of both counts: of a thousand recordings without copies none is taken for one that has them.
 */
int code_newest_is_copied(const uint64_t *pairs, const uint64_t *copies, uint32_t places)
{
	double newest, most = 0, of_most = 0, variance;

	if (!places || !pairs[0] || !copies[0])
		return 0;
	newest = (double)copies[0] / (double)pairs[0];
	for (uint32_t n = 1; n < places; n++) {
		double rate;

		/* One more than was seen, of places that few stacks have */
		if (!pairs[n])
			break;
		rate = ((double)copies[n] + 1) / ((double)pairs[n] + 1);
		if (rate > most) {
			most = rate;
			of_most = (double)pairs[n];
		}
	}
	if (of_most == 0) /* no other pair that could tell */
		return 0;
	variance = newest * (1 - newest) / (double)pairs[0] + most * (1 - most) / of_most;
	return newest > most && (newest - most) * (newest - most) > 16 * variance;
}

int code_streams_drop_duplicates(const struct code_streams *streams)
{
	uint64_t pairs[CODE_PLACES], longer = streams->depths[CODE_PLACES + 1];

	for (uint32_t n = CODE_PLACES; n-- > 0;) {
		pairs[n] = longer;
		longer += streams->depths[n + 1];
	}
	return code_newest_is_copied(pairs, streams->copies, CODE_PLACES);
}

void code_streams_merge(struct code_streams *streams, const struct code_streams *other)
{
	streams->stacks += other->stacks;
	streams->entries += other->entries;
	streams->wrong_path += other->wrong_path;
	streams->other_ring += other->other_ring;
	for (uint32_t n = 0; n < CODE_FATES; n++)
		streams->fates[n] += other->fates[n];
	for (uint32_t n = 0; n < CODE_PLACES; n++)
		streams->copies[n] += other->copies[n];
	for (uint32_t n = 0; n < CODE_PLACES + 2; n++)
		streams->depths[n] += other->depths[n];
}
