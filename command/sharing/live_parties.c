/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_parties.h. */
#include "live_parties.h"

#include <stdlib.h>
#include <string.h>

#include "this_machine.h"

uint32_t live_number_of(const struct live_result *result, uint32_t tid)
{
	uint32_t n = 0;

	while (n < result->thread_count && result->threads[n].tid != tid)
		n++;
	return n;
}

static struct weighted samples_of(uint64_t samples, double weight)
{
	return weighted_of(samples, samples ? (uint64_t)(weight / (double)samples + 0.5) : 0);
}

/* --- where threads were seen --- */

/* By the threads' numbers: a party of each thread, with its CPUs. 0, or -1 if memory is short */
static int find_cpus(struct sharing_parties *threads, const struct live_result *result)
{
	for (uint32_t n = 0; n < result->thread_count; n++) {
		if (sharing_party_number(threads, 0, result->threads[n].tid, 0) != n)
			return -1;
	}
	for (uint32_t n = 0; result->sites.list && n < LIVE_SITES_MOST; n++) {
		const struct live_site *site = &result->sites.list[n];
		const uint32_t number = site->line && site->cpu ? live_number_of(result, site->tid)
								: result->thread_count;

		if (number < result->thread_count &&
		    sharing_party_on_cpu(threads, number, site->cpu - 1, site->count) < 0)
			return -1;
	}
	return 0;
}

/* --- who they are --- */

/* What a thread is of. 0: that is not known */
static int id_of(const struct sharing *sharing, const struct live_thread *thread, uint32_t cpu,
		 uint64_t *id)
{
	switch (sharing->request->by) {
	case SHARING_BY_CPU:
		*id = cpu;
		return cpu != UINT32_MAX;
	case SHARING_BY_CORE:
		*id = cpu < sharing->cores.count ? sharing->cores.of_cpu[cpu] : UINT64_MAX;
		return *id != UINT64_MAX;
	case SHARING_BY_NODE:
		*id = cpu == UINT32_MAX ? NODE_UNKNOWN : nodes_of_cpu(&sharing->nodes, cpu);
		return *id != NODE_UNKNOWN;
	default:
		*id = thread->tid; /* its process is the one that is watched */
		return 1;
	}
}

static int name_thread(struct sharing_party *party, const struct live_thread *thread)
{
	party->name = *thread->name ? strdup(thread->name) : NULL;
	return *thread->name && !party->name ? -1 : 0;
}

static int add(struct sharing *sharing, const struct live_thread *thread,
	       const struct sharing_party *seen, uint32_t *number)
{
	const struct weighted loads = samples_of(thread->loads, thread->load_weight);
	const struct weighted stores = samples_of(thread->stores, thread->store_weight);
	struct sharing_party *party;
	int failed = 0;
	uint64_t id;

	*number = LIVE_NOBODY;
	if (!id_of(sharing, thread, sharing_party_cpu(seen), &id))
		return 0;
	*number = sharing_party_number(&sharing->parties, 0, id, 0);
	if (*number == UINT32_MAX)
		return -1;
	party = &sharing->parties.list[*number];
	weighted_add(&party->loads, &loads);
	weighted_add(&party->stores, &stores);
	for (uint32_t n = 0; n < seen->cpu_count && !failed; n++)
		failed = sharing_party_on_cpu(&sharing->parties, *number, seen->cpus[n].cpu,
					      seen->cpus[n].samples) < 0;
	if (!failed && sharing->request->by == SHARING_BY_THREAD)
		failed = name_thread(party, thread) < 0;
	return failed ? -1 : 0;
}

int live_parties_init(struct sharing *sharing, const struct live_result *result,
		      uint32_t party_of[WATCH_THREADS_MOST])
{
	struct sharing_parties threads = { .count = 0 };
	int failed = this_machine_nodes(&sharing->nodes) < 0 ||
		     this_machine_cores(&sharing->cores) < 0 || find_cpus(&threads, result) < 0;

	for (uint32_t n = 0; n < result->thread_count && !failed; n++)
		failed = add(sharing, &result->threads[n], &threads.list[n], &party_of[n]) < 0;
	sharing_parties_free(&threads);
	return failed ? -1 : 0;
}
