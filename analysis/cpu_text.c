/* SPDX-License-Identifier: BSD-3-Clause */
/* See cpu_text.h. */
#include "cpu_text.h"

#include <stdio.h>

uint32_t intel_cores_of(const struct precis_cpu *cpu, struct intel_core cores[INTEL_CORES_MOST])
{
	uint32_t count = 0;

	for (uint32_t type = PRECIS_CORE_TYPE_UNKNOWN; type <= PRECIS_CORE_TYPE_LP_E; type++) {
		uint32_t core = precis_intel_core_of(cpu, (enum precis_core_type)type);

		if (core == PRECIS_INTEL_UNKNOWN)
			continue;
		cores[count].core = core;
		cores[count++].type = type;
		if (type == PRECIS_CORE_TYPE_UNKNOWN)
			break;
	}
	return count;
}

static void intel_text(const struct precis_cpu *cpu, char *text, size_t room)
{
	struct intel_core cores[INTEL_CORES_MOST];
	uint32_t count = intel_cores_of(cpu, cores);
	size_t used = 0;

	for (uint32_t n = 0; n < count && used < room; n++) {
		const char *type = precis_core_type_name(cores[n].type);

		used += (size_t)snprintf(text + used, room - used, "%s%s%s%s%s", n ? ", " : "",
					 precis_intel_core_name(cores[n].core), type ? " (" : "",
					 type ? type : "", type ? ")" : "");
	}
}

void cpu_cores_text(const struct precis_cpu *cpu, char *text, size_t room)
{
	uint32_t cores = cpu->vendor == PRECIS_VENDOR_UNKNOWN ? 0 : precis_amd_cores_of(cpu, 0);

	text[0] = '\0';
	if (cores && !(cores & (cores - 1)))
		snprintf(text, room, "%s", precis_amd_core_name((uint32_t)__builtin_ctz(cores)));
	else
		intel_text(cpu, text, room);
}

void cpu_model_text(const struct precis_cpu *cpu, char *text, size_t room)
{
	snprintf(text, room, "family %Xh model %Xh stepping %Xh", cpu->family, cpu->model,
		 cpu->stepping);
}

void cpu_text(const struct precis_cpu *cpu, char *text, size_t room)
{
	char cores[CPU_TEXT / 2], model[CPU_TEXT / 2];

	cpu_cores_text(cpu, cores, sizeof(cores));
	cpu_model_text(cpu, model, sizeof(model));
	snprintf(text, room, "%s%s%s", cores, *cores ? ", " : "", model);
}
