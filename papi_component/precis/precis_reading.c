/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_reading.c
 * @see precis_reading.h
 *
 * What delivers runs in signal handlers.
 */
#include "precis_reading.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "precis_clock.h"
#include "precis_deliver.h"
#include "precis_inside.h"
#include "precis_poller.h"
#include "precis_signals.h"
#include "precis_vector.h"

int precis_reading_inside(const struct precis_eventset *set)
{
	return precis_inside_of(&set->reader);
}

/*
 * Statistics that the helper thread writes, for others: without a lock, so that a signal's handler
 * may ask, too. One thread at a time writes.
 */
_Static_assert(PRECIS_STATISTICS_WORDS * sizeof(uint64_t) == sizeof(struct precis_papi_statistics),
	       "whole words");

static void publish(struct precis_counter *part)
{
	struct precis_published *published = &part->published;
	struct precis_papi_statistics statistics;
	uint64_t words[PRECIS_STATISTICS_WORDS];

	precis_statistics_of(part, &statistics);
	memcpy(words, &statistics, sizeof(words));
	__atomic_add_fetch(&published->sequence, 1, __ATOMIC_SEQ_CST);
	for (size_t n = 0; n < PRECIS_STATISTICS_WORDS; n++)
		__atomic_store_n(&published->words[n], words[n], __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&published->sequence, 1, __ATOMIC_SEQ_CST);
}

static void read_published(const struct precis_published *published,
			   struct precis_papi_statistics *statistics)
{
	uint64_t words[PRECIS_STATISTICS_WORDS];
	uint32_t before;

	do {
		before = __atomic_load_n(&published->sequence, __ATOMIC_SEQ_CST);
		for (size_t n = 0; n < PRECIS_STATISTICS_WORDS; n++)
			words[n] = __atomic_load_n(&published->words[n], __ATOMIC_SEQ_CST);
	} while (before % 2 || __atomic_load_n(&published->sequence, __ATOMIC_SEQ_CST) != before);
	memcpy(statistics, words, sizeof(words));
}

static int is_wanted(const struct precis_counter *counter, enum precis_which which)
{
	if (which == PRECIS_OF_POLLER)
		return precis_counter_is_polled(counter);
	if (which == PRECIS_OF_SIGNALS)
		return precis_counter_by_signal(counter);
	return counter->sink && !counter->sink->wants_context && !precis_counter_is_polled(counter);
}

static uint64_t read_all(struct precis_eventset *set, enum precis_which which)
{
	uint64_t samples = 0;

	PRECIS_EACH_PART(part, set) {
		if (!is_wanted(part, which))
			continue;
		samples += precis_deliver(part, &set->reader, NULL);
		if (which == PRECIS_OF_POLLER)
			publish(part);
	}
	return samples;
}

uint64_t precis_read(struct precis_eventset *set, enum precis_which which)
{
	uint64_t samples = 0;
	int missed = 0;

	if (which == PRECIS_OF_POLLER)
		return read_all(set, which);
	if (precis_signals_elsewhere(&set->reader))
		return 0;
	if (set->busy) { /* a signal of the same thread, or a callback that reads */
		set->pending = 1;
		return 0;
	}
	for (;;) {
		set->busy = 1;
		set->pending = 0;
		samples += read_all(set, which);
		set->busy = 0;
		if (!set->pending || set->common.cancelled)
			break;
		missed = 1;
	}
	if (missed)
		precis_reading_raise(set);
	return samples;
}

void precis_reading_raise(struct precis_eventset *set)
{
	if (precis_eventset_is_gone(set))
		return;
	PRECIS_EACH_COUNTER(counter, set) {
		if (counter->sink && counter->sink->wants_context &&
		    precis_buffer_waits(&counter->buffer)) {
			precis_signals_tell((pid_t)syscall(SYS_gettid));
			return;
		}
	}
}

void precis_reading_discard(struct precis_eventset *set)
{
	set->common.cancelled = 1;
	precis_read(set, PRECIS_OF_SIGNALS);
}

void precis_reading_left(struct precis_eventset *set)
{
	if (!set->busy)
		return;
	set->common.cancelled = 1;
	precis_inside_left(&set->reader);
	set->busy = 0;
}

/* --- as a reader ---------------------------------------------------------------------- */

/* Until something is to be called with the context. @return the counter that it is for; NULL: all is read */
static struct precis_counter *read_until_call(struct precis_eventset *set, void *context)
{
	PRECIS_EACH_PART(part, set) {
		if (is_wanted(part, PRECIS_OF_SIGNALS) && precis_deliver(part, &set->reader, context) &&
		    part->sink->wants_context)
			return part;
	}
	return NULL;
}

