/* SPDX-License-Identifier: BSD-3-Clause */
/* See loss_parts.h. */
#include "loss_parts.h"

#include <string.h>

#include <precis/error.h>

int losses_can_be_parted(const struct losses *losses)
{
	for (uint32_t n = 0; n < losses->events->count; n++) {
		if (losses->events->event[n]->losses.counters)
			return 0;
	}
	return 1;
}

static void forget_of_event(struct file_event *event)
{
	struct loss_event *of = &event->losses;

	event->counts.samples = 0;
	event->counts.undecodable = 0;
	if (of->cpus)
		memset(of->on_cpu, 0, of->cpus * sizeof(*of->on_cpu));
	of->without_cpu = 0;
	of->without_tid = 0;
}

void losses_forget_samples(struct losses *losses)
{
	struct tallies *tallies = &losses->in_threads;

	losses->counts.records -= losses->counts.samples;
	losses->counts.samples = 0;
	losses->counts.samples_unread = 0;
	for (uint32_t n = 0; n < losses->events->count; n++)
		forget_of_event(losses->events->event[n]);
	for (uint32_t n = 0; n < tallies->numbers.count; n++)
		tallies->tallies[n].samples = 0;
}

static int add_on_cpus(struct losses *losses, struct file_event *event, const struct loss_event *other)
{
	struct loss_event *of = &event->losses;

	for (uint32_t cpu = 0; cpu < other->cpus; cpu++) {
		if (!other->on_cpu[cpu])
			continue;
		if (cpu >= of->cpus) {
			precis_losses_first_on_cpu(losses, event, cpu);
			if (cpu >= of->cpus)
				return PRECIS_E_NO_MEMORY;
			of->on_cpu[cpu]--; /* which was counted as one */
		}
		of->on_cpu[cpu] += other->on_cpu[cpu];
	}
	return 0;
}

static int add_of_event(struct losses *losses, struct file_event *event, const struct file_event *other)
{
	struct loss_event *of = &event->losses;

	event->counts.samples += other->counts.samples;
	event->counts.undecodable += other->counts.undecodable;
	if (other->losses.first_time < of->first_time)
		of->first_time = other->losses.first_time;
	of->without_cpu += other->losses.without_cpu;
	of->without_tid += other->losses.without_tid;
	return add_on_cpus(losses, event, &other->losses);
}

/* In any order: where there is room for all that makes no difference. */
static int add_tallies(struct tallies *tallies, const struct tallies *others)
{
	for (uint32_t n = 0; n < others->numbers.room; n++) {
		const struct numbered_key *slot = &others->numbers.slots[n];
		const struct sample_tally *other;
		struct sample_tally *tally;

		if (!slot->number_and_one)
			continue;
		other = &others->tallies[slot->number_and_one - 1];
		tally = tallies_take(tallies, (uint32_t)(slot->key >> 32) - 1, (uint32_t)slot->key);
		if (!tally)
			return PRECIS_E_NO_MEMORY;
		tally->samples += other->samples;
		tally_note_times(tally, other->first_time, other->last_time);
	}
	return others->is_full ? PRECIS_E_NO_MEMORY : 0;
}

int losses_add_samples(struct losses *losses, const struct losses *others)
{
	int error = 0;

	if (losses->events->count != others->events->count)
		return PRECIS_E_UNSUPPORTED;
	losses->counts.records += others->counts.samples;
	losses->counts.samples += others->counts.samples;
	losses->counts.samples_unread += others->counts.samples_unread;
	if (others->last_time > losses->last_time)
		losses->last_time = others->last_time;
	for (uint32_t n = 0; n < others->events->count && !error; n++)
		error = add_of_event(losses, losses->events->event[n], others->events->event[n]);
	return error ? error : add_tallies(&losses->in_threads, &others->in_threads);
}
