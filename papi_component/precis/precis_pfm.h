/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_pfm.h
 * @brief Events by their names in libpfm4, whose headers have a <linux/perf_event.h> of their own.
 */
#ifndef PRECIS_PFM_H
#define PRECIS_PFM_H

#include <stdint.h>

/** What of an attr an event's name decides */
struct precis_pfm_event {
	uint32_t type; /**< attr.type */
	uint32_t precise_ip; /**< the level that the name asks for; 0: none */
	int is_precise; /**< it can be, whether or not its name asks for it */
	uint64_t config; /**< attr.config */
	uint64_t config1; /**< attr.config1 */
	uint64_t config2; /**< attr.config2 */
};

/** @return 0; else *why says why not, a static text */
int precis_pfm_find(const char *name, int user, int kernel, struct precis_pfm_event *event,
		    const char **why);

/**
 * Every precise event of the CPU's cores: 'add' gets its name, followed by those of its unit masks
 * ("MEM_LOAD_RETIRED:L3_MISS", is_umask). Names that another kind of core has, too, begin with
 * the PMU's ("adl_grt::..."). 'meaning' is a static text.
 */
void precis_pfm_list(void (*add)(const char *name, const char *meaning, int is_umask));

#endif
