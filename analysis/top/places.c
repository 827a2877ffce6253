/* SPDX-License-Identifier: BSD-3-Clause */
/* From processes and addresses to places in binaries. */
#include "places.h"

#include <stdlib.h>
#include <string.h>

/* Largest size of a table of addresses; how many it has then, and as many places each other one */
#define ADDRESSES_BYTES (6u << 20)

static void free_places(struct top_places *places)
{
	if (places)
		heavy_free(&places->heavy);
	free(places);
}

static void free_event(struct top_event *event)
{
	free_places(event->merged);
	for (uint32_t n = 0; n < event->part_count; n++)
		free_places(event->parts[n]);
	free(event->parts);
	event->merged = NULL;
	event->parts = NULL;
	event->part_count = 0;
}

void top_free_places(struct top *top)
{
	for (uint32_t bank = 0; bank < top->banks; bank++)
		tally_free(&top->addresses[bank]);
	top->banks = 0;
	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		for (uint32_t n = 0; n < top->event_count[kind]; n++)
			free_event(&top->events[kind][n]);
	}
}

/*
 * One that is full before all mappings are known makes all start over. Of several readers it may as well be
 * full when together they would have more addresses than one table holds: that is found out earlier.
 */
static size_t table_bytes(const struct top *top)
{
	const int may_start_over = top->model.symbols && top->model.phase == MODEL_READING;

	return may_start_over && top->about->readers ? ADDRESSES_BYTES / top->about->readers :
						       ADDRESSES_BYTES;
}

/* Tables of addresses up to that one. 0, or -1 if memory is short */
static int have_bank(struct top *top, uint32_t bank)
{
	struct tally *more;

	if (bank < top->banks)
		return 0;
	more = realloc(top->addresses, (bank + 1) * sizeof(*more));
	if (!more)
		return -1;
	for (top->addresses = more; top->banks <= bank; top->banks++) {
		if (tally_init(&more[top->banks], table_bytes(top)) < 0)
			return -1;
	}
	return 0;
}

static int widen_events(struct top *top, uint32_t kind, uint32_t count)
{
	uint32_t from = top->event_count[kind];
	struct top_event *more = realloc(top->events[kind], count * sizeof(*more));

	if (!more)
		return -1;
	memset(more + from, 0, (count - from) * sizeof(*more));
	top->events[kind] = more;
	top->event_count[kind] = count;
	return 0;
}

int top_have_event(struct top *top, uint32_t kind, uint32_t place)
{
	if ((place < top->event_count[kind] || widen_events(top, kind, 2 * place + 1) == 0) &&
	    have_bank(top, place / TOP_BANK) == 0)
		return 0;
	top->failed = 1;
	return -1;
}

struct top_places *top_have_places(struct top *top, uint32_t event_kind, uint32_t place)
{
	struct top_places **merged = &top->events[event_kind][place].merged;

	if (*merged)
		return *merged;
	*merged = calloc(1, sizeof(**merged));
	if (*merged && heavy_init(&(*merged)->heavy, TOP_PLACES_MOST) < 0) {
		free(*merged);
		*merged = NULL;
	}
	if (!*merged)
		top->failed = 1;
	return *merged;
}

const struct top_places *top_places_of(const struct top *top, uint32_t event_kind, uint32_t place)
{
	return place < top->event_count[event_kind] ? top->events[event_kind][place].merged : NULL;
}

struct precis_symbols *top_symbols_of(const struct top *top, const struct heavy_entry *place)
{
	const uint32_t number = (uint32_t)place->figures[PLACE_SYMBOLS];

	if (number == TOP_SAVED)
		return NULL;
	return number ? top->taken[number - 1] : top->model.symbols;
}

struct known_source top_known_source(const struct top *top, const struct heavy_entry *place)
{
	const char *object = (const char *)(uintptr_t)place->figures[PLACE_OBJECT];

	return (struct known_source){ top_symbols_of(top, place), top_objects_asked(&top->objects, object) };
}

#define FIELD(id) PRECIS_FIELD_##id
static const int16_t latency_fields[][EVENT_KINDS] = {
	[TOP_SAMPLES] = { -1, FIELD(DCACHE_MISS_LATENCY), FIELD(FETCH_LATENCY), -1 },
	[TOP_LATENCY] = { -1, FIELD(DCACHE_MISS_LATENCY), FIELD(FETCH_LATENCY), -1 },
	[TOP_TLB] = { -1, FIELD(TLB_REFILL_LATENCY), FIELD(ITLB_REFILL_LATENCY), -1 },
	[TOP_RETIRE] = { -1, FIELD(TAG_TO_RETIRE), -1, FIELD(RETIRE_LATENCY) },
};
#undef FIELD

int top_latency_of(enum top_order order, uint32_t event_kind)
{
	return latency_fields[order][event_kind];
}

int top_latency_field(const struct top *top, uint32_t event_kind, uint32_t place)
{
	if (event_kind == PRECIS_EVENT_PEBS && top->events[event_kind][place].pebs_latency &&
	    (top->order == TOP_SAMPLES || top->order == TOP_LATENCY))
		return (int)top->events[event_kind][place].pebs_latency;
	return top_latency_of(top->order, event_kind);
}

