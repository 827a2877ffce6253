/* SPDX-License-Identifier: BSD-3-Clause */
/* The registers of a sample, literally. */
#include <string.h>

#include "register_view.h"

/*
 * What perf prints under one name although AMD has it in parts, or in other
 * units (tools/perf/util/amd-sample-raw.c): shifted left and put together.
 */
static const struct composed {
	const char *part; /* AMD's name */
	const char *perf_name;
	unsigned int shift;
} composed[] = {
	{ "IbsOpMaxCnt", "MaxCnt", 4 },	   { "IbsOpMaxCntExt", "MaxCnt", 20 },
	{ "DataSrcLo", "DataSrc", 0 },	   { "DataSrcHi", "DataSrc", 3 },
	{ "IbsFetchMaxCnt", "MaxCnt", 4 }, { "IbsFetchCnt", "Cnt", 4 },
};

static const char *const perf_register_names[PRECIS_IBS_REGISTER_COUNT] = {
	[PRECIS_IBS_OP_CTL] = "ibs_op_ctl",
	[PRECIS_IBS_OP_RIP] = "IbsOpRip",
	[PRECIS_IBS_OP_DATA] = "ibs_op_data",
	[PRECIS_IBS_OP_DATA2] = "ibs_op_data2",
	[PRECIS_IBS_OP_DATA3] = "ibs_op_data3",
	[PRECIS_IBS_DC_LIN_AD] = "IbsDCLinAd",
	[PRECIS_IBS_DC_PHYS_AD] = "IbsDCPhysAd",
	[PRECIS_IBS_BR_TARGET] = "IbsBrTarget",
	[PRECIS_IBS_OP_DATA4] = "ibs_op_data4",
	[PRECIS_IBS_FETCH_CTL] = "ibs_fetch_ctl",
	[PRECIS_IBS_FETCH_LIN_AD] = "IbsFetchLinAd",
	[PRECIS_IBS_FETCH_PHYS_AD] = "IbsFetchPhysAd",
	[PRECIS_IBS_FETCH_CTL_EXTD] = "ic_ibs_ext_ctl",
};

const char *register_view_name(const struct register_view *view, uint32_t reg)
{
	return view->perf_names ? perf_register_names[reg] : precis_ibs_register_name(reg);
}

static void show_row(struct register_view *view, uint32_t n)
{
	const struct precis_ibs_bits *bits = &view->bits[n];

	view->shown[n].name = view->perf_names ? bits->perf_name : bits->name;
	if (bits->width == 64)
		view->shown[n].name = register_view_name(view, bits->reg);
	for (size_t i = 0; view->perf_names && i < sizeof(composed) / sizeof(composed[0]); i++) {
		if (strcmp(bits->name, composed[i].part) == 0) {
			view->shown[n].name = composed[i].perf_name;
			view->shown[n].shift = composed[i].shift;
		}
	}
	view->shown[n].first = n;
	for (uint32_t i = n; i-- > 0 && view->shown[n].name;) {
		if (view->bits[i].reg == bits->reg && view->shown[i].name &&
		    strcmp(view->shown[i].name, view->shown[n].name) == 0)
			view->shown[n].first = i;
	}
}

void register_view_init(struct register_view *view, const struct precis_cpu *cpu, int perf_names)
{
	memset(view, 0, sizeof(*view));
	view->perf_names = perf_names;
	precis_ibs_context_init(&view->context, cpu);
	for (; view->count < REGISTER_FIELDS; view->count++) {
		view->bits[view->count].size = sizeof(view->bits[0]);
		if (precis_ibs_bits(view->count, &view->bits[view->count]))
			break;
		show_row(view, view->count);
	}
}

uint32_t register_view_sample(struct register_view *view, const struct precis_sample *sample)
{
	uint64_t unused[PRECIS_FIELD_WORDS];

	view->sample = sample;
	switch (sample->source) {
	case PRECIS_SOURCE_IBS_OP:
		/* Asked for its side effect: the context then knows these capabilities. */
		precis_ibs_op_present(&view->context, &sample->registers.ibs_op, unused);
		return sample->registers.ibs_op.caps;
	case PRECIS_SOURCE_IBS_FETCH:
		precis_ibs_fetch_present(&view->context, &sample->registers.ibs_fetch, unused);
		return sample->registers.ibs_fetch.caps;
	default:
		return 0;
	}
}

int register_view_register(const struct register_view *view, uint32_t reg, uint64_t *value)
{
	const struct precis_sample *sample = view->sample;
	int captured = 0;

	if (sample->source == PRECIS_SOURCE_IBS_OP)
		*value = precis_ibs_op_register(&sample->registers.ibs_op, reg, &captured);
	else if (sample->source == PRECIS_SOURCE_IBS_FETCH)
		*value = precis_ibs_fetch_register(&sample->registers.ibs_fetch, reg, &captured);
	return captured;
}

static const char *erratum_of(struct register_view *view, uint32_t n)
{
	const struct precis_sample *sample = view->sample;

	if (sample->source == PRECIS_SOURCE_IBS_OP)
		return precis_ibs_op_bits_erratum(&view->context, &sample->registers.ibs_op, n);
	return precis_ibs_fetch_bits_erratum(&view->context, &sample->registers.ibs_fetch, n);
}

