/* SPDX-License-Identifier: BSD-3-Clause */
/* What was lost, handed out. */
#include "libdecode/perf/records/attr.h"
#include "libdecode/sample/abi.h"
#include "private.h"

/* perf record reads the counters when it ends since this version */
enum { COUNTERS_MAJOR = 6, COUNTERS_MINOR = 1 };

static const uint16_t sums[] = {
#define SUM(member) offsetof(struct precis_loss, member)
	SUM(lost_records),
	SUM(lost),
	SUM(counted),
	SUM(counters_ignored),
	SUM(lost_samples_records),
	SUM(lost_samples),
	SUM(filtered),
	SUM(aux_truncated),
	SUM(aux_truncated_bytes),
	SUM(aux_partial),
	SUM(aux_partial_bytes),
	SUM(aux_collisions),
	SUM(aux_collision_bytes),
	SUM(throttle),
	SUM(unthrottle),
	SUM(spans),
	SUM(throttled_ns),
	SUM(open),
	SUM(open_ns),
	SUM(unfinished),
	SUM(unmatched),
#undef SUM
};

static void add(struct precis_loss *to, const struct precis_loss *from)
{
	for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
		uint64_t sum, more;

		memcpy(&sum, (const char *)to + sums[i], sizeof(sum));
		memcpy(&more, (const char *)from + sums[i], sizeof(more));
		sum += more;
		memcpy((char *)to + sums[i], &sum, sizeof(sum));
	}
	if (from->longest_ns > to->longest_ns)
		to->longest_ns = from->longest_ns;
}

static const struct loss_row *row_at(const struct losses *losses, uint32_t n)
{
	return n < losses->row_numbers.count ? &losses->rows[n] : &losses->rest;
}

/* The row as of now: open spans end at the last time that was seen. */
static struct precis_loss closed(const struct losses *losses, const struct loss_row *row)
{
	struct precis_loss loss = row->loss;

	loss.open_ns = loss.open * losses->last_time - row->open_since;
	loss.throttled_ns += loss.open_ns;
	loss.unfinished += row->open_tasks;
	return loss;
}

uint32_t precis_file_loss_count(const struct precis_file *file)
{
	return file ? file->losses.row_numbers.count + file->losses.rest.loss.is_rest : 0;
}

static void copy_out(struct precis_loss *to, struct precis_loss from)
{
	from.size = to->size;
	*to = from;
}

int precis_file_loss(const struct precis_file *file, uint32_t n, struct precis_loss *loss)
{
	ABI_OUT(struct precis_loss, loss, precis_file_loss(file, n, &abi));
	if (n >= precis_file_loss_count(file))
		return PRECIS_E_ARGUMENT;
	copy_out(loss, closed(&file->losses, row_at(&file->losses, n)));
	return 0;
}

static int is_asked(uint32_t asked, uint32_t found)
{
	return asked == PRECIS_LOSS_ANY || asked == found;
}

int precis_file_loss_sum(const struct precis_file *file, uint32_t event, uint32_t cpu,
			 struct precis_loss *loss)
{
	struct precis_loss sum = { .event = event, .cpu = cpu };

	ABI_OUT(struct precis_loss, loss, precis_file_loss_sum(file, event, cpu, &abi));
	if (!file)
		return PRECIS_E_ARGUMENT;
	for (uint32_t n = 0; n < precis_file_loss_count(file); n++) {
		const struct loss_row *row = row_at(&file->losses, n);
		struct precis_loss one;

		if (!is_asked(event, row->loss.event) || !is_asked(cpu, row->loss.cpu))
			continue;
		one = closed(&file->losses, row);
		add(&sum, &one);
	}
	copy_out(loss, sum);
	return 0;
}

/* How many ids of the event are on that CPU */
static uint32_t ids_on(const struct losses *losses, uint32_t event, uint32_t cpu)
{
	uint32_t indexed = 0, found = 0;

	for (uint32_t n = 0; n < losses->stream_numbers.count; n++) {
		const struct loss_stream *stream = &losses->streams[n];

		if (!stream->is_indexed || stream->event != event)
			continue;
		indexed++;
		found += stream->cpu == cpu;
	}
	return indexed ? found : 1;
}

int precis_file_throttled_share(const struct precis_file *file, uint32_t event, uint32_t cpu,
				struct precis_throttled_share *share)
{
	struct precis_loss loss = { .size = sizeof(loss) };
	const struct losses *losses;
	uint64_t first;

	ABI_OUT(struct precis_throttled_share, share,
		precis_file_throttled_share(file, event, cpu, &abi));
	if (!file || event >= file->events.count)
		return PRECIS_E_ARGUMENT;
	losses = &file->losses;
	precis_file_loss_sum(file, event, cpu, &loss);
	if (cpu != PRECIS_LOSS_ANY)
		share->ids = ids_on(losses, event, cpu);
	else
		share->ids = file->events.event[event]->view.id_count
				     ? file->events.event[event]->view.id_count
				     : 1;
	share->throttled_ns = loss.throttled_ns;
	first = file->events.event[event]->losses.first_time;
	share->recorded_ns = first > losses->last_time ? 0 : losses->last_time - first;
	if (__builtin_mul_overflow(share->recorded_ns, (uint64_t)share->ids, &share->of_ns))
		share->of_ns = 0;
	return 0;
}

/* "6.1.192", "6.6-1": @return 1 if it is that version or a later one */
static int is_since(const char *version, unsigned int major, unsigned int minor)
{
	unsigned int found[2] = { 0, 0 };

	for (unsigned int part = 0; version && part < 2; part++) {
		for (; *version >= '0' && *version <= '9' && found[part] < 10000; version++)
			found[part] = 10 * found[part] + (unsigned int)(*version - '0');
		if (*version++ != '.')
			break;
	}
	return found[0] > major || (found[0] == major && found[1] >= minor);
}

int precis_file_loss_knowledge(const struct precis_file *file, uint32_t event)
{
	const struct precis_event *view = precis_file_event(file, event);

	if (!view)
		return PRECIS_E_ARGUMENT;
	if (attr_bits(view->attr, ATTR_WRITE_BACKWARD, 1))
		return PRECIS_LOSS_UNKNOWN;
	if ((view->layout->read_format & PRECIS_FORMAT_LOST) &&
	    file->header.form == PRECIS_FORM_SEEKABLE &&
	    is_since(file->features.said.perf_version, COUNTERS_MAJOR, COUNTERS_MINOR))
		return PRECIS_LOSS_COUNTED;
	return PRECIS_LOSS_REPORTED;
}
