/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_listed.c
 * @see precis_listed.h
 */
#include "precis_listed.h"

#include <string.h>

#include "precis_debug.h"
#include "precis_machine.h"
#include "precis_memory.h"
#include "precis_pfm.h"
#include "precis_pmu.h"

static const struct {
	const char *name, *candidates, *meaning;
} aliases[] = {
#define PRECIS_PAPI_ALIAS(name, candidates, meaning) { name, candidates, meaning },
#include "precis_aliases.def"
#undef PRECIS_PAPI_ALIAS
};

static struct precis_listed **list;
static uint32_t count, room;

static struct precis_listed *add(const char *name, const char *meaning,
				 const struct precis_listed *of)
{
	struct precis_listed *listed;

	if (count == room) {
		uint32_t more = room ? 2 * room : 64;
		struct precis_listed **bigger =
			precis_grown(list, count * sizeof(*list), more * sizeof(*list));

		if (!bigger)
			return NULL;
		list = bigger;
		room = more;
	}
	listed = papi_calloc(1, sizeof(*listed) + strlen(name) + 1);
	if (!listed)
		return NULL;
	listed->event.id = PRECIS_PAPI_EVENT_PFM;
	listed->event.name = strcpy((char *)(listed + 1), name);
	listed->event.pfm = "";
	listed->meaning = meaning;
	listed->of = of;
	list[count++] = listed;
	return listed;
}

static int is_precise_here(const char *name)
{
	struct precis_pfm_event event;
	const char *why;

	return !precis_pfm_find(name, 1, 0, &event, &why) && event.is_precise;
}

/* The first candidate that this CPU has, as an event's name in libpfm4 */
static void resolve(const char *candidates, struct precis_named_event *event)
{
	size_t bytes;

	for (; *candidates; candidates += bytes + (candidates[bytes] == ' ')) {
		char *name;

		bytes = strcspn(candidates, " ");
		name = papi_malloc(bytes + 1);
		if (!name)
			break;
		memcpy(name, candidates, bytes);
		name[bytes] = 0;
		if (is_precise_here(name)) {
			event->pfm = name;
			return;
		}
		papi_free(name);
	}
	event->missing = precis_machine()->cpu.vendor == PRECIS_VENDOR_AMD
				 ? "PEBS is Intel's"
				 : "libpfm4 knows no such precise event of this CPU";
}

static void add_of_pfm(const char *name, const char *meaning, int is_umask)
{
	static const struct precis_listed *event;

	if (!is_umask)
		event = add(name, meaning, NULL);
	else if (event)
		add(name, meaning, event);
}

static int has_core_pmu(void)
{
	return precis_pmu_type("cpu") >= 0 || precis_pmu_type("cpu_core") >= 0;
}

void precis_listed_init(void)
{
	if (list) /* of a parent process, in which PAPI was not shut down */
		return;
	for (size_t n = 0; n < sizeof(aliases) / sizeof(aliases[0]); n++) {
		struct precis_listed *listed = add(aliases[n].name, aliases[n].meaning, NULL);

		if (listed)
			resolve(aliases[n].candidates, &listed->event);
	}
	precis_pfm_list(add_of_pfm);
	for (uint32_t n = 0; n < count && !has_core_pmu(); n++) {
		if (!list[n]->event.missing)
			list[n]->event.missing =
				"the kernel has no PMU of the core: virtual machine?";
	}
	SUBDBG("%u names beside those of the table\n", count);
}

void precis_listed_free(void)
{
	while (count) {
		struct precis_listed *listed = list[--count];

		if (*listed->event.pfm)
			papi_free((char *)listed->event.pfm); /* what resolve() has found */
		papi_free(listed);
	}
	papi_free(list);
	list = NULL;
	room = 0;
}

const struct precis_listed *precis_listed(uint32_t n)
{
	return n < count ? list[n] : NULL;
}

int64_t precis_listed_find(const char *name)
{
	const struct precis_listed *listed;

	for (uint32_t n = 0; (listed = precis_listed(n)); n++) {
		if (!strcasecmp(listed->event.name, name))
			return n;
	}
	return -1;
}
