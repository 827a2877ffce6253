/* SPDX-License-Identifier: BSD-3-Clause */
/* See sightings.h. */
#include "sightings.h"

#include <stdlib.h>
#include <string.h>

#include <precis/error.h>
#include <precis/fields.h>
#include <precis/kernel_records.h>

#include "known_stacks.h"
#include "tallying.h"

/* Code that a branch or a sample may be in one block with: what changes further away is another's matter. */
#define AROUND 4096u
#define CACHED 65536u /* a power of two, as is: */
#define CACHED_JUMPS 32768u

/* Of what addresses are: who had them, when, in what mode */
struct space {
	uint64_t task; /* process and context */
	/* Another one after each record that changes what is mapped, and for each mode. 0: none */
	uint64_t epoch;
};
#define EPOCH_MODES 8u

/* An address whose place is known */
struct cached {
	uint64_t address;
	struct space space;
	uint32_t place;
};

/* Streams that end in one branch begin in one place nearly always, or in two. */
#define CACHED_STREAMS 2u

/* A branch, the places of both of whose ends are: a line of a cache */
struct cached_jump {
	uint64_t from, to;
	struct space space;
	uint32_t from_place, to_place;
	/* Streams that it ended last: where they began, and their numbers */
	uint32_t stream[CACHED_STREAMS];
	uint64_t began[CACHED_STREAMS];
};
#define LINE 64u

struct mix_sightings {
	struct code_texts *texts;
	struct numbering numbering;
	struct numbering streams; /* by places: where they begin, and the branch that they end in */
	struct cached *cache;
	struct cached_jump *jump_cache;
	uint64_t generation; /* from 1 */
	struct mix_observations seen;
	struct mix_tallying *tallying; /* whose 'seen' is; NULL: nobody's */
	struct known_stacks *known; /* as long as counting is put off */
	struct code_jump branches[CODE_JUMPS_MOST];
};

/* What a place's key has beside text, offset and time: without a text the reason is in the first word. */
#define ABSENT_SHIFT 8
#define KERNEL_BIT 1u
#define TEXT_BIT 2u

int mix_sightings_new(struct precis_symbols *symbols, struct mix_sightings **sightings)
{
	struct mix_sightings *made = calloc(1, sizeof(*made));

	*sightings = made;
	if (!made)
		return -1;
	made->generation = 1;
	made->cache = calloc(CACHED, sizeof(*made->cache));
	made->jump_cache = aligned_alloc(LINE, CACHED_JUMPS * sizeof(*made->jump_cache));
	if (made->jump_cache)
		memset(made->jump_cache, 0, CACHED_JUMPS * sizeof(*made->jump_cache));
	if (made->cache && made->jump_cache && code_texts_new(symbols, &made->texts) == 0)
		return 0;
	mix_sightings_free(made);
	*sightings = NULL;
	return -1;
}

void mix_sightings_free(struct mix_sightings *sightings)
{
	if (!sightings)
		return;
	mix_sightings_settle(sightings);
	code_texts_free(sightings->texts);
	numbering_free(&sightings->numbering);
	numbering_free(&sightings->streams);
	mix_observations_free(&sightings->seen);
	free(sightings->cache);
	free(sightings->jump_cache);
	free(sightings);
}

void mix_sightings_open_with(struct mix_sightings *sightings, code_open_fn *open_file,
			     const void *data)
{
	code_texts_open_with(sightings->texts, open_file, data);
}

int mix_sightings_bpf(struct mix_sightings *sightings, struct precis_bytes section, uint32_t bits)
{
	return code_texts_bpf(sightings->texts, section.data, section.bytes, bits) ==
			       PRECIS_E_NO_MEMORY
		       ? -1
		       : 0;
}

int mix_sightings_begin(struct mix_sightings *sightings, int is_shared)
{
	if (mix_observations_defer(&sightings->seen) < 0)
		return -1;
	if (!sightings->known)
		sightings->known = known_stacks_new(MIX_STACKS_MOST);
	if (!sightings->known)
		return -1;
	if (is_shared && !sightings->tallying)
		sightings->tallying = mix_tallying_begin(&sightings->seen);
	return 0;
}

