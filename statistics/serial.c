/* SPDX-License-Identifier: BSD-3-Clause */
/* See serial.h. */
#include "serial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Addresses of a task that are looked at together, and as what parts of these */
#define SEGMENT 4096u
#define CHUNK 128u
#define LEAST 32u /* fewer are not judged */
/* All of the first segments of a part are looked at, then one of so many */
#define SEGMENTS_FIRST 2u
#define SEGMENTS_SKIPPED 8u
#define TRIPLES_OF_SEGMENT 1024u

/* So many of 100 addresses are those of a period before: an interrupt now and then is no difference. */
#define REPEATS_PERCENT 95u
#define TRIES 4u
/* Of so few all distances are looked at, and so many of 100 may be of an interrupt's making. */
#define FEW_ADDRESSES 512u
#define SLIPS_PERCENT 10u
/* More samples than that repeat: one share of locked ones would move figures by half as much */
#define LOCKED_SHARE 0.02
/* Where repeating tells nothing by itself: half of the samples */
#define LOCKED_MOSTLY 0.5

/* In one of three cases the middle one is between the others; fewer turns, and surely so, are steps. */
#define TURNS_INDEPENDENT (2.0 / 3)
#define TURNS_VARIANCE (2.0 / 9) /* of each of them … */
#define TURNS_OVERLAP (2.0 / 45) /* … and less if those before and behind it are three that differ, too */
#define TURNS_FEW 0.645
#define TURNS_RARE 0.4
#define TURNS_ELSEWHERE 0.55
#define SURELY 3.35 /* standard errors … */
#define SURELY_OF_FEW 2.45 /* … and of so few that otherwise much would not be seen */
#define TRIPLES_FEW 300u
#define TURNS_BETWEEN 0.59 /* of fewer still: what is nearer, independent samples or a walk, with 1/2 */

#define ADDRESS_BITS 16u /* of the indicators, which begin with them */
#define BATCH_FIRST 8u /* samples of the first batches; later ones have twice as many, and so on */
#define BATCHES_LEAST 12u /* from fewer no variance is told */
#define RARE 20u /* what fewer samples are, or are not, tells no variance either */

void serial_free(struct serial *serial)
{
	for (uint32_t n = 0; n < SERIAL_STREAMS; n++)
		free(serial->streams[n].address);
	for (uint32_t n = 0; n < serial->piece_count; n++)
		free(serial->pieces[n]);
	free(serial->pieces);
	memset(serial, 0, sizeof(*serial));
}

/* --- what repeats --- */

static int is_repeated(const uint64_t *address, uint32_t count, uint32_t after, uint32_t last)
{
	for (uint32_t n = 1; n <= last; n++) {
		if (address[count - n] != address[count - n - after])
			return 0;
	}
	return 1;
}

static int repeats(const uint64_t *address, uint32_t count, uint32_t after)
{
	uint32_t same = 0;

	for (uint32_t n = after; n < count; n++)
		same += address[n] == address[n - after];
	return 100 * (uint64_t)same >= REPEATS_PERCENT * (uint64_t)(count - after);
}

/* After how many addresses they repeat; 0: they do not. The last ones tell where to look. */
static uint32_t repeat_of(const uint64_t *address, uint32_t count, uint32_t most, uint32_t last)
{
	uint32_t tries = 0;

	for (uint32_t after = 1; after <= most && tries < TRIES; after++) {
		if (!is_repeated(address, count, after, last))
			continue;
		if (repeats(address, count, after))
			return after;
		tries++;
	}
	return 0;
}

/* The same of few addresses, wherever they differ: an interrupt may have been among the last ones. */
static uint32_t repeat_of_few(const uint64_t *address, uint32_t count)
{
	for (uint32_t after = 1; after <= count - LEAST; after++) {
		uint32_t others = 0;

		for (uint32_t n = after; n < count && 100 * others <= SLIPS_PERCENT * (count - after);
		     n++)
			others += address[n] != address[n - after];
		if (100 * others <= SLIPS_PERCENT * (count - after))
			return after;
	}
	return 0;
}

