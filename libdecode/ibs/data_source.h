/* SPDX-License-Identifier: BSD-3-Clause */
/* IbsOpData2.DataSrc: which level of memory it names on which core. */
#ifndef PRECIS_IBS_DATA_SOURCE_H
#define PRECIS_IBS_DATA_SOURCE_H

#include <stdint.h>

#include "masks.h"

#define IBS_SOURCES (1u << (IBS_WIDTH_DATA_SRC_LO + IBS_WIDTH_DATA_SRC_HI))
/* MMIO, configuration space, PCI, APIC, whatever the caps */
#define IBS_SOURCE_IO 7

/* The level that a data source names on this core; 0: none, or reserved. */
uint32_t precis_level_of_source(uint32_t core, uint32_t caps, uint32_t source);

/* The sources that are other caches, as bits. */
uint32_t precis_cache_sources(uint32_t caps);

#endif
