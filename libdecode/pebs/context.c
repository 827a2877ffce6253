/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of a core and its event before the first record. */
#include <string.h>

#include <precis/error.h>
#include <precis/pebs_sample.h>

#include "../sample/abi.h"
#include "../sample/find_vendor.h"
#include "store.h"

ABI_FIXED(struct precis_pebs_context, 32768);

_Static_assert(PEBS_VALUE_COUNT <= 32 && PEBS_GATE_COUNT <= 32,
	       "a context has room for all values and gates");

#define RETIRE_LATENCY_CAPABILITY (UINT64_C(1) << 17)

static uint32_t gate_if(int holds, uint32_t gate)
{
	return holds ? gate : 0;
}

/* @return enum precis_pebs_facility, or negative if it is not known */
static int event_of(uint32_t core, const struct precis_pebs_machine *machine)
{
	if (machine->facility_is_known)
		return (int)machine->facility;
	return machine->has_config ? precis_pebs_facility_of(core, machine->config) :
				     PRECIS_E_UNSUPPORTED;
}

static uint32_t gates_of_event(int event)
{
	int is_latency = event == PRECIS_PEBS_FACILITY_LOAD_LATENCY ||
			 event == PRECIS_PEBS_FACILITY_STORE_LATENCY;

	if (event < 0)
		return 0;
	return PEBS_GATES_EVENT_KNOWN | PEBS_GATES_WEIGHT_KNOWN |
	       gate_if(event != PRECIS_PEBS_FACILITY_OTHER, PEBS_GATES_MEMORY_EVENT) |
	       gate_if(event != PRECIS_PEBS_FACILITY_DATA_LA_OTHER, PEBS_GATES_KIND_KNOWN) |
	       gate_if(is_latency, PEBS_GATES_LATENCY_EVENT);
}

static uint32_t gates_of_core(const struct precis_intel_core_info *info,
			      const struct precis_pebs_machine *machine)
{
	int by_capability = info->retire_latency == PRECIS_PEBS_RETIRE_LATENCY_CAPABILITY;
	uint32_t gates = PEBS_GATES_CPU_KNOWN;

	gates |= gate_if(info->latency != PRECIS_PEBS_LATENCY_NONE, PEBS_GATES_LATENCY);
	gates |= gate_if(info->latency == PRECIS_PEBS_LATENCY_WHOLE, PEBS_GATES_LATENCY_WHOLE);
	gates |= gate_if(info->latency == PRECIS_PEBS_LATENCY_SPLIT, PEBS_GATES_LATENCY_SPLIT);
	gates |= gate_if(info->retire_latency != PRECIS_PEBS_RETIRE_LATENCY_NONE,
			 PEBS_GATES_RETIRE_LATENCY);
	gates |= gate_if(!by_capability || machine->has_capabilities,
			 PEBS_GATES_RETIRE_CAPABILITY_KNOWN);
	gates |= gate_if(!by_capability || (machine->has_capabilities &&
					    machine->capabilities & RETIRE_LATENCY_CAPABILITY),
			 PEBS_GATES_RETIRE_CAPABILITY);
	return gates | gate_if(machine->records_retire_latency != 0, PEBS_GATES_RETIRE_KERNEL);
}

/* The rows the other way round: a decoder asks by gate, and a sample by field. */
static void index_rows(struct precis_pebs_context *context)
{
	for (uint32_t value = 0; value < PEBS_VALUE_COUNT; value++) {
		const struct pebs_value_row *row = &precis_pebs_values[value];

		context->fields[value] = row->field;
		precis_fields_add(context->own_fields, row->field);
		for (uint32_t gate = 0; gate < PEBS_GATE_COUNT; gate++) {
			if (row->gates >> gate & 1)
				context->needs[gate] |= 1u << value;
		}
	}
}

int precis_pebs_context_init(struct precis_pebs_context *context,
			     const struct precis_pebs_machine *machine)
{
	struct precis_intel_core_info info = { .size = sizeof(info) };
	const struct vendor *vendor;
	uint32_t core;
	int event;

	ABI_IN(struct precis_pebs_machine, machine, precis_pebs_context_init(context, &abi));
	if (!context || (machine->facility_is_known && machine->facility >= PRECIS_PEBS_FACILITY_COUNT))
		return PRECIS_E_ARGUMENT;
	memset(context, 0, sizeof(*context));
	context->size = sizeof(*context);
	index_rows(context);
	/* of no value; the other plans' places are not those of 0, so that nothing matches them */
	precis_pebs_make_plan(context, 0, &context->plan[0]);
	core = precis_intel_core_of(&machine->cpu, (enum precis_core_type)machine->core_type);
	event = event_of(core, machine);
	context->core = core;
	context->is_intel = machine->cpu.vendor == PRECIS_VENDOR_INTEL;
	vendor = precis_vendor_of(machine->cpu.vendor);
	context->words_of = precis_words_of_cpu(machine->cpu.vendor);
	context->cores = vendor ? vendor->cores_of(&machine->cpu) : 0;
	context->kernel = machine->kernel;
	context->facility = event < 0 ? PRECIS_PEBS_FACILITY_OTHER : (uint32_t)event;
	context->gates = gates_of_event(event);
	context->encoding.size = sizeof(context->encoding);
	precis_dse_encoding_of(core, &context->encoding);
	if (core == PRECIS_INTEL_UNKNOWN)
		return 0;
	precis_intel_core_info(core, &info);
	context->reserved_words = info.reserved_words;
	context->gates |= gates_of_core(&info, machine);
	return 0;
}
