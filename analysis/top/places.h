/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The instructions that have the most samples or the most latency.
 *
 * Samples are counted by process, program that it ran, and address while they
 * are read. At the end counts go to (file, offset in it), where those of all
 * processes that run the same binary add up. Only what is printed gets a symbol.
 * Where an event has more places than memory is for, the lightest go (statistics/heavy.h).
 */
#ifndef ANALYSIS_TOP_PLACES_H
#define ANALYSIS_TOP_PLACES_H

#include <precis/precis.h>

#include "analysis/event_places.h"
#include "analysis/analysis.h"
#include "analysis/model/known_places.h"
#include "analysis/model/model.h"
#include "objects.h"
#include "statistics/heavy.h"
#include "statistics/weighted.h"

enum top_order { TOP_SAMPLES, TOP_LATENCY, TOP_TLB, TOP_RETIRE };

/* What is counted of a place, and known of it, besides the offset in its object */
enum {
	PLACE_SAMPLES,
	PLACE_WEIGHT,
	PLACE_SQUARES, /* of weights: two words, of weight_sum_add() */
	PLACE_SQUARES_HIGH,
	PLACE_LATENCY_SQUARES, /* of what samples add to the sum, likewise */
	PLACE_LATENCY_SQUARES_HIGH,
	PLACE_LATENCY_SUM, /* each times what its sample weighs */
	PLACE_LATENCY_COUNT,
	PLACE_LATENCY_WEIGHT,
	PLACE_OBJECT, /* a pointer to the symbols' text; 0: not known */
	PLACE_ADDRESS, /* in one of the processes */
	PLACE_CPUMODE,
	/* whose the object is: 0 the recording's own, n: top.taken[n - 1], or TOP_SAVED; and TOP_HAS_ID */
	PLACE_SYMBOLS,
	PLACE_FIGURES
};
_Static_assert(PLACE_FIGURES <= HEAVY_FIGURES, "a place's figures have room");

struct top_places {
	struct heavy heavy; /* by object and offset, weighed by what sorts the table */
	uint64_t samples; /* of all that ever were in it */
};

/* Each event counts so many at once. */
#define TOP_PLACES_MOST 49152u

/* One event, or all samples of its kind that are of none that is told apart */
struct top_event {
	struct top_places *merged; /* of this part, at the end of all; NULL: no sample */
	struct top_places **parts; /* before it, in order; if nothing comes before them, as one */
	uint32_t part_count;
	uint32_t pebs_latency;     /* field; 0: no sample has one so far */
	uint64_t inexact;          /* samples of which the address may be another instruction's */
	struct weighted all;       /* its samples that have a place */
	struct weighted cycles;    /* those that have a latency: each weighs what it adds to the sum */
};

/* In place of a number of symbols: those of a run that was saved */
#define TOP_SAVED UINT32_MAX

/* Beside a number of symbols: their recording knows the object's build. Set where there are several */
#define TOP_HAS_ID (UINT64_C(1) << 32)

/* So many events have their addresses in one table, in whose keys they have room */
#define TOP_BANK_BITS 11
#define TOP_BANK (1u << TOP_BANK_BITS)

struct top {
	const struct analysis_about *about;
	enum top_order order;
	struct reasons reasons; /* why ops and fetches have no address */
	/* By event that is told apart (event_places.h), 0: none is; fetches and ops do not add up */
	struct top_event *events[EVENT_KINDS];
	uint32_t event_count[EVENT_KINDS];
	int has_parts;   /* places of parts have been counted apart */
	struct model model;
	struct precis_symbols **taken;  /* of other recordings whose places are counted, too */
	uint32_t taken_count;
	struct known_places known;      /* of runs that were saved: their places' symbols … */
	struct top_builds builds;       /* … and this one's objects, if it was */
	struct top_objects objects;     /* where there are several recordings */
	struct tally *addresses; /* by space and address, not yet asked for; for each bank of events */
	uint32_t banks;
	int failed; /* memory was short */
};

/* There will be samples of that event. 0, or -1 if memory is short */
int top_have_event(struct top *top, uint32_t kind, uint32_t place);

/* Forget the samples of all events. */
void top_free_places(struct top *top);

/* The latency that samples of that kind have in that order, whatever their event; -1: none */
int top_latency_of(enum top_order order, uint32_t event_kind);

/* The places of that kind and event, none so far; NULL if memory is short ('failed') */
struct top_places *top_have_places(struct top *top, uint32_t event_kind, uint32_t place);

/* What is to be asked for the symbol of a place; NULL: nothing */
struct precis_symbols *top_symbols_of(const struct top *top, const struct heavy_entry *place);

/* Who is asked for its symbol, if that is not known */
struct known_source top_known_source(const struct top *top, const struct heavy_entry *place);

/* All addresses that have been counted become places. */
void top_settle_places(struct top *top);

/* What has been counted is a part: it goes behind those before it. 0, or -1 if memory is short */
int top_end_part(struct top *top);

/* At the end: they are one, unless they are kept for another run. */
void top_join_parts(struct top *top);

/* Of the event that has most */
uint32_t top_places_most(const struct top *top);

/* All of another one's, whose keys are the same. 0, or -1 if memory is short */
int top_places_merge(struct top_places *places, const struct top_places *others);

/* Of that kind's events this one: NULL if it has no sample. */
const struct top_places *top_places_of(const struct top *top, uint32_t event_kind, uint32_t place);

/* The latency that the table sums up for samples of this kind and event; -1: none. */
int top_latency_field(const struct top *top, uint32_t event_kind, uint32_t place);

/* Are places weighed by their latency? Otherwise by their samples. */
int top_is_by_latency(const struct top *top, uint32_t event_kind);

/* In the key of what lies in no known file: not a pointer. Behind it the recording */
#define TOP_NO_OBJECT (UINT64_C(1) << 63)
#define TOP_RECORDINGS_MOST (1u << 15)

/* The parts of a key beside the address: epoch 48.., kind 46.., event 35..45, mode 32..34, pid */
#define TOP_EPOCH_SHIFT 48
#define TOP_EPOCHS_MOST 65535u
#define TOP_KIND_SHIFT 46
#define TOP_EVENT_SHIFT 35
#define TOP_MODE_SHIFT 32

#endif
