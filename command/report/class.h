/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Classes of samples: all that agree in everything but their measured numbers.
 *
 * What a sample says besides latencies, counts and addresses (kind of op, level,
 * page size, branch outcome, and why the rest is absent) follows from a few bits
 * of its registers; precis_ibs_field_bits() names them. A recording has a few
 * hundred combinations of these bits. So the loop over samples decodes the
 * numbers alone and counts combinations; the rest is decoded and explained once
 * for each combination, and is as exact as if it were done for each sample.
 */
#ifndef REPORT_CLASS_H
#define REPORT_CLASS_H

#include <precis/precis.h>

#include "latencies.h"
#include "statistics/histogram.h"

#define CLASS_MEASURES 6u
#define CLASS_SLOTS_LOG2 12u
#define CLASS_SLOTS (1u << CLASS_SLOTS_LOG2)

/* One number of each sample of a class, and where it is counted. */
struct measure {
	union {
		struct histogram *histogram;
		struct latencies *latencies; /* of PEBS */
	};
	uint32_t field;
	uint32_t reserved;
};

/*
 * What is the same in all samples of a class. 'measured' belongs to it, since
 * whether a number is there can depend on the number itself (a count of 0 is
 * none), and because it shows an erratum that takes the whole sample.
 */
struct class_key {
	uint64_t form;                       /* event, payload, or what is wrong with it */
	uint64_t measured;                   /* which numbers it has */
	/* Of these registers the bits that decide; without registers 'control' is the part */
	uint64_t control, data, data2, data3;
};

struct sample_class {
	struct class_key key;
	uint64_t samples; /* 0: a free slot */
	uint16_t latency; /* field that the top table sums up; 0: none */
	uint8_t has_address;
	uint8_t measure_count;
	uint32_t part; /* given to class_add() */
	struct measure measures[CLASS_MEASURES];
};

/* The first sample of a class, decoded in full. */
struct class_representative {
	struct precis_sample sample;
	uint32_t slot;
};

/* A representative of a class, which tells how many samples it stands for. */
typedef void (*class_settle_fn)(void *data, const struct precis_sample *sample,
				const struct sample_class *class);

struct class_table {
	struct sample_class *slots;            /* CLASS_SLOTS */
	struct class_representative *representatives; /* 'count' of them, oldest first */
	uint32_t count;
	uint64_t measured;       /* word 0: fields that are numbers */
	struct class_key op;     /* masks for registers of ibs_op */
	struct class_key fetch;  /* and of ibs_fetch: IbsFetchCtl is 'control' */
};

/*
 * 'decided': fields that the classes tell apart (word 0), 'measured': fields
 * whose numbers vary inside a class. 0, or -1 if memory is short.
 */
int class_table_init(struct class_table *table, uint64_t decided, uint64_t measured);
void class_table_free(struct class_table *table);

static inline uint64_t class_form(const struct precis_sample *sample)
{
	return (uint64_t)sample->event_kind << 56 | (uint64_t)sample->source << 48;
}

/* Of a sample that has no registers of IBS. */
struct class_key class_key_of_words(const struct class_table *table,
				    const struct precis_sample *sample, uint32_t part);

/* 'part' tells classes apart that would otherwise be one */
static inline struct class_key class_key(const struct class_table *table,
					 const struct precis_sample *sample, uint32_t part)
{
	const struct precis_ibs_op *op = &sample->registers.ibs_op;
	const struct precis_ibs_fetch *fetch = &sample->registers.ibs_fetch;
	struct class_key key = {
		.form = class_form(sample),
		.measured = sample->present[0] & table->measured,
	};

	if (__builtin_expect(sample->source == PRECIS_SOURCE_IBS_OP, 1)) {
		key.form |= (uint64_t)op->captured << 32 | op->caps;
		key.control = op->op_ctl & table->op.control;
		key.data = op->op_data & table->op.data;
		key.data2 = op->op_data2 & table->op.data2;
		key.data3 = op->op_data3 & table->op.data3;
	} else if (sample->source == PRECIS_SOURCE_IBS_FETCH) {
		key.form |= (uint64_t)fetch->captured << 32 | fetch->caps;
		key.control = fetch->fetch_ctl & table->fetch.control;
	} else {
		return class_key_of_words(table, sample, part);
	}
	return key;
}

/* Multiply-shift; who makes a recording collide makes its report slow and not wrong */
static inline uint32_t class_home(const struct class_key *key)
{
	uint64_t hash = key->form + key->control * UINT64_C(0x9e3779b97f4a7c15) +
			key->measured * UINT64_C(0xc2b2ae3d27d4eb4f) +
			key->data * UINT64_C(0x165667b19e3779f9) +
			key->data2 * UINT64_C(0xd6e8feb86659fd93) +
			key->data3 * UINT64_C(0xa0761d6478bd642f);

	return (uint32_t)(hash >> (64u - CLASS_SLOTS_LOG2));
}

static inline int class_has_key(const struct sample_class *class, const struct class_key *key)
{
	return class->key.data3 == key->data3 && class->key.data == key->data &&
	       class->key.measured == key->measured && class->key.data2 == key->data2 &&
	       class->key.control == key->control && class->key.form == key->form;
}

/* The key's slot, or the free one where it belongs */
static inline struct sample_class *class_slot(const struct class_table *table,
					      const struct class_key *key)
{
	uint32_t at = class_home(key);

	while (table->slots[at].samples && !class_has_key(&table->slots[at], key))
		at = (at + 1) % CLASS_SLOTS;
	return &table->slots[at];
}

/*
 * The class of a sample, which is decoded with at least the measured fields; the sample is
 * counted. NULL: it is the first of its class, which is to be added.
 */
static inline struct sample_class *class_count(const struct class_table *table,
					       const struct precis_sample *sample, uint32_t part)
{
	struct class_key key = class_key(table, sample, part);
	struct sample_class *class = class_slot(table, &key);

	if (__builtin_expect(!class->samples, 0))
		return NULL;
	class->samples++;
	return class;
}

/* Is there room for another class? If not, settle first. */
int class_table_is_full(const struct class_table *table);

/*
 * A class for a sample that has none. 'full' is the same sample with all fields
 * decoded that anybody will ask for. Fill in its measures.
 */
struct sample_class *class_add(struct class_table *table, const struct precis_sample *sample,
			       const struct precis_sample *full, uint32_t part);

/* Hand out all classes and forget them: memory is bounded, whatever the recording is. */
void class_table_settle(struct class_table *table, class_settle_fn settle, void *data);

#endif
