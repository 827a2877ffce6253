/* SPDX-License-Identifier: BSD-3-Clause */
/* A CPU in words: its cores by name; family and model in hexadecimal, as the manuals have them. */
#ifndef ANALYSIS_CPU_TEXT_H
#define ANALYSIS_CPU_TEXT_H

#include <stddef.h>

#include <precis/precis.h>

/* The cores that an Intel CPU has: one, or of a hybrid CPU one of each type */
#define INTEL_CORES_MOST 3

struct intel_core {
	uint32_t core; /* enum precis_intel_core */
	uint32_t type; /* enum precis_core_type; UNKNOWN where all of the CPU's cores are alike */
};

/* @return how many; 0 for another vendor's CPU, and one that is not known */
uint32_t intel_cores_of(const struct precis_cpu *cpu, struct intel_core cores[INTEL_CORES_MOST]);

/* "Zen 4", "Golden Cove (P), Gracemont (E)"; "" where the CPU's cores are not known. */
void cpu_cores_text(const struct precis_cpu *cpu, char *text, size_t room);

/* "family 19h model 11h stepping 1h" */
void cpu_model_text(const struct precis_cpu *cpu, char *text, size_t room);

/* Both: "Zen 4, family 19h model 11h stepping 1h" */
#define CPU_TEXT 200
void cpu_text(const struct precis_cpu *cpu, char *text, size_t room);

#endif