int mix_sightings_settle(struct mix_sightings *sightings)
{
	struct mix_tallying *tallying = sightings->tallying;
	const int failed = mix_tallying_end(tallying) < 0;

	sightings->tallying = NULL;
	known_stacks_free(sightings->known);
	sightings->known = NULL;
	return mix_observations_settle(&sightings->seen) < 0 || failed ? -1 : 0;
}

static int changes_places(uint32_t type)
{
	switch (type) {
	case PRECIS_RECORD_MMAP:
	case PRECIS_RECORD_MMAP2:
	case PRECIS_RECORD_COMM:
	case PRECIS_RECORD_FORK:
	case PRECIS_RECORD_KSYMBOL:
	case PRECIS_RECORD_TEXT_POKE:
		return 1;
	default:
		return 0;
	}
}

int mix_sightings_record(struct mix_sightings *sightings, const struct precis_record *record,
			 uint64_t time)
{
	if (changes_places(record->type))
		sightings->generation++;
	return code_texts_record(sightings->texts, record, time) == PRECIS_E_NO_MEMORY ? -1 : 0;
}

/* --- places --- */

static uint64_t since_of(const struct code_place *place, uint64_t time)
{
	const uint64_t start = place->offset > AROUND ? place->offset - AROUND : 0;
	const uint64_t end = place->offset < UINT64_MAX - AROUND ? place->offset + AROUND : UINT64_MAX;
	uint64_t since, until;

	code_text_valid(place->text, start, end, time, &since, &until);
	return since;
}

static uint32_t locate(struct mix_sightings *sightings, const struct mix_witness *who, uint32_t cpumode,
		       uint64_t address)
{
	struct numbering_key key = { { 0 } };
	struct code_place place;

	if (code_texts_locate(sightings->texts, who->pid, cpumode, who->time, address, &place) < 0)
		return NUMBERING_NONE;
	key.word[1] = place.text ? place.offset : address;
	key.word[2] = (uint64_t)who->context << 32 | (place.text ? TEXT_BIT : place.absent << ABSENT_SHIFT) |
		      (cpumode == PRECIS_CPUMODE_KERNEL ? KERNEL_BIT : 0);
	if (place.text) {
		key.word[0] = (uint64_t)(uintptr_t)place.text;
		key.word[3] = since_of(&place, who->time);
	}
	return numbering_of(&sightings->numbering, &key);
}

/* The processor's, of x86: the upper half of the address space is the kernel's. Guests are seen alone. */
static uint32_t mode_of(const struct mix_witness *who, uint64_t address)
{
	if (who->cpumode != PRECIS_CPUMODE_KERNEL && who->cpumode != PRECIS_CPUMODE_USER)
		return who->cpumode;
	return address >> 63 ? PRECIS_CPUMODE_KERNEL : PRECIS_CPUMODE_USER;
}

static struct space space_of(const struct mix_sightings *sightings, const struct mix_witness *who)
{
	return (struct space){ (uint64_t)who->pid << 32 | who->context,
			       sightings->generation * EPOCH_MODES + who->cpumode % EPOCH_MODES };
}

static inline int is_same(struct space a, struct space b)
{
	return a.task == b.task && a.epoch == b.epoch;
}

static inline uint64_t hashed(uint64_t address, struct space space)
{
	return (address ^ space.task << 20) * UINT64_C(0x9e3779b97f4a7c15);
}

static uint32_t place_at(struct mix_sightings *sightings, const struct mix_witness *who, uint64_t address)
{
	const struct space space = space_of(sightings, who);
	struct cached *cached = &sightings->cache[hashed(address, space) >> 48 & (CACHED - 1)];

	if (cached->address == address && is_same(cached->space, space))
		return cached->place;
	*cached = (struct cached){ address, space, locate(sightings, who, mode_of(who, address), address) };
	if (cached->place == NUMBERING_NONE)
		cached->space.epoch = 0;
	return cached->place;
}

