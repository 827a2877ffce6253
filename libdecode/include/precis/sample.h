/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The vendor-neutral sample: each field is a value or a reason why there is none.
 */
#ifndef PRECIS_SAMPLE_H
#define PRECIS_SAMPLE_H

#include <stddef.h>
#include <string.h>

#include <precis/export.h>
#include <precis/fields.h>
#include <precis/ibs.h>
#include <precis/pebs_record.h>

PRECIS_BEGIN_DECLS

/** Why a field has no value. */
enum precis_reason {
	PRECIS_PRESENT = 0,        /* it has one */
	PRECIS_NOT_CAPTURED = 1,   /* the recording (or the call) did not ask for it */
	PRECIS_NOT_SUPPORTED = 2,  /* this CPU does not measure it */
	PRECIS_NOT_APPLICABLE = 3, /* this op has none: no miss, no load, … */
	PRECIS_ERRATUM = 4,        /* the hardware's value is wrong; the detail names the erratum */
	PRECIS_SCRUBBED = 5,       /* the kernel put zero in its place */
	PRECIS_MALFORMED = 6       /* bytes are missing or contradict each other */
};

/** What an event's samples carry that precis can decode. */
enum precis_event_kind {
	PRECIS_EVENT_OTHER = 0,
	PRECIS_EVENT_IBS_OP = 1,
	PRECIS_EVENT_IBS_FETCH = 2,
	PRECIS_EVENT_PEBS = 3 /* a precise event of an Intel CPU: no payload, the kernel translates */
};

/** What a sample was made from. */
enum precis_source {
	PRECIS_SOURCE_NONE = 0, /* generic fields only, taken as they are */
	PRECIS_SOURCE_IBS_OP = 1,
	PRECIS_SOURCE_IBS_FETCH = 2,
	PRECIS_SOURCE_PEBS = 3,      /* a raw record */
	PRECIS_SOURCE_PERF_WORDS = 4 /* what the kernel made of a PEBS or IBS sample */
};

/** WEIGHT_STRUCT was recorded, but who hands the words on keeps its third part back. */
#define PRECIS_PERF_WORDS_WITHOUT_VAR3 (UINT32_C(1) << 31)

/** The kernel's words for a memory access, as they stand in a SAMPLE record. */
struct precis_perf_words {
	uint32_t size;     /* sizeof(struct precis_perf_words), set by the caller */
	uint32_t captured; /* which: PRECIS_SAMPLE_ADDR, _WEIGHT or _WEIGHT_STRUCT, _DATA_SRC; and
			    * PRECIS_PERF_WORDS_WITHOUT_VAR3 */
	uint64_t addr;
	uint64_t data_src;
	uint64_t weight;      /* of WEIGHT_STRUCT var1_dw */
	uint32_t weight_var2; /* WEIGHT_STRUCT alone: var2_w */
	uint32_t weight_var3; /* var3_w */
};

/**
 * One sample. No pointers: it may be copied, kept, sent.
 *
 * Start with precis_sample_init(); a decoded sample may be decoded into again.
 * Read fields with precis_get() or the precis_get_NAME() functions. value[n]
 * of a field that is not present is UINT64_MAX.
 *
 * It grows at its end alone, with the catalogue: what stands before the values has room to spare
 * and keeps its place. A library that knows more fields than the program was compiled with leaves
 * out those for which 'size' has no room.
 */
struct precis_sample {
	uint32_t size;   /* sizeof(struct precis_sample), set by the caller */
	uint32_t source; /* enum precis_source */
	int32_t payload_error; /* why a payload gave nothing: enum precis_error, else 0 */
	uint32_t event_kind; /* enum precis_event_kind: what the event should have carried */
	uint64_t present[PRECIS_FIELD_WORDS];
	uint64_t wanted[PRECIS_FIELD_WORDS]; /* the fields that were asked for */
	uint64_t gates;  /* private: which conditions hold, for precis_why() */
	uint32_t cores;  /* the cores that the CPU can be: bits of enum precis_amd_core */
	uint32_t errata; /* private: rows of the errata table that concern the CPU */
	uint64_t access_whys; /* private: why parts of the data source are absent */
	uint64_t reserved[8]; /* private */
	union {
		struct precis_ibs_op ibs_op;       /* PRECIS_SOURCE_IBS_OP */
		struct precis_ibs_fetch ibs_fetch; /* PRECIS_SOURCE_IBS_FETCH */
		struct precis_pebs pebs;           /* PRECIS_SOURCE_PEBS */
		struct precis_perf_words perf_words; /* PRECIS_SOURCE_PERF_WORDS */
		uint64_t room[64]; /* that these may grow into */
	} registers;
	uint64_t value[PRECIS_FIELD_COUNT];
};

/** Make an empty sample: nothing present, 'size' that of the program's own header. */
static inline void precis_sample_init(struct precis_sample *sample)
{
	memset(sample, 0, offsetof(struct precis_sample, value));
	memset(sample->value, 0xff, sizeof(sample->value));
	sample->size = sizeof(*sample);
}

/**
 * A field's value.
 * @param value  set if there is one; left alone if not
 * @return 1 if present, 0 if absent
 */
static inline int precis_get(const struct precis_sample *sample, enum precis_field field,
			     uint64_t *value)
{
	if (!precis_fields_have(sample->present, (uint32_t)field))
		return 0;
	*value = sample->value[field];
	return 1;
}

/* precis_get_tag_to_retire(sample, &value) and so on, one for each field */
#define PRECIS_FIELD(id, name, aliases, type, unit, meaning)                                       \
	static inline int precis_get_##name(const struct precis_sample *sample, uint64_t *value)     \
	{                                                                                          \
		return precis_get(sample, PRECIS_FIELD_##id, value);                               \
	}
#include <precis/fields.def>
#undef PRECIS_FIELD

/** Put a value into a sample (simulators, other sources). @return 0 or PRECIS_E_ARGUMENT */
PRECIS_API int precis_set(struct precis_sample *sample, enum precis_field field, uint64_t value);

/**
 * Why a field has no value (or PRECIS_PRESENT). Worked out when asked, from the
 * registers that the sample keeps.
 */
PRECIS_API enum precis_reason precis_why(const struct precis_sample *sample,
					 enum precis_field field);

/**
 * The same in words: "no L1 data cache miss", "AMD-1293", … "" if present.
 * @return a static string
 */
PRECIS_API const char *precis_why_detail(const struct precis_sample *sample,
					 enum precis_field field);

/** Both at once, for who asks of many samples. @param detail  set to the words */
PRECIS_API enum precis_reason precis_why_in_words(const struct precis_sample *sample,
						  enum precis_field field, const char **detail);

/** "NOT_SUPPORTED" …; NULL for a number that is none. */
PRECIS_API const char *precis_reason_name(uint32_t reason);

PRECIS_END_DECLS

#endif