static uint32_t repeat_of_all(const uint64_t *address, uint32_t count)
{
	if (count < 2 * LEAST)
		return 0;
	return count <= FEW_ADDRESSES ? repeat_of_few(address, count) :
					repeat_of(address, count, count - LEAST, LEAST / 2);
}

static void note_locked(struct serial *serial, uint32_t samples, uint32_t repeat)
{
	serial->locked += samples;
	serial->repeat = repeat > serial->repeat ? repeat : serial->repeat;
}

/* A loop may be locked in some phases, or with all of the samples but once or twice. */
static void judge_repeats(struct serial *serial, const uint64_t *address, uint32_t count)
{
	const uint32_t whole = repeat_of_all(address, count);

	serial->judged += count;
	if (whole) {
		note_locked(serial, count, whole);
		return;
	}
	for (uint32_t first = 0; first < count; first += CHUNK) {
		uint32_t here = count - first < CHUNK ? count - first : CHUNK;
		uint32_t repeat = here >= LEAST ?
			repeat_of(address + first, here, here / 3, LEAST / 4) : 0;

		if (repeat)
			note_locked(serial, here, repeat);
	}
}

/* --- what steps --- */

static void judge_steps(struct serial *serial, const uint64_t *address, uint32_t count)
{
	const uint32_t stride = 1 + count / TRIPLES_OF_SEGMENT;

	for (uint32_t lag = 1; lag <= SERIAL_LAGS; lag++) {
		for (uint32_t n = 2 * lag; n < count; n += stride) {
			uint64_t a = address[n - 2 * lag], b = address[n - lag], c = address[n];

			if (a == b || b == c || a == c)
				continue;
			serial->triples[lag - 1]++;
			serial->turns[lag - 1] += (b > a) == (b > c);
		}
	}
}

static double turning_rate(const struct serial *serial, uint32_t lag)
{
	const uint64_t count = serial->triples[lag - 1];

	return count ? (double)serial->turns[lag - 1] / (double)count : TURNS_INDEPENDENT;
}

/*
 * Few samples, of which most differ from those before and behind: what steps has to be seen in these. And
 * where even less is enough, it is as bad to overlook it as to see what is not there.
 */
static double surely(double triples, double dense, double error)
{
	const double between = (TURNS_INDEPENDENT - TURNS_BETWEEN) / error;

	if (triples >= TRIPLES_FEW || dense < 0.5)
		return SURELY;
	return between < SURELY_OF_FEW ? between : SURELY_OF_FEW;
}

static int turns_rarely(const struct serial *serial, uint32_t lag, double few)
{
	const double triples = (double)serial->triples[lag - 1];
	const double rate = turning_rate(serial, lag);
	const double dense = serial->judged ? triples / (double)serial->judged : 0;
	const double error = sqrt((TURNS_VARIANCE - TURNS_OVERLAP * dense) / triples);

	return rate < few && TURNS_INDEPENDENT - rate > surely(triples, dense, error) * error;
}

/*
 * From each sample to the next; or to one of the next, where so many periods are a little more or less
 * than some turns of a loop: then those between are elsewhere. Where the samples between step, too, or
 * steps are not that clear, it is phases of the program that follow each other.
 */
static int is_stepping(const struct serial *serial)
{
	if (turns_rarely(serial, 1, TURNS_FEW))
		return 1;
	for (uint32_t lag = 2; lag < SERIAL_LAGS; lag++) {
		if (turns_rarely(serial, lag, TURNS_RARE) &&
		    turning_rate(serial, lag - 1) >= TURNS_ELSEWHERE &&
		    turning_rate(serial, lag + 1) >= TURNS_ELSEWHERE)
			return 1;
	}
	return 0;
}

/* --- samples of a task --- */

static void end_segment(struct serial *serial, struct serial_stream *stream)
{
	const uint32_t number = serial->segments;

	if (stream->count >= LEAST) {
		serial->segments++;
		if (number < SEGMENTS_FIRST || number % SEGMENTS_SKIPPED == 0) {
			judge_repeats(serial, stream->address, stream->count);
			judge_steps(serial, stream->address, stream->count);
		}
	}
	stream->count = 0;
}

