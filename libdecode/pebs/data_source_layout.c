/* SPDX-License-Identifier: BSD-3-Clause */
/* How a core's data source words are read, and which source a word names. */
#include <precis/error.h>
#include <precis/pebs_record.h>

#include "../sample/abi.h"
#include "data_source_tables.h"

#define BIT(n) (1u << (n))

static const struct dse_layout layouts[PRECIS_DSE_LAYOUT_COUNT] = {
#define PRECIS_DSE_LAYOUT(id, ...) [PRECIS_DSE_LAYOUT_##id] = { __VA_ARGS__ },
#include "data_source_layouts.def"
#undef PRECIS_DSE_LAYOUT
};

/* What Linux says of a number that its table does not have. */
static const struct dse_source reserved = {
	.lvl_num = PRECIS_DATA_LVL_NUM_NA,
	.snoop = PRECIS_DATA_SNOOP_NA,
	.level = WHY(RESERVED),
	.remote = WHY(RESERVED),
	.mem_snoop = WHY(RESERVED),
	.forwarded = WHY(RESERVED),
};

/*
 * A number of more bits than Linux looks at: its tables, written by Intel, end before.
 * They may be an error of the reader's, or of ours; so there is no value.
 */
static const struct dse_source unexplained = {
	.level = WHY(UNEXPLAINED),
	.remote = WHY(UNEXPLAINED),
	.mem_snoop = WHY(UNEXPLAINED),
	.forwarded = WHY(UNEXPLAINED),
};

const struct dse_layout *precis_dse_layout_of(uint32_t layout)
{
	return &layouts[layout < PRECIS_DSE_LAYOUT_COUNT ? layout : PRECIS_DSE_LAYOUT_NONE];
}

void precis_dse_source_of(uint32_t layout_number, uint32_t table, uint64_t dse, int as_linux,
			  struct dse_source *source)
{
	const struct dse_layout *layout = precis_dse_layout_of(layout_number);
	uint32_t looked_at = as_linux ? layout->linux_source : layout->source;
	const struct dse_source *found;

	*source = reserved;
	if (dse & layout->l2_miss) {
		precis_dse_omr((uint32_t)dse & layout->source, source);
		return;
	}
	found = precis_dse_find(&table, (uint32_t)dse & looked_at);
	if (found)
		*source = *found;
	else if (dse & looked_at & ~layout->linux_source)
		*source = unexplained;
}

int precis_dse_valid(const struct precis_dse_encoding *encoding)
{
	return encoding && encoding->size >= sizeof(*encoding) &&
	       encoding->load_layout < PRECIS_DSE_LAYOUT_COUNT &&
	       encoding->store_layout < PRECIS_DSE_LAYOUT_COUNT &&
	       encoding->load_table < PRECIS_DSE_TABLE_COUNT &&
	       encoding->store_table < PRECIS_DSE_TABLE_COUNT;
}

int precis_dse_encoding_of(uint32_t core, struct precis_dse_encoding *encoding)
{
	struct precis_intel_core_info info = { .size = sizeof(info) };

	ABI_OUT(struct precis_dse_encoding, encoding, precis_dse_encoding_of(core, &abi));
	*encoding = (struct precis_dse_encoding){ .size = encoding->size };
	if (precis_intel_core_info(core, &info)) {
		encoding->unknown_core = 1;
		return 0;
	}
	encoding->load_layout = info.load_layout;
	encoding->load_table = info.load_table;
	encoding->store_layout = info.store_layout;
	encoding->store_table = info.store_table;
	encoding->precise_store = info.precise_store_event != 0;
	encoding->data_la = info.has_data_la;
	encoding->reserved_word = info.reserved_words >> PRECIS_PEBS_DATA_SOURCE & 1;
	return 0;
}
