/* SPDX-License-Identifier: BSD-3-Clause */
/* See totals.h. Layouts: perf_event_read_format in include/uapi/linux/perf_event.h of Linux 6.12. */
#include "totals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INHERIT (1u << 1) /* bits of attr behind its read_format */
#define INHERIT_STAT (1u << 11)
#define ATTR_FLAGS 40u /* where they stand */

/* What a key is of */
enum kind {
	COUNTER, /* its last value: event, id of the counter, thread if each has its own */
	COUNTER_READS, /* how often it was read */
	ENDED, /* a task's count: event, thread */
	SAMPLED /* what samples of a task stand for: event, thread */
};

const char *mix_total_source_text(enum mix_total_source source)
{
	static const char *const texts[] = {
		[MIX_TOTAL_NONE] = "nothing",
		[MIX_TOTAL_READ_WITH_SAMPLES] = "counts read along with samples",
		[MIX_TOTAL_READ_AT_END] = "counts of tasks that ended",
	};

	return texts[source];
}

/* The figure of a key; NULL: memory is short */
static double *value_of(struct mix_totals *totals, enum kind kind, uint32_t event, uint64_t id,
			uint32_t tid)
{
	const struct numbering_key key = { { (uint64_t)kind << 32 | event, id, tid, 0 } };
	const uint32_t number = numbering_of(&totals->keys, &key);

	if (number == NUMBERING_NONE)
		return NULL;
	if (number >= totals->room) {
		const uint32_t room = totals->keys.room;
		double *more = realloc(totals->value, room * sizeof(*more));

		if (!more)
			return NULL;
		memset(more + totals->room, 0, (room - totals->room) * sizeof(*more));
		totals->value = more;
		totals->room = room;
	}
	return &totals->value[number];
}

static int has_flag(const struct precis_event *event, uint32_t flag)
{
	uint64_t flags;

	if (!event->attr || event->attr_bytes < ATTR_FLAGS + sizeof(flags))
		return 0;
	memcpy(&flags, event->attr + ATTR_FLAGS, sizeof(flags));
	return (flags & flag) != 0;
}

/* As if it had had a counter all the time */
static double scaled(const struct precis_read *read, uint64_t value)
{
	const uint32_t times = PRECIS_FORMAT_TIME_ENABLED | PRECIS_FORMAT_TIME_RUNNING;

	if ((read->present & times) != times || !read->time_running ||
	    read->time_running >= read->time_enabled)
		return (double)value;
	return (double)value * ((double)read->time_enabled / (double)read->time_running);
}

static const struct precis_event *event_of(struct precis_file *file, const struct precis_event *own,
					   const struct precis_read *read,
					   const struct precis_read_value *value)
{
	if (value->present & PRECIS_FORMAT_ID)
		return precis_file_event_of_id(file, value->id);
	return read->present & PRECIS_FORMAT_GROUP ? NULL : own;
}

int mix_totals_sample(struct mix_totals *totals, struct precis_file *file,
		      const struct precis_event *event, const struct precis_perf_sample *sample,
		      uint64_t weight)
{
	const uint32_t tid = sample->present & PRECIS_SAMPLE_TID ? sample->tid : 0;
	struct precis_read_value value = { .size = sizeof(value) };
	struct precis_read read = { .size = sizeof(read) };
	double *figure;

	if (has_flag(event, INHERIT_STAT)) {
		figure = value_of(totals, SAMPLED, event->index, 0, tid);
		if (!figure)
			return -1;
		*figure += (double)weight;
	}
	if (!(sample->present & PRECIS_SAMPLE_READ))
		return 0;
	if (precis_read_parse(event->layout->read_format, sample->read, &read)) {
		totals->unread += totals->unread < UINT32_MAX;
		return 0;
	}
	for (uint64_t n = 0; !precis_read_value(&read, n, &value); n++) {
		const struct precis_event *of = event_of(file, event, &read, &value);
		const uint64_t id = value.present & PRECIS_FORMAT_ID ? value.id : 0;
		double *reads;

		if (!of)
			continue;
		/* Each inherited event has a counter of its own, and its parent's id */
		reads = value_of(totals, COUNTER_READS, of->index, id,
				 has_flag(of, INHERIT) ? tid : 0);
		if (!reads)
			return -1;
		++*reads;
		figure = value_of(totals, COUNTER, of->index, id, has_flag(of, INHERIT) ? tid : 0);
		if (!figure)
			return -1;
		*figure = fmax(*figure, scaled(&read, value.value));
	}
	return 0;
}

int mix_totals_record(struct mix_totals *totals, struct precis_file *file,
		      const struct precis_record *record)
{
	struct precis_read_value value = { .size = sizeof(value) };
	struct precis_read_record read = { .size = sizeof(read) };
	const struct precis_event *own;

	if (record->type != PRECIS_RECORD_READ)
		return 0;
	own = precis_file_event_of(file, record);
	if (!own || precis_read_record_parse(own->layout, record, &read)) {
		totals->unread += totals->unread < UINT32_MAX;
		return 0;
	}
	for (uint64_t n = 0; !precis_read_value(&read.read, n, &value); n++) {
		const struct precis_event *of = event_of(file, own, &read.read, &value);
		double *figure = of ? value_of(totals, ENDED, of->index, 0, read.tid) : NULL;

		if (of && !figure)
			return -1;
		if (figure)
			*figure += scaled(&read.read, value.value);
	}
	return 0;
}

static double find(const struct mix_totals *totals, enum kind kind,
		   const struct numbering_key *like)
{
	const struct numbering_key key = { { (uint64_t)kind << 32 | (uint32_t)like->word[0],
					     like->word[1], like->word[2], 0 } };
	const uint32_t number = numbering_find(&totals->keys, &key);

	return number == NUMBERING_NONE ? NAN : totals->value[number];
}

static struct mix_total total_with_samples(const struct mix_totals *totals,
					   const struct precis_event *event)
{
	struct mix_total total = { .read = 1 };
	double counters = 0, reads = 0;

	for (uint32_t n = 0; n < totals->keys.count; n++) {
		if (totals->keys.key[n].word[0] != ((uint64_t)COUNTER << 32 | event->index))
			continue;
		total.value += totals->value[n];
		reads += find(totals, COUNTER_READS, &totals->keys.key[n]);
		counters++;
	}
	if (!(total.value > 0))
		return (struct mix_total){ 0 };
	total.source = MIX_TOTAL_READ_WITH_SAMPLES;
	total.error = counters / reads;
	return total;
}

static struct mix_total total_at_end(const struct mix_totals *totals,
				     const struct precis_event *event)
{
	struct mix_total total = { 0 };
	double ended = 0, sampled = 0;

	for (uint32_t n = 0; n < totals->keys.count; n++) {
		const struct numbering_key *key = &totals->keys.key[n];

		if ((uint32_t)key->word[0] != event->index)
			continue;
		if (key->word[0] >> 32 == ENDED)
			ended += totals->value[n];
		else if (key->word[0] >> 32 == SAMPLED && isnan(find(totals, ENDED, key)))
			sampled += totals->value[n];
	}
	if (!(ended > 0))
		return total;
	total.source = MIX_TOTAL_READ_AT_END;
	total.value = ended + sampled;
	total.read = ended / total.value;
	return total;
}

struct mix_total mix_total_of(const struct mix_totals *totals, const struct precis_event *event)
{
	const struct mix_total total = total_with_samples(totals, event);

	return total.source ? total : total_at_end(totals, event);
}

void mix_totals_free(struct mix_totals *totals)
{
	numbering_free(&totals->keys);
	free(totals->value);
	memset(totals, 0, sizeof(*totals));
}
