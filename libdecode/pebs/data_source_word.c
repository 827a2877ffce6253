/* SPDX-License-Identifier: BSD-3-Clause */
/* A data source as Linux writes it: as of Linux 7.3 arch/x86/events/intel/ds.c. */
#include <precis/error.h>

#include "../sample/abi.h"
#include "data_source.h"

static void set_tlb_and_lock(const struct dse_layout *layout, uint64_t dse,
			     struct precis_data_source *word)
{
	if (!layout->stlb_miss) {
		word->dtlb = PRECIS_DATA_DTLB_NA;
		word->lock = PRECIS_DATA_LOCK_NA;
		return;
	}
	word->dtlb = dse & layout->stlb_miss ?
			     PRECIS_DATA_DTLB_MISS | PRECIS_DATA_DTLB_L2 :
			     PRECIS_DATA_DTLB_HIT | PRECIS_DATA_DTLB_L1 | PRECIS_DATA_DTLB_L2;
	/* not locked is left 0 */
	word->lock = dse & layout->locked ? PRECIS_DATA_LOCK_LOCKED : 0;
	if (dse & layout->data_blocked)
		word->blk |= PRECIS_DATA_BLK_DATA;
	if (dse & layout->address_blocked)
		word->blk |= PRECIS_DATA_BLK_ADDRESS;
	if (!word->blk)
		word->blk = PRECIS_DATA_BLK_NA;
}

static void from_latency(uint32_t layout, uint32_t table, uint64_t dse,
			 struct precis_data_source *word)
{
	struct dse_source source;

	precis_dse_source_of(layout, table, dse, 1, &source);
	word->lvl = source.lvl;
	word->lvl_num = source.lvl_num;
	word->snoop = source.snoop;
	word->snoopx = source.snoopx;
	word->remote = source.remote_bit;
	word->region = source.region;
	set_tlb_and_lock(precis_dse_layout_of(layout), dse, word);
}

static void from_precise_store(uint64_t dse, struct precis_data_source *word)
{
	word->op = PRECIS_DATA_OP_STORE;
	word->snoop = PRECIS_DATA_SNOOP_NA;
	word->lvl = PRECIS_DATA_LVL_L1 |
		    (dse & STORE_L1_HIT ? PRECIS_DATA_LVL_HIT : PRECIS_DATA_LVL_MISS);
	word->dtlb = PRECIS_DATA_DTLB_L2 |
		     (dse & STORE_STLB_MISS ? PRECIS_DATA_DTLB_MISS : PRECIS_DATA_DTLB_HIT);
	word->lock = dse & STORE_LOCKED ? PRECIS_DATA_LOCK_LOCKED : 0;
}

static void from_data_la(uint32_t event, uint64_t dse, struct precis_data_source *word)
{
	precis_data_source_decode(PRECIS_DATA_SOURCE_NA, word);
	if (event == PRECIS_PEBS_FACILITY_DATA_LA_LOAD)
		word->op = PRECIS_DATA_OP_LOAD;
	if (event != PRECIS_PEBS_FACILITY_DATA_LA_STORE)
		return;
	word->op = PRECIS_DATA_OP_STORE;
	word->lvl = PRECIS_DATA_LVL_L1 |
		    (dse & STORE_L1_HIT ? PRECIS_DATA_LVL_HIT : PRECIS_DATA_LVL_MISS);
}

int precis_dse_word(const struct precis_dse_encoding *encoding, uint32_t event, uint64_t dse,
		    uint64_t *word)
{
	struct precis_data_source parts = { .size = sizeof(parts) };

	ABI_IN(struct precis_dse_encoding, encoding, precis_dse_word(&abi, event, dse, word));
	if (!precis_dse_valid(encoding) || event >= PRECIS_PEBS_FACILITY_COUNT || !word)
		return PRECIS_E_ARGUMENT;
	if (event == PRECIS_PEBS_FACILITY_LOAD_LATENCY && encoding->load_layout) {
		parts.op = PRECIS_DATA_OP_LOAD;
		from_latency(encoding->load_layout, encoding->load_table, dse, &parts);
	} else if (event == PRECIS_PEBS_FACILITY_STORE_LATENCY && encoding->store_layout) {
		parts.op = PRECIS_DATA_OP_STORE;
		from_latency(encoding->store_layout, encoding->store_table, dse, &parts);
	} else if (event == PRECIS_PEBS_FACILITY_PRECISE_STORE && encoding->precise_store) {
		from_precise_store(dse, &parts);
	} else if (event >= PRECIS_PEBS_FACILITY_DATA_LA_LOAD && encoding->data_la) {
		from_data_la(event, dse, &parts);
	} else {
		precis_data_source_decode(PRECIS_DATA_SOURCE_NA, &parts);
	}
	return precis_data_source_encode(&parts, word);
}
