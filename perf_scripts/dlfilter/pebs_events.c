/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel's precise events. A precise event of a core's PMU is PEBS. perf does not tell a filter
 * the names of PMUs: the event's own name has it, or the type says enough.
 */
#include "pebs_events.h"

#include <string.h>

/* perf_event_attr, from its start */
#define ATTR_TYPE 0x00
#define ATTR_CONFIG 0x08
#define ATTR_FLAGS 0x28
#define ATTR_FLAG_PRECISE_IP (UINT64_C(3) << 15)

/* PERF_TYPE_HARDWARE, PERF_TYPE_HW_CACHE */
#define TYPE_HARDWARE 0u
#define TYPE_HW_CACHE 3u

#define WEIGHTS (PRECIS_SAMPLE_WEIGHT | PRECIS_SAMPLE_WEIGHT_STRUCT)

/* The PMU stands before a slash. */
static int is_of_core(const char *name, uint32_t type, uint32_t *core_type)
{
	size_t length = strcspn(name, "/");

	return precis_core_type_of_event(name[length] ? name : NULL, length, type, core_type);
}

void pebs_events_learn(struct event *event, const void *attr,
		       const struct precis_pebs_machine *known)
{
	struct precis_pebs_machine machine = *known;
	uint32_t type = UINT32_MAX;
	uint64_t flags = 0;

	if (attr) {
		memcpy(&type, (const char *)attr + ATTR_TYPE, sizeof(type));
		memcpy(&flags, (const char *)attr + ATTR_FLAGS, sizeof(flags));
		memcpy(&machine.config, (const char *)attr + ATTR_CONFIG, sizeof(machine.config));
		machine.has_config = type != TYPE_HARDWARE && type != TYPE_HW_CACHE;
	}
	if (machine.cpu.vendor == PRECIS_VENDOR_INTEL && !event->judged &&
	    (flags & ATTR_FLAG_PRECISE_IP) && is_of_core(event->name, type, &machine.core_type)) {
		event->kind = PRECIS_EVENT_PEBS;
		event->judged = 1;
	}
	precis_pebs_context_init(&event->pebs, &machine);
}

/* perf before 6.3 leaves the third weight 0; before 6.6 nothing tells which perf this is. */
static uint32_t kept_back(const struct events *events, const struct dlfilter_sample *from)
{
	return from->p_stage_cyc || events->hands_on_zero ? 0 : PRECIS_PERF_WORDS_WITHOUT_VAR3;
}

void pebs_words_decode(const struct events *events, struct event *event,
		       const struct dlfilter_sample *from, const uint64_t *wanted,
		       struct precis_sample *sample)
{
	uint64_t sampled = event->sample_type == UINT64_MAX ? 0 : event->sample_type;
	const struct precis_perf_words words = {
		.size = sizeof(words),
		.captured = (uint32_t)(sampled &
				       (PRECIS_SAMPLE_ADDR | PRECIS_SAMPLE_DATA_SRC | WEIGHTS)) |
			    kept_back(events, from),
		.addr = from->addr,
		.data_src = from->data_src,
		.weight = from->weight,
		.weight_var2 = from->ins_lat,
		.weight_var3 = from->p_stage_cyc,
	};

	if (!DLFILTER_SAMPLE_HAS(from, data_src))
		return;
	if (event->kind == PRECIS_EVENT_PEBS ||
	    (event->kind == PRECIS_EVENT_IBS_OP && (words.captured & PRECIS_SAMPLE_DATA_SRC)))
		precis_perf_words_decode(&event->pebs, &words, wanted, sample);
}