/* From the start, whatever latency samples of PEBS will have: weights of one table are of one kind */
int top_is_by_latency(const struct top *top, uint32_t event_kind)
{
	return top->order != TOP_SAMPLES && (top_latency_field(top, event_kind, 0) >= 0 ||
					     (top->order == TOP_LATENCY &&
					      event_kind == PRECIS_EVENT_PEBS));
}

static uint32_t mode_of(const struct tally_entry *entry)
{
	return entry->space >> TOP_MODE_SHIFT & PRECIS_MISC_CPUMODE_MASK;
}

static int find_location(struct top *top, const struct tally_entry *entry,
			 struct precis_location *location)
{
	const uint32_t owner = (uint32_t)entry->space, epoch = (uint32_t)(entry->space >> TOP_EPOCH_SHIFT);
	struct model *model = &top->model;

	return model->symbols &&
	       precis_symbols_locate(model->symbols, owner, mode_of(entry),
				     model_time(&model->processes, owner, epoch), entry->address,
				     location) > 0;
}

static void combine(struct heavy_entry *to, const struct heavy_entry *from)
{
	static const uint8_t sums[] = { PLACE_SAMPLES, PLACE_WEIGHT, PLACE_LATENCY_SUM,
					PLACE_LATENCY_COUNT, PLACE_LATENCY_WEIGHT };

	/* The lowest, so that the order does not show */
	if (!to->figures[PLACE_SAMPLES] ||
	    from->figures[PLACE_ADDRESS] < to->figures[PLACE_ADDRESS]) {
		to->figures[PLACE_ADDRESS] = from->figures[PLACE_ADDRESS];
		to->figures[PLACE_CPUMODE] = from->figures[PLACE_CPUMODE];
	}
	/* Its recording knows which build that is: of the symbol, too, it knows most */
	if (from->figures[PLACE_SYMBOLS] & TOP_HAS_ID || !(to->figures[PLACE_SYMBOLS] & TOP_HAS_ID)) {
		to->figures[PLACE_OBJECT] = from->figures[PLACE_OBJECT];
		to->figures[PLACE_SYMBOLS] = from->figures[PLACE_SYMBOLS];
	}
	for (size_t i = 0; i < sizeof(sums); i++)
		to->figures[sums[i]] += from->figures[sums[i]];
	weight_sum_add(&to->figures[PLACE_SQUARES], weight_sum_of(&from->figures[PLACE_SQUARES]));
	weight_sum_add(&to->figures[PLACE_LATENCY_SQUARES],
		       weight_sum_of(&from->figures[PLACE_LATENCY_SQUARES]));
}

static struct heavy_entry figures_of(const struct tally_entry *entry, const struct tally_sums *sums,
				     uint64_t object)
{
	return (struct heavy_entry){
		.figures = {
			[PLACE_SAMPLES] = entry->samples,
			[PLACE_WEIGHT] = sums->weight,
			[PLACE_SQUARES] = sums->squares[0],
			[PLACE_SQUARES_HIGH] = sums->squares[1],
			[PLACE_LATENCY_SQUARES] = sums->latency_squares[0],
			[PLACE_LATENCY_SQUARES_HIGH] = sums->latency_squares[1],
			[PLACE_LATENCY_SUM] = sums->latency_sum,
			[PLACE_LATENCY_COUNT] = sums->latency_count,
			[PLACE_LATENCY_WEIGHT] = sums->latency_weight,
			[PLACE_OBJECT] = object,
			[PLACE_ADDRESS] = entry->address,
			[PLACE_CPUMODE] = mode_of(entry),
		},
	};
}

/* The bounds were set sample by sample. */
static void add_cycles(struct weighted *cycles, const struct tally_sums *sums)
{
	cycles->samples += sums->latency_count;
	cycles->weight += sums->latency_sum;
	cycles->squares += weight_sum_of(sums->latency_squares);
}

static uint32_t kind_of_entry(const struct tally_entry *entry)
{
	return entry->space >> TOP_KIND_SHIFT & 3;
}

/* Which of its kind */
static uint32_t event_of_entry(uint32_t bank, const struct tally_entry *entry)
{
	return bank * TOP_BANK + (uint32_t)(entry->space >> TOP_EVENT_SHIFT & (TOP_BANK - 1));
}

static struct top_places *places_of(struct top *top, uint32_t bank, const struct tally_entry *entry)
{
	return top_have_places(top, kind_of_entry(entry), event_of_entry(bank, entry));
}