static int widen(struct serial_stream *stream)
{
	const uint32_t room = stream->room ? 4 * stream->room : SEGMENT / 64;
	uint64_t *more = realloc(stream->address, room * sizeof(*more));

	if (!more)
		return -1;
	stream->address = more;
	stream->room = room;
	return 0;
}

static inline struct serial_stream *stream_of(struct serial *serial, uint64_t task)
{
	return &serial->streams[task * UINT64_C(0x9e3779b97f4a7c15) >> 60 & (SERIAL_STREAMS - 1)];
}

/* One that is not added to the stream's as others are: the first of a task, or one that finds no room */
static __attribute__((noinline)) int begin_address(struct serial_stream *stream, uint64_t task,
						   uint64_t address)
{
	if (stream->count && stream->task != task)
		return 0; /* of more tasks than there is room for those that came first are looked at */
	if (stream->count == stream->room && widen(stream) < 0)
		return -1;
	stream->task = task;
	stream->address[stream->count++] = address;
	return 0;
}

static int add_addresses(struct serial *serial, const uint64_t *tasks, const uint64_t *addresses,
			 uint32_t count)
{
	for (uint32_t n = 0; n < count; n++) {
		struct serial_stream *stream = stream_of(serial, tasks[n]);

		if (__builtin_expect(stream->task != tasks[n] || stream->count == stream->room, 0)) {
			if (begin_address(stream, tasks[n], addresses[n]) < 0)
				return -1;
			continue;
		}
		stream->address[stream->count++] = addresses[n];
		if (__builtin_expect(stream->count == SEGMENT, 0))
			end_segment(serial, stream);
	}
	return 0;
}

/* --- batches --- */

static int open_piece(struct serial *serial)
{
	struct serial_piece **more =
		realloc(serial->pieces, (serial->piece_count + 1) * sizeof(*more));

	if (!more)
		return -1;
	serial->pieces = more;
	more[serial->piece_count] = calloc(1, sizeof(**more));
	if (!more[serial->piece_count])
		return -1;
	more[serial->piece_count++]->size = BATCH_FIRST;
	serial->is_open = 1;
	return 0;
}

static void take_counts(struct serial *serial)
{
	bit_counts_take(&serial->counts, serial->ones);
	serial->in_counts = 0;
}

/* Two of them are one from here on. */
static void merge_batches(struct serial_piece *piece)
{
	for (uint32_t n = 0; n < SERIAL_BATCHES / 2; n++) {
		for (uint32_t i = 0; i < SERIAL_INDICATORS; i++)
			piece->ones[n][i] = piece->ones[2 * n][i] + piece->ones[2 * n + 1][i];
	}
	piece->count = SERIAL_BATCHES / 2;
	piece->size *= 2;
}

static void end_batch(struct serial *serial, struct serial_piece *piece)
{
	memcpy(piece->ones[piece->count++], serial->ones, sizeof(serial->ones));
	memset(serial->ones, 0, sizeof(serial->ones));
	serial->in_batch = 0;
	if (piece->count == SERIAL_BATCHES)
		merge_batches(piece);
}

/* So many samples more are in the open batch, which begins and ends with a multiple of BATCH_FIRST. */
static void end_counts(struct serial *serial, uint32_t samples)
{
	struct serial_piece *piece = serial->pieces[serial->piece_count - 1];

	serial->in_batch += samples;
	if (serial->in_counts == BIT_COUNTS_MOST || serial->in_batch == piece->size)
		take_counts(serial);
	if (serial->in_batch == piece->size)
		end_batch(serial, piece);
}

/* Instructions of 16 bytes and less are all one place; from 1 MiB on it is another thing. */
static inline uint32_t word_of(uint64_t address, uint16_t indicators)
{
	return (uint32_t)(address >> 4 & 0xffff) | (uint32_t)indicators << ADDRESS_BITS;
}

static void add_word(struct serial *serial, uint32_t word)
{
	bit_counts_add(&serial->counts, word);
	if (++serial->in_counts % BATCH_FIRST == 0)
		end_counts(serial, BATCH_FIRST);
}

