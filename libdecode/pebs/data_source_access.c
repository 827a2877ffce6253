/* SPDX-License-Identifier: BSD-3-Clause */
/* A data source as vendor-neutral values, each with its own reason where there is none. */
#include <precis/error.h>

#include "../sample/abi.h"
#include "data_source_tables.h"

static void set_bit(struct precis_access *access, uint32_t field, uint64_t dse, uint32_t bit)
{
	if (bit)
		access_set(access, field, (dse & bit) != 0);
	else
		access_set_why(access, field, WHY_NO_BIT);
}

static void set_tlb(struct precis_access *access, const struct dse_layout *layout, uint64_t dse)
{
	int miss = (dse & layout->stlb_miss) != 0, hit = (dse & layout->stlb_hits) != 0;

	if (!layout->stlb_miss)
		access_set_why(access, PRECIS_ACCESS_TLB_LEVEL, WHY_NO_BIT);
	else if (miss && hit)
		access_set_why(access, PRECIS_ACCESS_TLB_LEVEL, WHY_CONTRADICTION);
	else
		access_set(access, PRECIS_ACCESS_TLB_LEVEL,
		    miss ? PRECIS_TLB_LEVEL_WALK :
		    hit	 ? PRECIS_TLB_LEVEL_L2 :
			   PRECIS_TLB_LEVEL_L1_OR_L2);
}

static void from_latency(uint32_t layout_number, uint32_t table, uint64_t dse,
			 struct precis_access *access)
{
	const struct dse_layout *layout = precis_dse_layout_of(layout_number);
	struct dse_source source;

	precis_dse_source_of(layout_number, table, dse, 0, &source);
	access_set_value(access, PRECIS_ACCESS_MEM_LEVEL, source.level);
	access_set_value(access, PRECIS_ACCESS_MEM_REMOTE, source.remote);
	access_set_value(access, PRECIS_ACCESS_MEM_SNOOP, source.mem_snoop);
	access_set_value(access, PRECIS_ACCESS_LINE_FORWARDED, source.forwarded);
	precis_access_set_misses(access, source.level);
	/* a bit that says it outweighs what the level implies */
	if (layout->l2_miss && (dse & layout->l2_miss)) {
		access_set(access, PRECIS_ACCESS_DCACHE_MISS, 1);
		access_set(access, PRECIS_ACCESS_L2_MISS, 1);
	}
	set_tlb(access, layout, dse);
	set_bit(access, PRECIS_ACCESS_LOCKED, dse, layout->locked);
	set_bit(access, PRECIS_ACCESS_DATA_BLOCKED, dse, layout->data_blocked);
	set_bit(access, PRECIS_ACCESS_ADDRESS_BLOCKED, dse, layout->address_blocked);
	set_bit(access, PRECIS_ACCESS_FILL_BUFFER_FULL, dse, layout->fill_buffer_full);
	if (source.region)
		access_set(access, PRECIS_ACCESS_REGION, source.region);
	else
		access_set_why(access, PRECIS_ACCESS_REGION,
			dse & layout->l2_miss ? WHY_RESERVED :
			layout->l2_miss	      ? WHY_NO_RESPONSE :
						WHY_NO_BIT);
}

static void set_l1(struct precis_access *access, uint64_t dse)
{
	int hit = (dse & STORE_L1_HIT) != 0;

	access_set_value(access, PRECIS_ACCESS_MEM_LEVEL,
		  hit ? (struct access_value)LEVEL(L1) : (struct access_value)WHY(MISSED_L1));
	access_set(access, PRECIS_ACCESS_DCACHE_MISS, !hit);
}

static void from_precise_store(uint64_t dse, struct precis_access *access)
{
	access_set_all(access, WHY_EVENT);
	set_l1(access, dse);
	access_set(access, PRECIS_ACCESS_TLB_LEVEL,
	    dse & STORE_STLB_MISS ? PRECIS_TLB_LEVEL_WALK : PRECIS_TLB_LEVEL_L1_OR_L2);
	access_set(access, PRECIS_ACCESS_LOCKED, (dse & STORE_LOCKED) != 0);
}

static int has_event(const struct precis_dse_encoding *encoding, uint32_t event)
{
	switch (event) {
	case PRECIS_PEBS_FACILITY_LOAD_LATENCY:
		return encoding->load_layout != PRECIS_DSE_LAYOUT_NONE;
	case PRECIS_PEBS_FACILITY_STORE_LATENCY:
		return encoding->store_layout != PRECIS_DSE_LAYOUT_NONE;
	case PRECIS_PEBS_FACILITY_PRECISE_STORE:
		return encoding->precise_store != 0;
	default:
		return encoding->data_la != 0;
	}
}

int precis_dse_access(const struct precis_dse_encoding *encoding, uint32_t event, uint64_t dse,
		      struct precis_access *access)
{
	ABI_IN(struct precis_dse_encoding, encoding, precis_dse_access(&abi, event, dse, access));
	ABI_OUT(struct precis_access, access, precis_dse_access(encoding, event, dse, &abi));
	if (!precis_dse_valid(encoding) || event >= PRECIS_PEBS_FACILITY_COUNT)
		return PRECIS_E_ARGUMENT;
	access->present = 0;
	if (event == PRECIS_PEBS_FACILITY_OTHER) {
		access_set_all(access, WHY_EVENT);
	} else if (!has_event(encoding, event)) {
		access_set_all(access, encoding->unknown_core	? WHY_UNKNOWN_CORE :
				encoding->reserved_word ? WHY_RESERVED_WORD :
							  WHY_NO_SUCH_EVENT);
	} else if (event == PRECIS_PEBS_FACILITY_LOAD_LATENCY) {
		from_latency(encoding->load_layout, encoding->load_table, dse, access);
	} else if (event == PRECIS_PEBS_FACILITY_STORE_LATENCY) {
		from_latency(encoding->store_layout, encoding->store_table, dse, access);
	} else if (event == PRECIS_PEBS_FACILITY_PRECISE_STORE) {
		from_precise_store(dse, access);
	} else {
		access_set_all(access, WHY_EVENT);
		if (event == PRECIS_PEBS_FACILITY_DATA_LA_STORE)
			set_l1(access, dse);
	}
	return 0;
}
