/* SPDX-License-Identifier: BSD-3-Clause */
/* Off-module responses: data_source_omr.def. */
#include "data_source_tables.h"

#define OMR_SOURCE 0x0fu
#define OMR_REMOTE 0x10u
#define OMR_MODIFIED 0x20u
#define OMR_SNOOP 0x40u
#define OMR_SNOOP_SHIFT 6 /* bits 7:6, promoted and snoop, as one number */

enum omr_snoops { OMR_SHARED, OMR_PEER, OMR_NONE, OMR_RESERVED_0, OMR_RESERVED_1 };

static const struct {
	uint16_t place, remote_place;
	uint8_t number, lvl_num, region, snoops;
	struct access_value level, remote_level;
	const char *meaning;
} rows[] = {
#define PRECIS_DSE_OMR(number, place, lvl_num, region, remote_place, level, remote_level, snoops,  \
		       meaning)                                                                    \
	{ LVL_##place, LVL_##remote_place, number, PRECIS_DATA_LVL_NUM_##lvl_num,                  \
	  PRECIS_DATA_REGION_##region, OMR_##snoops, level, remote_level, meaning },
#include "data_source_omr.def"
#undef PRECIS_DSE_OMR
};
_Static_assert(sizeof(rows) / sizeof(rows[0]) == OMR_SOURCE + 1, "a row for each source, in order");

struct snoop {
	uint8_t to_linux;
	struct access_value value;
};

/* Of the shared cache, by bits 7:6. */
static const struct snoop shared_snoops[4] = {
	{ LINUX_SNOOP_NA, WHY(NOT_TOLD) },
	{ LINUX_SNOOP_MISS, SNOOP(MISS) },
	{ LINUX_SNOOP_HIT, SNOOP(HIT) },
	{ LINUX_SNOOP_NONE, SNOOP(NONE) },
};
static const struct snoop modified = { LINUX_SNOOP_HITM, SNOOP(MODIFIED) };
static const struct snoop peer = { LINUX_SNOOP_HIT, SNOOP(HIT) };
static const struct snoop none = { LINUX_SNOOP_NONE, SNOOP(NONE) };
static const struct snoop reserved[2] = {
	{ LINUX_SNOOP_NA | LINUX_SNOOP_NONE, WHY(RESERVED) },
	{ LINUX_SNOOP_NONE, WHY(RESERVED) },
};

static void set_snoop(uint32_t response, enum omr_snoops snoops, struct dse_source *source)
{
	const struct snoop *snoop = &none;

	source->forwarded = (struct access_value)WHY(NOT_TOLD);
	if (snoops >= OMR_RESERVED_0) {
		snoop = &reserved[snoops - OMR_RESERVED_0];
		source->forwarded = (struct access_value)WHY(RESERVED);
	} else if (snoops != OMR_NONE && response & OMR_MODIFIED) {
		snoop = &modified;
	} else if (snoops == OMR_SHARED) {
		snoop = &shared_snoops[response >> OMR_SNOOP_SHIFT & 3];
	} else if (snoops == OMR_PEER) {
		snoop = &peer;
	}
	source->snoop = snoop->to_linux;
	source->mem_snoop = snoop->value;
	if (snoops == OMR_PEER) {
		source->snoopx = response & OMR_SNOOP ? SNOOPX_FORWARD : SNOOPX_NONE;
		source->forwarded.value = source->snoopx != SNOOPX_NONE;
		source->forwarded.why = WHY_PRESENT;
	}
}

static struct access_value remote_of(uint32_t snoops, int remote)
{
	if (snoops >= OMR_RESERVED_0)
		return (struct access_value)WHY(RESERVED);
	return (struct access_value){
		remote ? PRECIS_MEM_REMOTE_NODE : PRECIS_MEM_REMOTE_LOCAL, WHY_PRESENT,
	};
}

void precis_dse_omr(uint32_t response, struct dse_source *source)
{
	uint32_t i = response & OMR_SOURCE;
	int remote = (response & OMR_REMOTE) != 0;

	*source = (struct dse_source){
		.number = rows[i].number,
		.lvl_num = rows[i].lvl_num,
		.remote_bit = (uint8_t)remote,
		.region = rows[i].region,
		.level = remote ? rows[i].remote_level : rows[i].level,
		.remote = remote_of(rows[i].snoops, remote),
		.meaning = rows[i].meaning,
	};
	/* a remote cache is named beside the L3, remote memory instead of the local one */
	source->lvl = remote ? rows[i].remote_place : rows[i].place;
	if (rows[i].place == LVL_L3)
		source->lvl |= LVL_L3;
	if (rows[i].snoops < OMR_RESERVED_0)
		source->lvl |= LVL_HIT;
	set_snoop(response, (enum omr_snoops)rows[i].snoops, source);
}