static void add_block(struct serial *serial, const uint64_t *addresses, const uint16_t *indicators)
{
	uint32_t words[BIT_COUNTS_BLOCK];

	for (uint32_t n = 0; n < BIT_COUNTS_BLOCK; n++)
		words[n] = word_of(addresses[n], indicators[n]);
	bit_counts_add_block(&serial->counts, words);
	serial->in_counts += BIT_COUNTS_BLOCK;
	end_counts(serial, BIT_COUNTS_BLOCK);
}

/* Does a block fit into the open batch, and into what there is of counts? */
static int has_block(const struct serial *serial)
{
	const uint32_t size = serial->pieces[serial->piece_count - 1]->size;

	return serial->in_counts % BIT_COUNTS_BLOCK == 0 &&
	       size - serial->in_batch >= BIT_COUNTS_BLOCK;
}

static int add_indicators(struct serial *serial, const uint64_t *addresses, const uint16_t *indicators,
			  uint32_t count)
{
	uint32_t n = 0;

	if (!serial->is_open && open_piece(serial) < 0)
		return -1;
	while (n < count) {
		if (count - n >= BIT_COUNTS_BLOCK && has_block(serial)) {
			add_block(serial, addresses + n, indicators + n);
			n += BIT_COUNTS_BLOCK;
		} else {
			add_word(serial, word_of(addresses[n], indicators[n]));
			n++;
		}
	}
	return 0;
}

int serial_add(struct serial *serial, const uint64_t *tasks, const uint64_t *addresses,
	       const uint16_t *indicators, uint32_t count)
{
	if (!count)
		return 0;
	serial->samples += count;
	if (add_addresses(serial, tasks, addresses, count) < 0)
		return -1;
	return add_indicators(serial, addresses, indicators, count);
}

void serial_part(struct serial *serial)
{
	for (uint32_t n = 0; n < SERIAL_STREAMS; n++)
		end_segment(serial, &serial->streams[n]);
	serial->segments = 0;
	memset(&serial->counts, 0, sizeof(serial->counts));
	memset(serial->ones, 0, sizeof(serial->ones));
	serial->in_counts = serial->in_batch = 0;
	serial->is_open = 0;
}

int serial_merge(struct serial *serial, struct serial *other)
{
	struct serial_piece **more = realloc(
		serial->pieces, (serial->piece_count + other->piece_count + 1) * sizeof(*more));

	if (!more)
		return -1;
	serial->pieces = more;
	if (other->piece_count)
		memcpy(more + serial->piece_count, other->pieces,
		       other->piece_count * sizeof(*more));
	serial->piece_count += other->piece_count;
	other->piece_count = 0;
	serial->samples += other->samples;
	serial->judged += other->judged;
	serial->locked += other->locked;
	serial->repeat = other->repeat > serial->repeat ? other->repeat : serial->repeat;
	for (uint32_t n = 0; n < SERIAL_LAGS; n++) {
		serial->triples[n] += other->triples[n];
		serial->turns[n] += other->turns[n];
	}
	return 0;
}

/* --- what comes of it --- */

/* Batches of the same size, of all pieces */
struct batches {
	uint32_t (*ones)[SERIAL_INDICATORS];
	uint32_t size, count;
};

static uint32_t count_batches(const struct serial *serial, uint32_t size)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < serial->piece_count; n++)
		count += serial->pieces[n]->count / (size / serial->pieces[n]->size);
	return count;
}

/* So large that there are few enough */
static uint32_t common_size(const struct serial *serial)
{
	uint32_t size = BATCH_FIRST;

	for (uint32_t n = 0; n < serial->piece_count; n++)
		size = serial->pieces[n]->size > size ? serial->pieces[n]->size : size;
	while (count_batches(serial, size) > SERIAL_BATCHES)
		size *= 2;
	return size;
}

static void take_piece(struct batches *batches, const struct serial_piece *piece)
{
	const uint32_t of = batches->size / piece->size;

	for (uint32_t n = 0; n < piece->count / of * of; n++) {
		for (uint32_t i = 0; i < SERIAL_INDICATORS; i++)
			batches->ones[batches->count + n / of][i] += piece->ones[n][i];
	}
	batches->count += piece->count / of;
}