/* @return 0: somebody is at it, or another thread */
static int begin_turn(struct precis_eventset *set, struct precis_turn *turn)
{
	PRECIS_EACH_COUNTER(counter, set) {
		if (precis_counter_by_signal(counter))
			precis_deliver_woken(counter);
	}
	if (precis_signals_elsewhere(&set->reader))
		return 0;
	if (set->busy) {
		set->pending = 1;
		return 0;
	}
	turn->has_begun = 1;
	turn->outer = precis_inside_begin(&set->reader);
	set->busy = 1;
	set->pending = 0;
	return 1;
}

static int on_signal(struct precis_reader *reader, struct precis_turn *turn)
{
	struct precis_eventset *set = precis_eventset_of_reader(reader);

	if (!turn->has_begun) {
		if (!begin_turn(set, turn))
			return 0;
	} else {
		if (precis_eventset_is_gone(set)) /* the handler has forked: in the child there is no ring */
			return 0;
		precis_deliver_called(turn->calls_for, precis_now() - turn->called_at);
	}
	for (;;) {
		turn->calls_for = read_until_call(set, turn->context);
		turn->called_at = turn->calls_for ? precis_now() : 0;
		if (turn->calls_for)
			return 1;
		if (!set->pending || set->common.cancelled)
			break;
		set->pending = 0;
	}
	set->busy = 0;
	precis_inside_end(&turn->outer);
	return 0;
}

static void on_ready(struct precis_reader *reader)
{
	struct precis_eventset *set = precis_eventset_of_reader(reader);

	PRECIS_EACH_COUNTER(counter, set) {
		if (precis_counter_is_polled(counter)) {
			precis_deliver_woken(counter);
			publish(counter);
		}
	}
	precis_read(set, PRECIS_OF_POLLER);
}

static void on_told(struct precis_reader *reader)
{
	precis_signals_tell(precis_eventset_of_reader(reader)->starter);
}

static int waits(struct precis_reader *reader)
{
	PRECIS_EACH_PART(part, precis_eventset_of_reader(reader)) {
		if (precis_counter_is_polled(part) && precis_buffer_waits(&part->buffer))
			return 1;
	}
	return 0;
}

static int begin_poller(struct precis_eventset *set)
{
	int error = precis_poller_add(&set->reader);

	PRECIS_EACH_PART(part, set) {
		int is_told = precis_counter_is_watermarked(part);

		if (is_told || precis_counter_is_polled(part)) {
			publish(part);
			error = error ? error : precis_poller_watch(&set->reader, part->fd, is_told);
		}
	}
	return error;
}

int precis_reading_begin(struct precis_eventset *set)
{
	int error = PAPI_OK;

	set->reader.on_signal = on_signal;
	set->reader.on_ready = on_ready;
	set->reader.on_told = on_told;
	set->reader.waits = waits;
	set->starter = (pid_t)syscall(SYS_gettid);
	set->busy = set->pending = set->common.cancelled = 0;
	if (precis_eventset_any(set, precis_counter_by_signal))
		error = precis_signals_add(&set->reader);
	if (!error && (precis_eventset_any(set, precis_counter_is_polled) ||
		       precis_eventset_any(set, precis_counter_is_watermarked)))
		error = begin_poller(set);
	return error;
}

void precis_reading_end_signals(struct precis_eventset *set)
{
	precis_signals_remove(&set->reader);
}

void precis_reading_end_poller(struct precis_eventset *set)
{
	precis_poller_remove(&set->reader);
}

void precis_reading_end(struct precis_eventset *set)
{
	precis_reading_end_signals(set);
	precis_reading_end_poller(set);
}

/* --- what they tell -------------------------------------------------------------------- */

void precis_reading_statistics(struct precis_eventset *set, const struct precis_counter *counter,
			       struct precis_papi_statistics *statistics)
{
	statistics->size = 0;
	if (precis_counter_is_polled(counter) && !precis_reading_inside(set))
		read_published(&counter->published, statistics);
	if (!statistics->size) /* no other thread writes them */
		precis_statistics_of(counter, statistics);
}

/*
 * PAPI reads its component's signal without a lock, and each thread comes here: it is written only
 * where it is another than the component began with.
 */
int precis_reading_take_signal(precis_signal_handler *with)
{
	int *told = &_precis_vector.cmp_info.hardware_intr_sig;
	int error = precis_signals_take(with), number = precis_signal_number();

	if (!error && __atomic_load_n(told, __ATOMIC_RELAXED) != number)
		__atomic_store_n(told, number, __ATOMIC_RELAXED);
	return error;
}
