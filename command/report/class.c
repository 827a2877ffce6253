/* SPDX-License-Identifier: BSD-3-Clause */
/* Classes of samples: a hash table with open addressing, keyed by register bits. */
#include "class.h"

#include <stdlib.h>
#include <string.h>

#define ROOM (CLASS_SLOTS / 4 * 3)

/* The bits that decide over these fields but for those that are the number itself. */
static uint64_t deciding_bits(enum precis_ibs_unit unit, enum precis_ibs_register reg,
			      uint64_t decided, uint64_t measured)
{
	uint64_t bits = 0, value_bits;

	for (uint32_t field = 0; field < 64; field++) {
		if (decided >> field & 1)
			bits |= precis_ibs_field_bits(unit, field, reg, NULL);
		else if (measured >> field & 1)
			bits |= precis_ibs_field_bits(unit, field, reg, &value_bits) & ~value_bits;
	}
	return bits;
}

int class_table_init(struct class_table *table, uint64_t decided, uint64_t measured)
{
	memset(table, 0, sizeof(*table));
	table->slots = calloc(CLASS_SLOTS, sizeof(*table->slots));
	table->representatives = malloc(ROOM * sizeof(*table->representatives));
	if (!table->slots || !table->representatives)
		return -1;
	table->measured = measured;
	table->op.control = deciding_bits(PRECIS_IBS_OP, PRECIS_IBS_OP_CTL, decided, measured);
	table->op.data = deciding_bits(PRECIS_IBS_OP, PRECIS_IBS_OP_DATA, decided, measured);
	table->op.data2 = deciding_bits(PRECIS_IBS_OP, PRECIS_IBS_OP_DATA2, decided, measured);
	table->op.data3 = deciding_bits(PRECIS_IBS_OP, PRECIS_IBS_OP_DATA3, decided, measured);
	table->fetch.control =
		deciding_bits(PRECIS_IBS_FETCH, PRECIS_IBS_FETCH_CTL, decided, measured);
	return 0;
}

void class_table_free(struct class_table *table)
{
	free(table->slots);
	free(table->representatives);
	memset(table, 0, sizeof(*table));
}

int class_table_is_full(const struct class_table *table)
{
	return table->count == ROOM;
}

/* Numbers of PEBS that each sample has or lacks for itself */
static const uint8_t measured_of_words[] = {
	PRECIS_FIELD_LOAD_LATENCY,
	PRECIS_FIELD_CACHE_LATENCY,
	PRECIS_FIELD_INSTRUCTION_LATENCY,
	PRECIS_FIELD_RETIRE_LATENCY,
};

struct class_key class_key_of_words(const struct class_table *table,
				    const struct precis_sample *sample, uint32_t part)
{
	const struct precis_perf_words *words = &sample->registers.perf_words;
	const struct precis_pebs *pebs = &sample->registers.pebs;
	struct class_key key = {
		.form = class_form(sample) | (uint32_t)sample->payload_error,
		.measured = sample->present[0] & table->measured,
		.control = part,
	};

	if (sample->source == PRECIS_SOURCE_PERF_WORDS) {
		key.data = words->data_src;
		key.data2 = words->captured;
	} else if (sample->source == PRECIS_SOURCE_PEBS) {
		key.data = pebs->word[PRECIS_PEBS_DATA_SOURCE];
		key.data2 = pebs->captured;
	}
	for (size_t i = 0; i < sizeof(measured_of_words); i++)
		key.data3 |= (uint64_t)precis_fields_have(sample->present, measured_of_words[i])
			     << i;
	return key;
}

struct sample_class *class_add(struct class_table *table, const struct precis_sample *sample,
			       const struct precis_sample *full, uint32_t part)
{
	struct class_key key = class_key(table, sample, part);
	struct sample_class *class = class_slot(table, &key);

	memset(class, 0, sizeof(*class));
	class->key = key;
	class->samples = 1;
	class->part = part;
	table->representatives[table->count].sample = *full;
	table->representatives[table->count].slot = (uint32_t)(class - table->slots);
	table->count++;
	return class;
}

void class_table_settle(struct class_table *table, class_settle_fn settle, void *data)
{
	for (uint32_t i = 0; i < table->count; i++) {
		const struct class_representative *representative = &table->representatives[i];
		struct sample_class *class = &table->slots[representative->slot];

		settle(data, &representative->sample, class);
		class->samples = 0;
	}
	table->count = 0;
}