static void merge(struct top *top, uint32_t bank, const struct tally_entry *entry)
{
	const uint32_t kind = kind_of_entry(entry);
	struct top_places *merged = places_of(top, bank, entry);
	struct precis_location location = { .size = sizeof(location) };
	uint64_t space = (entry->space & ((UINT64_C(1) << TOP_EPOCH_SHIFT) - 1)) | TOP_NO_OBJECT;
	const struct tally_sums sums = tally_told(&top->addresses[bank], entry);
	uint64_t address = entry->address;
	struct heavy_entry *to, from;

	if (!merged)
		return;
	if (find_location(top, entry, &location)) {
		space = (uintptr_t)location.object;
		address = location.offset;
	}
	merged->samples += entry->samples;
	add_cycles(&top->events[kind][event_of_entry(bank, entry)].cycles, &sums);
	to = heavy_add(&merged->heavy, space, address,
		       top_is_by_latency(top, kind) ? sums.latency_sum : sums.weight);
	if (!to) {
		top->failed = 1;
		return;
	}
	from = figures_of(entry, &sums, (uintptr_t)location.object);
	combine(to, &from);
}

/* If all are of one event, as of most recordings: their places get room at once, and not piece by piece. */
static void expect_places(struct top *top, uint32_t bank, const struct tally_entry *const *entries,
			  uint32_t count)
{
	const struct tally_entry *first = entries[0];
	struct top_places *merged;

	for (uint32_t n = 1; n < count; n++) {
		if (kind_of_entry(entries[n]) != kind_of_entry(first) ||
		    event_of_entry(bank, entries[n]) != event_of_entry(bank, first))
			return;
	}
	merged = places_of(top, bank, first);
	if (merged)
		heavy_expect(&merged->heavy, count);
}

/* So many entries ahead one, and of one its sums, are on their way from memory. */
#define ENTRIES_AHEAD 16u
#define SUMS_AHEAD 8u

static void expect_entries(const struct tally *addresses, const struct tally_entry *const *entries,
			   uint32_t n)
{
	if (n + ENTRIES_AHEAD < addresses->count)
		tally_expect_entry(entries[n + ENTRIES_AHEAD]);
	if (n + SUMS_AHEAD < addresses->count)
		tally_expect_sums(addresses, entries[n + SUMS_AHEAD]);
}

/* In the order of keys: that of the table is another one in every run, and places may have to go. */
static int merge_all(struct top *top, uint32_t bank)
{
	const struct tally *addresses = &top->addresses[bank];
	const struct tally_entry **entries = malloc(addresses->count * sizeof(*entries));
	const int failed = entries ? tally_sort(addresses, entries) : -1;

	if (!failed)
		expect_places(top, bank, entries, addresses->count);
	for (uint32_t n = 0; n < addresses->count && !failed; n++) {
		expect_entries(addresses, entries, n);
		merge(top, bank, entries[n]);
	}
	free(entries);
	return failed;
}

static void settle_bank(struct top *top, uint32_t bank)
{
	struct tally *addresses = &top->addresses[bank];

	if (!addresses->count)
		return;
	if (merge_all(top, bank) < 0)
		top->failed = 1;
	tally_clear(addresses);
}

void top_settle_places(struct top *top)
{
	if (top->model.symbols && top->model.phase == MODEL_READING)
		model_tell(&top->model, MODEL_COMPLETE);
	for (uint32_t bank = 0; bank < top->banks; bank++)
		settle_bank(top, bank);
}

/* --- parts --- */

int top_places_merge(struct top_places *places, const struct top_places *others)
{
	places->samples += others->samples;
	return heavy_merge(&places->heavy, &others->heavy, combine);
}

static int add_part(struct top_event *event)
{
	struct top_places **more =
		realloc(event->parts, (event->part_count + 1) * sizeof(struct top_places *));

	if (!more)
		return -1;
	event->parts = more;
	event->parts[event->part_count++] = event->merged;
	event->merged = NULL;
	return 0;
}

/* Nothing comes before them: they can be one. */
static int grow_part(struct top_event *event)
{
	if (!event->part_count)
		return add_part(event);
	if (top_places_merge(event->parts[0], event->merged) < 0)
		return -1;
	heavy_clear(&event->merged->heavy);
	event->merged->samples = 0;
	return 0;
}

/* Those of an event without samples in it are none. */
int top_end_part(struct top *top)
{
	int failed = 0;

	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		for (uint32_t n = 0; n < top->event_count[kind] && !failed; n++) {
			struct top_event *event = &top->events[kind][n];

			if (!event->merged || !event->merged->samples)
				continue;
			if (top->about->is_behind)
				heavy_close(&event->merged->heavy);
			failed = top->about->is_behind ? add_part(event) : grow_part(event);
		}
	}
	return failed;
}

void top_join_parts(struct top *top)
{
	for (uint32_t kind = 0; kind < EVENT_KINDS && !top->about->is_behind; kind++) {
		for (uint32_t n = 0; n < top->event_count[kind]; n++) {
			struct top_event *event = &top->events[kind][n];

			if (!event->part_count)
				continue;
			free_places(event->merged);
			event->merged = event->parts[0];
			event->part_count = 0;
		}
	}
}

uint32_t top_places_most(const struct top *top)
{
	uint32_t most = 0;

	for (uint32_t kind = 0; kind < EVENT_KINDS; kind++) {
		for (uint32_t n = 0; n < top->event_count[kind]; n++) {
			const struct top_places *places = top->events[kind][n].merged;

			most = places && places->heavy.count > most ? places->heavy.count : most;
		}
	}
	return most;
}