/* The variance of an indicator's sums over 'of' batches each, by that of independent samples; 0: unknown */
static double effect_on(const struct batches *batches, uint32_t of, uint32_t indicator)
{
	const uint32_t count = batches->count / of;
	const double n = (double)count * of * batches->size;
	double sum = 0, squares = 0, mean, share;

	for (uint32_t i = 0; i < count; i++) {
		double ones = 0;

		for (uint32_t k = 0; k < of; k++)
			ones += batches->ones[i * of + k][indicator];
		sum += ones;
		squares += ones * ones;
	}
	if (sum < RARE || n - sum < RARE)
		return 0;
	mean = sum / count;
	share = sum / n;
	return (squares - sum * mean) / (count - 1) / (share * (1 - share) * n / count);
}

/* The most that any of so many indicators is affected, by batches of any size; 0: they are too few */
static double effect_of(const struct batches *batches, uint32_t indicators)
{
	double most = 0;

	for (uint32_t of = 1; batches->count / of >= BATCHES_LEAST; of *= 2) {
		for (uint32_t n = 0; n < indicators; n++) {
			double effect = effect_on(batches, of, n);

			most = effect > most ? effect : most;
		}
	}
	return most;
}

/* As of all batches; 0 also where memory is short: then it is not known. */
static double measure(const struct serial *serial, uint32_t indicators)
{
	struct batches batches = { .size = common_size(serial) };
	double effect = 0;

	batches.ones = calloc(SERIAL_BATCHES, sizeof(*batches.ones));
	if (!batches.ones)
		return 0;
	for (uint32_t n = 0; n < serial->piece_count; n++)
		take_piece(&batches, serial->pieces[n]);
	effect = effect_of(&batches, indicators);
	free(batches.ones);
	return effect;
}

/* Samples of one place for long, and then of another; if it is always the same one, there is no effect. */
static double effect_of_places(const struct serial *serial)
{
	const double effect = measure(serial, ADDRESS_BITS);

	return effect > 1 ? effect : 1;
}

struct serial_effect serial_tell(const struct serial *serial, uint32_t event)
{
	struct serial_effect told = {
		.effect = 1, .samples = serial->samples, .repeat = serial->repeat,
	};

	if (serial->judged)
		told.locked = (double)serial->locked / (double)serial->judged;
	if (event & SERIAL_MAY_LOCK && told.locked > LOCKED_SHARE) {
		told.verdict = SERIAL_LOCKED;
		return told;
	}
	if (is_stepping(serial))
		told.effect = measure(serial, SERIAL_INDICATORS);
	else if (event & SERIAL_OF_ALL && told.locked > LOCKED_MOSTLY)
		told.effect = effect_of_places(serial);
	if (told.effect == 0 || (told.effect > 1 &&
				 (double)told.samples / told.effect < SERIAL_FEWEST))
		told.verdict = SERIAL_FEW;
	else if (told.effect > 1)
		told.verdict = SERIAL_WIDENED;
	told.effect = told.effect > 1 ? told.effect : 1;
	return told;
}

/* Few samples among those of others do no harm. */
struct serial_effect serial_together(const struct serial_effect *effects, size_t count)
{
	struct serial_effect all = { .effect = 1 };
	double squares = 0;

	for (size_t n = 0; n < count; n++)
		all.samples += effects[n].samples;
	for (size_t n = 0; n < count; n++) {
		const struct serial_effect *one = &effects[n];
		const double part = (double)one->samples / (double)all.samples;
		const int is_unknown = one->verdict >= SERIAL_FEW;

		if (is_unknown && part <= LOCKED_SHARE)
			continue;
		squares += part * one->effect;
		all.locked += part * one->locked;
		all.repeat = one->repeat > all.repeat ? one->repeat : all.repeat;
		all.verdict = one->verdict > all.verdict ? one->verdict : all.verdict;
	}
	all.effect = squares > 1 ? squares : 1;
	return all;
}
