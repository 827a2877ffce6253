/* SPDX-License-Identifier: BSD-3-Clause */
/* Which AMD core a CPU is, and which it can be when only its capability word is known. */
#include <precis/amd.h>
#include <precis/ibs.h>

#include "../sample/abi.h"
#include "cores.h"

static const struct {
	uint8_t core;
	uint16_t family_first, family_last, model_first, model_last;
} model_rows[] = {
#define PRECIS_AMD_MODELS(core, family_first, family_last, model_first, model_last)                \
	{ PRECIS_AMD_##core, family_first, family_last, model_first, model_last },
#include "cores.def"
#undef PRECIS_AMD_MODELS
};

static const struct {
	uint32_t caps, cores;
} candidate_rows[] = {
#define PRECIS_AMD_CAPS(caps, cores) { caps, cores },
#include "cores.def"
#undef PRECIS_AMD_CAPS
};

static const struct {
	const char *name, *models;
} core_texts[PRECIS_AMD_CORE_COUNT] = {
#define PRECIS_AMD_CORE(id, name, models) [PRECIS_AMD_##id] = { name, models },
#include "cores.def"
#undef PRECIS_AMD_CORE
};

static uint32_t core_of_model(const struct precis_cpu *cpu)
{
	for (size_t i = 0; i < sizeof(model_rows) / sizeof(model_rows[0]); i++) {
		if (cpu->family >= model_rows[i].family_first &&
		    cpu->family <= model_rows[i].family_last &&
		    cpu->model >= model_rows[i].model_first &&
		    cpu->model <= model_rows[i].model_last)
			return 1u << model_rows[i].core;
	}
	return 0;
}

uint32_t precis_amd_cores_of(const struct precis_cpu *cpu, uint32_t caps)
{
	if (cpu)
		ABI_IN_OR(0, struct precis_cpu, cpu, precis_amd_cores_of(&abi, caps));
	if (cpu && cpu->vendor != PRECIS_VENDOR_UNKNOWN) {
		if (cpu->vendor != PRECIS_VENDOR_AMD && cpu->vendor != PRECIS_VENDOR_HYGON)
			return 0;
		return core_of_model(cpu);
	}
	if (!(caps & PRECIS_IBS_CAPS_VALID))
		return 0;
	/* the last row asks for nothing */
	for (size_t i = 0;; i++) {
		if ((caps & candidate_rows[i].caps) == candidate_rows[i].caps)
			return candidate_rows[i].cores;
	}
}

const char *precis_amd_core_name(uint32_t core)
{
	return core < PRECIS_AMD_CORE_COUNT ? core_texts[core].name : NULL;
}

const char *precis_amd_core_models(uint32_t core)
{
	return core < PRECIS_AMD_CORE_COUNT ? core_texts[core].models : NULL;
}