/* Both places in one look, as nearly all entries of stacks are the same few branches. NULL: no memory */
static inline struct cached_jump *jump_at(struct mix_sightings *sightings,
					  const struct mix_witness *who, struct space space,
					  struct code_jump branch)
{
	const uint64_t hash = hashed(branch.from + (branch.to << 15 | branch.to >> 49), space);
	struct cached_jump *cached = &sightings->jump_cache[hash >> 48 & (CACHED_JUMPS - 1)];

	if (cached->from != branch.from || cached->to != branch.to ||
	    !is_same(cached->space, space)) {
		const uint32_t from = place_at(sightings, who, branch.from),
			       to = place_at(sightings, who, branch.to);

		if (from == NUMBERING_NONE || to == NUMBERING_NONE)
			return NULL;
		*cached = (struct cached_jump){ .from = branch.from,
						.to = branch.to,
						.space = space,
						.from_place = from,
						.to_place = to };
	}
	return cached;
}

/* The first MIX_NUMBERED_MOST have numbers, of which most of all streams are. */
static uint32_t number_stream(struct mix_sightings *sightings, struct cached_jump *newer,
			      uint64_t began, uint32_t place)
{
	const struct numbering_key key = { { place, newer->from_place, newer->to_place, 0 } };
	const uint32_t number = sightings->streams.count < MIX_NUMBERED_MOST - 1
					? numbering_of(&sightings->streams, &key)
					: numbering_find(&sightings->streams, &key);

	memmove(newer->stream + 1, newer->stream, (CACHED_STREAMS - 1) * sizeof(*newer->stream));
	memmove(newer->began + 1, newer->began, (CACHED_STREAMS - 1) * sizeof(*newer->began));
	newer->began[0] = began;
	newer->stream[0] = number == NUMBERING_NONE ? 0 : number + 1;
	return newer->stream[0];
}

/* That which begins where an older branch went: an address, and its place */
static inline uint32_t stream_of(struct mix_sightings *sightings, struct cached_jump *newer,
				 uint64_t began, uint32_t place)
{
	for (uint32_t n = 0; n < CACHED_STREAMS; n++) {
		if (newer->began[n] == began)
			return newer->stream[n];
	}
	return number_stream(sightings, newer, began, place);
}

/* The numbers of 'streams' are one less. @return 0, or -1: memory is short */
static int see_jumps(struct mix_sightings *sightings, const struct mix_witness *who, uint32_t count,
		     struct mix_jump *jumps, uint32_t *streams)
{
	const struct code_jump *branches = sightings->branches;
	const struct space space = space_of(sightings, who);
	struct cached_jump *newer = NULL;

	for (uint32_t n = 0; n < count; n++) {
		struct cached_jump *cached = jump_at(sightings, who, space, branches[n]);

		if (!cached)
			return -1;
		jumps[n] = (struct mix_jump){ cached->from_place, cached->to_place };
		/* Unless this one has taken the place of the newer one */
		if (n)
			streams[n - 1] = newer->from == branches[n - 1].from &&
							 newer->to == branches[n - 1].to
						 ? stream_of(sightings, newer, branches[n].to,
							     cached->to_place)
						 : 0;
		newer = cached;
	}
	return 0;
}

/* --- what is seen --- */

int mix_see_sample(struct mix_sightings *sightings, const struct mix_witness *who, uint64_t address)
{
	const uint32_t place = place_at(sightings, who, address);

	if (place == NUMBERING_NONE)
		return -1;
	if (!sightings->tallying)
		return mix_add_sample(&sightings->seen, place, who->period, who->cluster);
	mix_tally_sample(sightings->tallying, place, who->period, who->cluster);
	return 0;
}

int mix_see_branch(struct mix_sightings *sightings, const struct mix_witness *who, uint64_t from,
		   uint64_t to)
{
	const struct mix_jump jump = { place_at(sightings, who, from), place_at(sightings, who, to) };

	if (jump.from == NUMBERING_NONE || jump.to == NUMBERING_NONE)
		return -1;
	if (!sightings->tallying)
		return mix_add_branch(&sightings->seen, jump, who->period, who->cluster);
	mix_tally_branch(sightings->tallying, jump, who->period, who->cluster);
	return 0;
}

