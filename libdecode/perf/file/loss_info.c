/* SPDX-License-Identifier: BSD-3-Clause */
/* What was lost, handed out. */
#include "libdecode/perf/losses/thread_losses.h"
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
		loss_count(&sum, more);
		memcpy((char *)to + sums[i], &sum, sizeof(sum));
	}
	if (from->longest_ns > to->longest_ns)
		to->longest_ns = from->longest_ns;
}

static const struct loss_row *row_at(const struct loss_table *table, uint32_t n)
{
	return n < table->numbers.count ? &table->rows[n] : &table->rest;
}

static uint32_t row_count(const struct loss_table *table)
{
	return table->numbers.count + table->rest.loss.is_rest;
}

/* The row as of now, but for samples: open spans end at the last time that was seen. */
static struct precis_loss closed(const struct losses *losses, const struct loss_row *row)
{
	struct precis_loss loss = row->loss;

	loss.cpu = row->place;
	loss.open_ns = loss.open * losses->last_time - row->open_since;
	loss.throttled_ns += loss.open_ns;
	loss.unfinished += row->open_tasks;
	return loss;
}

uint32_t precis_file_loss_count(const struct precis_file *file)
{
	return file ? row_count(&file->losses.cpus) : 0;
}

static void copy_out(struct precis_loss *to, struct precis_loss from)
{
	from.size = to->size;
	*to = from;
}

/* --- samples that came --- */

static uint64_t sum_of(uint64_t a, uint64_t b)
{
	return a == PRECIS_LOSS_UNCOUNTED || b == PRECIS_LOSS_UNCOUNTED ? PRECIS_LOSS_UNCOUNTED :
									  a + b;
}

static uint64_t samples_on_cpu(const struct precis_file *file, uint32_t event, uint32_t cpu)
{
	const struct file_event *of = file->events.event[event];

	if (cpu == PRECIS_LOSS_ANY)
		return of->counts.samples;
	if (cpu == PRECIS_LOSS_NONE)
		return of->losses.without_cpu;
	if (of->losses.without_cpu)
		return PRECIS_LOSS_UNCOUNTED;
	return cpu < of->losses.cpus ? of->losses.on_cpu[cpu] : 0;
}

static uint64_t samples_in_thread(const struct precis_file *file, uint32_t event, uint32_t tid)
{
	const struct loss_event *of = &file->events.event[event]->losses;
	const struct sample_tally *tally;

	if (!of->is_task || of->without_tid || tid == PRECIS_LOSS_NONE)
		return PRECIS_LOSS_UNCOUNTED;
	tally = tallies_find(&file->losses.in_threads, event, tid);
	return tally ? tally->samples : 0;
}

/* Of the row's event, or of all that write into a buffer */
static uint64_t samples_of(const struct precis_file *file, const struct precis_loss *row,
			   uint32_t place,
			   uint64_t (*count)(const struct precis_file *file, uint32_t event,
					     uint32_t place))
{
	uint64_t samples = 0;

	if (row->is_rest)
		return PRECIS_LOSS_UNCOUNTED;
	if (row->event < file->events.count)
		return count(file, row->event, place);
	if (row->event < PRECIS_LOSS_ANY)
		return 0;
	for (uint32_t n = 0; n < file->events.count; n++) {
		if (file->events.event[n]->counts.samples)
			samples = sum_of(samples, count(file, n, place));
	}
	return samples;
}

/* --- rows of CPUs --- */

int precis_file_loss(const struct precis_file *file, uint32_t n, struct precis_loss *loss)
{
	struct precis_loss found;

	ABI_OUT(struct precis_loss, loss, precis_file_loss(file, n, &abi));
	if (n >= precis_file_loss_count(file))
		return PRECIS_E_ARGUMENT;
	found = closed(&file->losses, row_at(&file->losses.cpus, n));
	found.samples = samples_of(file, &found, found.cpu, samples_on_cpu);
	copy_out(loss, found);
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
		const struct loss_row *row = row_at(&file->losses.cpus, n);
		struct precis_loss one;

		if (!is_asked(event, row->loss.event) || !is_asked(cpu, row->place))
			continue;
		one = closed(&file->losses, row);
		add(&sum, &one);
	}
	sum.samples = samples_of(file, &sum, cpu, samples_on_cpu);
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

/* --- rows of threads --- */

uint32_t precis_file_loss_thread_count(const struct precis_file *file)
{
	return file ? row_count(&file->losses.threads) : 0;
}

/* How long the thread is known to have been there, while the event was */
static uint64_t recorded_in(const struct precis_file *file, uint32_t event, uint32_t tid)
{
	const struct sample_tally *tally;

	if (event >= file->events.count || file->events.event[event]->losses.without_tid)
		return 0;
	tally = tallies_find(&file->losses.in_threads, event, tid);
	return tally ? tally->last_time - tally->first_time : 0;
}

int precis_file_loss_thread(const struct precis_file *file, uint32_t n, struct precis_loss *loss,
			    struct precis_loss_thread *thread)
{
	const struct loss_row *row;
	struct precis_loss found;

	ABI_OUT(struct precis_loss, loss, precis_file_loss_thread(file, n, &abi, thread));
	ABI_OUT(struct precis_loss_thread, thread, precis_file_loss_thread(file, n, loss, &abi));
	if (n >= precis_file_loss_thread_count(file))
		return PRECIS_E_ARGUMENT;
	row = row_at(&file->losses.threads, n);
	found = closed(&file->losses, row);
	found.cpu = PRECIS_LOSS_ANY;
	found.samples = samples_of(file, &found, row->place, samples_in_thread);
	copy_out(loss, found);
	thread->tid = row->place;
	thread->recorded_ns = recorded_in(file, found.event, row->place);
	memcpy(thread->name, precis_thread_name(&file->losses.names, row->place),
	       sizeof(thread->name));
	return 0;
}

int precis_file_loss_by_thread(const struct precis_file *file, uint32_t event)
{
	if (!file || event >= file->events.count)
		return PRECIS_E_ARGUMENT;
	return precis_thread_knowledge(&file->losses, file->events.event[event]);
}

/* --- what is known --- */

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
