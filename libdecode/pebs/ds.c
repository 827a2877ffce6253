/* SPDX-License-Identifier: BSD-3-Clause */
/* The DS management area: bytes to addresses and back. */
#include <precis/error.h>

#include "../sample/abi.h"
#include "../sample/bytes.h"
#include "ds.h"
#include "formats.h"

static const struct ds_layout layouts[] = {
	[PRECIS_DS_32] = { 4, 1, 0 },
	[PRECIS_DS_64] = { 8, 1, 0 },
	[PRECIS_DS_64_4] = { 8, 4, 0 },
	[PRECIS_DS_64_8] = { 8, 8, PRECIS_DS_FIXED_RESETS },
	[PRECIS_DS_64_32] = { 8, PRECIS_DS_GP_RESETS, PRECIS_DS_FIXED_RESETS },
};

_Static_assert(PRECIS_DS_AREA_MAX == 8 * (DS_WORDS + PRECIS_DS_GP_RESETS + PRECIS_DS_FIXED_RESETS),
	       "the longest area");

const struct ds_layout *precis_ds_layout(uint32_t layout)
{
	return layout < sizeof(layouts) / sizeof(layouts[0]) ? &layouts[layout] : NULL;
}

/* By format; architectural PEBS has no debug store. */
static const int8_t layouts_of_formats[] = {
	[PRECIS_PEBS_FORMAT_0] = PRECIS_DS_64,
	[PRECIS_PEBS_FORMAT_1] = PRECIS_DS_64_4,
	[PRECIS_PEBS_FORMAT_2] = PRECIS_DS_64_4,
	[PRECIS_PEBS_FORMAT_3] = PRECIS_DS_64_4,
	[PRECIS_PEBS_FORMAT_4] = PRECIS_DS_64_8,
	[PRECIS_PEBS_FORMAT_5] = PRECIS_DS_64_32,
	[PRECIS_PEBS_FORMAT_6] = PRECIS_DS_64_32,
	[PRECIS_PEBS_FORMAT_ARCH] = PRECIS_E_UNSUPPORTED,
	[PRECIS_PEBS_FORMAT_NETBURST_32] = PRECIS_DS_32,
	[PRECIS_PEBS_FORMAT_NETBURST_64] = PRECIS_DS_64,
};

int precis_ds_layout_of(uint32_t format)
{
	return precis_pebs_format(format) ? layouts_of_formats[format] : PRECIS_E_ARGUMENT;
}

/* The area's words in their order. */
static uint64_t *word_of(struct precis_ds *ds, uint32_t n)
{
	uint64_t *const words[DS_WORDS] = {
		&ds->bts.base,	&ds->bts.index,	 &ds->bts.maximum,  &ds->bts.threshold,
		&ds->pebs.base, &ds->pebs.index, &ds->pebs.maximum, &ds->pebs.threshold,
	};

	return words[n];
}

/* As many reset values as there are bytes for. The mask of those. */
static uint32_t load_resets(const uint8_t *at, size_t count, uint32_t slots, uint64_t *resets)
{
	uint32_t captured = 0;

	for (uint32_t n = 0; n < slots && 8 * (n + (size_t)1) <= count; n++) {
		resets[n] = load_le64(at + 8 * (size_t)n);
		captured |= 1u << n;
	}
	return captured;
}

int precis_ds_parse(uint32_t layout, const void *bytes, size_t count, struct precis_ds *ds)
{
	const struct ds_layout *row = precis_ds_layout(layout);
	const uint8_t *at = (const uint8_t *)bytes;
	size_t used;

	ABI_OUT(struct precis_ds, ds, precis_ds_parse(layout, bytes, count, &abi));
	if (!row || (!at && count))
		return PRECIS_E_ARGUMENT;
	ds->layout = layout;
	ds->gp_captured = 0;
	ds->fixed_captured = 0;
	used = (size_t)DS_WORDS * row->word;
	if (count < used)
		return PRECIS_E_TRUNCATED;
	for (uint32_t n = 0; n < DS_WORDS; n++)
		*word_of(ds, n) = row->word == 4 ? load_le32(at + 4 * (size_t)n) :
						   load_le64(at + 8 * (size_t)n);
	ds->gp_captured = load_resets(at + used, count - used, row->gp, ds->gp_reset);
	used += 8 * (size_t)row->gp;
	if (count > used)
		ds->fixed_captured =
			load_resets(at + used, count - used, row->fixed, ds->fixed_reset);
	return 0;
}

static void store_resets(uint8_t *at, uint32_t slots, uint32_t captured, const uint64_t *resets)
{
	for (uint32_t n = 0; n < slots; n++)
		store_le64(at + 8 * (size_t)n, captured >> n & 1 ? resets[n] : 0);
}

int precis_ds_encode(const struct precis_ds *ds, void *bytes, size_t room)
{
	const struct ds_layout *row;
	uint8_t *at = (uint8_t *)bytes;
	struct precis_ds copy;
	size_t length;

	ABI_IN(struct precis_ds, ds, precis_ds_encode(&abi, bytes, room));
	if (!at)
		return PRECIS_E_ARGUMENT;
	row = precis_ds_layout(ds->layout);
	if (!row)
		return PRECIS_E_ARGUMENT;
	length = (size_t)DS_WORDS * row->word + 8 * ((size_t)row->gp + row->fixed);
	if (room < length)
		return PRECIS_E_NO_SPACE;
	copy = *ds;
	for (uint32_t n = 0; n < DS_WORDS; n++, at += row->word) {
		uint64_t word = *word_of(&copy, n);

		if (row->word == 8)
			store_le64(at, word);
		else if (word > UINT32_MAX)
			return PRECIS_E_ARGUMENT;
		else
			store_le32(at, (uint32_t)word);
	}
	store_resets(at, row->gp, ds->gp_captured, ds->gp_reset);
	store_resets(at + 8 * (size_t)row->gp, row->fixed, ds->fixed_captured, ds->fixed_reset);
	return (int)length;
}