static int add_stack(struct mix_sightings *sightings, const struct mix_witness *who,
		     const struct mix_jump *jumps, const uint32_t *numbers, uint32_t count)
{
	if (!sightings->tallying)
		return mix_add_numbered_stack(&sightings->seen, jumps, numbers, count, who->period,
					      who->cluster);
	mix_tally_stack(sightings->tallying, jumps, numbers, count, who->period, who->cluster);
	return 0;
}

static int add_known_stack(struct mix_sightings *sightings, const struct mix_witness *who,
			   uint32_t number)
{
	if (!sightings->tallying)
		return mix_add_known_stack(&sightings->seen, number, who->period, who->cluster);
	mix_tally_known_stack(sightings->tallying, number, who->period, who->cluster);
	return 0;
}

/* Are all ranges of the last stack kept, and has each a number? 'copies': as of code_streams_again() */
static int may_come_again(const struct mix_sightings *sightings, const uint32_t *numbers,
			  uint32_t count, uint64_t *copies)
{
	const struct code_jump *branches = sightings->branches;

	*copies = 0;
	for (uint32_t n = 0; n + 1 < count; n++) {
		if (!numbers[n] || code_fate_of(branches[n + 1], branches[n]) != CODE_FATE_KEPT)
			return 0;
		if (branches[n].from == branches[n + 1].from &&
		    branches[n].to == branches[n + 1].to)
			*copies |= UINT64_C(1) << n;
	}
	return 1;
}

static int know_stack(struct mix_sightings *sightings, struct known_stack *key,
		      const struct mix_jump *jumps, const uint32_t *numbers, uint32_t count)
{
	uint32_t number;

	if (!may_come_again(sightings, numbers, count, &key->copies))
		return 0;
	number = known_stacks_add(sightings->known, key);
	if (!sightings->tallying)
		return mix_know_stack(&sightings->seen, number, jumps, numbers, count);
	mix_tally_know(sightings->tallying, number, jumps, numbers, count);
	return 0;
}

int mix_see_stack(struct mix_sightings *sightings, const struct mix_witness *who,
		  struct code_streams *streams, const struct precis_perf_sample *sample)
{
	const struct space space = space_of(sightings, who);
	struct mix_jump jumps[MIX_STACK_MOST];
	uint32_t numbers[MIX_STACK_MOST], count, kept;
	struct known_stack key = { .task = space.task, .epoch = space.epoch };
	const struct known_stack *known =
		sightings->known ? known_stacks_find(sightings->known, sample, &key) : NULL;

	if (known) {
		code_streams_again(streams, known->entries, known->copies);
		return add_known_stack(sightings, who, known->number);
	}
	count = code_streams_jumps(streams, sample, sightings->branches);
	/* Of longer stacks, which are none of a processor, the newest part */
	kept = count < MIX_STACK_MOST ? count : MIX_STACK_MOST;
	if (count < 2)
		return 0;
	if (see_jumps(sightings, who, kept, jumps, numbers) < 0 ||
	    add_stack(sightings, who, jumps, numbers, kept) < 0)
		return -1;
	return key.entries ? know_stack(sightings, &key, jumps, numbers, kept) : 0;
}

const struct mix_observations *mix_sightings_seen(const struct mix_sightings *sightings)
{
	return &sightings->seen;
}

uint32_t mix_sightings_places(const struct mix_sightings *sightings)
{
	return sightings->numbering.count;
}

struct mix_place mix_sightings_place(const struct mix_sightings *sightings, uint32_t number)
{
	const struct numbering_key *key = &sightings->numbering.key[number];
	const uint32_t rest = (uint32_t)key->word[2];

	return (struct mix_place){
		.text = (struct code_text *)(uintptr_t)key->word[0],
		.offset = key->word[1],
		.since = key->word[3],
		.context = (uint32_t)(key->word[2] >> 32),
		.absent = rest & TEXT_BIT ? CODE_PRESENT : (uint8_t)(rest >> ABSENT_SHIFT),
		.is_kernel = (rest & KERNEL_BIT) != 0,
	};
}

struct code_texts *mix_sightings_texts(const struct mix_sightings *sightings)
{
	return sightings->texts;
}
