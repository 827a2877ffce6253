/* SPDX-License-Identifier: BSD-3-Clause */
/* What the numbers of data sources mean, by table. */
#include <precis/error.h>

#include "../sample/abi.h"
#include "data_source_tables.h"

/* Forwarding is told by the rows that have it, and by no other. */
#define FORWARDED_NONE { 0, WHY_NOT_TOLD }
#define FORWARDED_FORWARD { 1, WHY_PRESENT }

#define PRECIS_DSE(number_, outcome, place, lvl_num_, linux_snoop, snoopx_, remote_bit_, level_,   \
		   remote_, snoop_, read_in_, meaning_)                                            \
	{                                                                                          \
		.number = number_,                                                                 \
		.lvl = LVL_##outcome | LVL_##place,                                                \
		.lvl_num = PRECIS_DATA_LVL_NUM_##lvl_num_,                                         \
		.snoop = LINUX_SNOOP_##linux_snoop,                                                \
		.snoopx = SNOOPX_##snoopx_,                                                        \
		.remote_bit = remote_bit_,                                                         \
		.level = level_,                                                                   \
		.remote = remote_,                                                                 \
		.mem_snoop = snoop_,                                                               \
		.forwarded = FORWARDED_##snoopx_,                                                  \
		.read_in = read_in_,                                                               \
		.meaning = meaning_,                                                               \
	},

static const struct dse_source snb_rows[] = {
#include "data_source_snb.def"
};
static const struct dse_source nhm_rows[] = {
#include "data_source_nhm.def"
};
static const struct dse_source skl_rows[] = {
#include "data_source_skl.def"
};
static const struct dse_source skl_l4_rows[] = {
#include "data_source_skl_l4.def"
};
static const struct dse_source skl_pmem_rows[] = {
#include "data_source_skl_pmem.def"
};
static const struct dse_source grt_rows[] = {
#include "data_source_grt.def"
};
static const struct dse_source cmt_rows[] = {
#include "data_source_cmt.def"
};
static const struct dse_source lnc_rows[] = {
#include "data_source_lnc.def"
};
static const struct dse_source pnc_rows[] = {
#include "data_source_pnc.def"
};
static const struct dse_source arw_rows[] = {
#include "data_source_arw.def"
};

/* What the two tables of Skylake share: a table that others build on, and no core has. */
#define TABLE_SKL PRECIS_DSE_TABLE_COUNT
#define TABLES (PRECIS_DSE_TABLE_COUNT + 1)

/* 'below': the table that has what this one does not; NONE ends it. */
static const struct {
	const char *name;
	const struct dse_source *rows;
	uint8_t count, below;
} tables[TABLES] = {
#define TABLE(id, rows, below) { #id, rows, sizeof(rows) / sizeof(rows[0]), below }
	[PRECIS_DSE_TABLE_NONE] = { "NONE", NULL, 0, PRECIS_DSE_TABLE_NONE },
	[PRECIS_DSE_TABLE_SNB] = TABLE(SNB, snb_rows, PRECIS_DSE_TABLE_NONE),
	[PRECIS_DSE_TABLE_NHM] = TABLE(NHM, nhm_rows, PRECIS_DSE_TABLE_SNB),
	[PRECIS_DSE_TABLE_SKL_L4] = TABLE(SKL_L4, skl_l4_rows, TABLE_SKL),
	[PRECIS_DSE_TABLE_SKL_PMEM] = TABLE(SKL_PMEM, skl_pmem_rows, TABLE_SKL),
	[PRECIS_DSE_TABLE_GRT] = TABLE(GRT, grt_rows, PRECIS_DSE_TABLE_SNB),
	[PRECIS_DSE_TABLE_CMT] = TABLE(CMT, cmt_rows, PRECIS_DSE_TABLE_SNB),
	[PRECIS_DSE_TABLE_LNC] = TABLE(LNC, lnc_rows, PRECIS_DSE_TABLE_NONE),
	[PRECIS_DSE_TABLE_PNC] = TABLE(PNC, pnc_rows, PRECIS_DSE_TABLE_NONE),
	[PRECIS_DSE_TABLE_ARW] = TABLE(ARW, arw_rows, PRECIS_DSE_TABLE_NONE),
	[TABLE_SKL] = TABLE(SKL, skl_rows, PRECIS_DSE_TABLE_SNB),
};

const struct dse_source *precis_dse_find(uint32_t *table, uint32_t number)
{
	for (uint32_t at = *table; at != PRECIS_DSE_TABLE_NONE; at = tables[at].below) {
		for (uint32_t i = 0; i < tables[at].count; i++) {
			if (tables[at].rows[i].number != number)
				continue;
			/* to the outside the rows that Skylake's tables share are the table's own */
			*table = at == TABLE_SKL ? *table : at;
			return &tables[at].rows[i];
		}
	}
	return NULL;
}

int precis_dse_row(uint32_t table, uint32_t value, struct precis_dse_row *row)
{
	const struct dse_source *found;

	ABI_OUT(struct precis_dse_row, row, precis_dse_row(table, value, &abi));
	if (table == PRECIS_DSE_TABLE_NONE || table >= PRECIS_DSE_TABLE_COUNT)
		return PRECIS_E_ARGUMENT;
	found = precis_dse_find(&table, value);
	if (!found)
		return PRECIS_E_NO_FIELD;
	row->value = value;
	row->table = table;
	row->meaning = found->meaning;
	row->read_in = found->read_in;
	return 0;
}

const char *precis_dse_table_name(uint32_t table)
{
	return table < PRECIS_DSE_TABLE_COUNT ? tables[table].name : NULL;
}