static uint64_t bits_of(uint64_t value, const struct precis_ibs_bits *bits)
{
	if (bits->width == 64)
		return value;
	return (value >> bits->low) & ((UINT64_C(1) << bits->width) - 1);
}

/* ---- as perf prints them (tools/perf/util/amd-sample-raw.c) ---- */

/* Left out by perf, as nothing is said by them, unless that bit of their register is set */
static const struct {
	const char *name;
	uint32_t reg, bit;
} needing[] = {
	{ "OpReturn", PRECIS_IBS_OP_DATA, 37 },	   { "OpBrnTaken", PRECIS_IBS_OP_DATA, 37 },
	{ "OpBrnMisp", PRECIS_IBS_OP_DATA, 37 },   { "L1TlbPgSz", PRECIS_IBS_FETCH_CTL, 52 },
	{ "L2Miss", PRECIS_IBS_FETCH_CTL, 50 },
};

/* Values of DataSrc beside which perf prints CacheHitSt: by default, and with caps[11] */
#define SOURCES_WITH_STATE (1u << 2)
#define EXTENDED_SOURCES_WITH_STATE (1u << 1 | 1u << 2 | 1u << 5)

static uint64_t field_value(const struct register_field *fields, uint32_t count, const char *name)
{
	for (uint32_t i = 0; i < count; i++) {
		if (strcmp(fields[i].name, name) == 0)
			return fields[i].value;
	}
	return 0;
}

static int perf_prints(const struct register_view *view, uint32_t reg, uint64_t value,
		       const struct register_field *fields, uint32_t count, uint32_t n)
{
	const char *name = fields[n].name;
	uint32_t with_state = SOURCES_WITH_STATE;

	for (size_t i = 0; i < sizeof(needing) / sizeof(needing[0]); i++) {
		if (needing[i].reg == reg && strcmp(needing[i].name, name) == 0)
			return value >> needing[i].bit & 1;
	}
	if (strcmp(name, "DataSrc") == 0 || strcmp(name, "OpMemWidth") == 0)
		return fields[n].value != 0;
	if (strcmp(name, "CacheHitSt") != 0)
		return 1;
	if (view->sample->registers.ibs_op.caps & PRECIS_IBS_CAPS_ZEN4_EXT)
		with_state = EXTENDED_SOURCES_WITH_STATE;
	return with_state >> field_value(fields, count, "DataSrc") & 1;
}

/* The size of the page fetched from, in perf's words */
static const char *page_text(struct register_view *view)
{
	static const uint32_t field = PRECIS_FIELD_FETCH_PAGE_SIZE;
	struct precis_ibs_fetch fetch = view->sample->registers.ibs_fetch;
	uint64_t size, *column = &size, present = 0;
	uint64_t *const words[PRECIS_FIELD_WORDS] = { &present };

	fetch.fetch_lin_ad |= 1; /* 0 is of samples that are bogus as a whole on Zen 3 (1197) */
	precis_ibs_fetch_columns(&view->context, &fetch, 1, &field, 1, &column, words);
	switch (present ? size : 0) {
	case 1u << 12:
		return "4KB";
	case 1u << 14:
		return "16KB";
	case 1u << 21:
		return "2MB";
	case 1u << 30:
		return "1GB";
	default:
		return "RESERVED";
	}
}

/* @return how many of the fields perf prints, too; they are moved to the front */
static uint32_t as_perf(struct register_view *view, uint32_t reg, uint64_t value,
			struct register_field *fields, uint32_t count)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (perf_prints(view, reg, value, fields, count, i))
			fields[kept++] = fields[i];
	}
	for (uint32_t i = 0; i < kept; i++) {
		if (strcmp(fields[i].name, "OpMemWidth") == 0)
			fields[i].value = UINT64_C(1) << (fields[i].value - 1);
		if (strcmp(fields[i].name, "L1TlbPgSz") == 0)
			fields[i].text = page_text(view);
	}
	return kept;
}

uint32_t register_view_fields(struct register_view *view, uint32_t reg,
			      struct register_field *fields)
{
	uint8_t place[REGISTER_FIELDS] = { 0 }; /* in 'fields', plus 1, by a name's first row */
	uint64_t value = 0;
	uint32_t count = 0;

	if (!register_view_register(view, reg, &value))
		return 0;
	for (uint32_t n = 0; n < view->count; n++) {
		const struct precis_ibs_bits *bits = &view->bits[n];
		uint8_t *at = &place[view->shown[n].first];
		struct register_field *field;

		if (bits->reg != reg || !view->shown[n].name ||
		    !precis_ibs_bits_defined(&view->context, n))
			continue;
		if (!*at) {
			fields[count] = (struct register_field){
				.name = view->shown[n].name,
				.is_register = bits->width == 64,
			};
			*at = (uint8_t)++count;
		}
		field = &fields[*at - 1];
		field->value |= bits_of(value, bits) << view->shown[n].shift;
		if (!field->erratum)
			field->erratum = erratum_of(view, n);
	}
	return view->perf_names ? as_perf(view, reg, value, fields, count) : count;
}

uint32_t register_view_all_names(const struct register_view *view, uint32_t reg, const char **names)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < view->count; n++) {
		if (view->bits[n].reg == reg && view->shown[n].name && view->shown[n].first == n &&
		    view->bits[n].width < 64)
			names[count++] = view->shown[n].name;
	}
	return count;
}
