#ifndef PRECIS_SAMPLE_H
#define PRECIS_SAMPLE_H

#include <stddef.h>
#include <string.h>

#include <precis/export.h>
#include <precis/fields.h>
#include <precis/ibs.h>
#include <precis/pebs_record.h>

PRECIS_BEGIN_DECLS

enum precis_reason {
	PRECIS_PRESENT = 0,
	PRECIS_NOT_CAPTURED = 1,
	PRECIS_NOT_SUPPORTED = 2,
	PRECIS_NOT_APPLICABLE = 3,
	PRECIS_ERRATUM = 4,
	PRECIS_SCRUBBED = 5,
	PRECIS_MALFORMED = 6
};

enum precis_event_kind {
	PRECIS_EVENT_OTHER = 0,
	PRECIS_EVENT_IBS_OP = 1,
	PRECIS_EVENT_IBS_FETCH = 2,
	PRECIS_EVENT_PEBS = 3
};

enum precis_source {
	PRECIS_SOURCE_NONE = 0,
	PRECIS_SOURCE_IBS_OP = 1,
	PRECIS_SOURCE_IBS_FETCH = 2,
	PRECIS_SOURCE_PEBS = 3,
	PRECIS_SOURCE_PERF_WORDS = 4
};

#define PRECIS_PERF_WORDS_WITHOUT_VAR3 (UINT32_C(1) << 31)

struct precis_perf_words {
	uint32_t size;
	uint32_t captured;
	uint64_t addr;
	uint64_t data_src;
	uint64_t weight;
	uint32_t weight_var2;
};

struct precis_sample {
	uint32_t size;
	uint32_t source;
	int32_t payload_error;
	uint32_t event_kind;
	uint64_t present[PRECIS_FIELD_WORDS];
	uint64_t wanted[PRECIS_FIELD_WORDS];
	uint64_t gates;
	uint32_t cores;
	uint32_t errata;
	uint64_t access_whys;
	uint64_t reserved[8];
	union {
		struct precis_ibs_op ibs_op;
		struct precis_ibs_fetch ibs_fetch;
		struct precis_pebs pebs;
		struct precis_perf_words perf_words;
		uint64_t room[64];
	} registers;
	uint64_t value[PRECIS_FIELD_COUNT];
};

static inline void precis_sample_init(struct precis_sample *sample)
{
	memset(sample, 0, offsetof(struct precis_sample, value));
	memset(sample->value, 0xff, sizeof(sample->value));
	sample->size = sizeof(*sample);
}

static inline int precis_get(const struct precis_sample *sample, enum precis_field field,
			     uint64_t *value)
{
	if (!precis_fields_have(sample->present, (uint32_t)field))
		return 0;
	*value = sample->value[field];
	return 1;
}

#define PRECIS_FIELD(id, name, aliases, type, unit, meaning)                                       \
	static inline int precis_get_##name(const struct precis_sample *sample, uint64_t *value)     \
	{                                                                                          \
		return precis_get(sample, PRECIS_FIELD_##id, value);                               \
	}
#include <precis/fields.def>
#undef PRECIS_FIELD

PRECIS_API int precis_set(struct precis_sample *sample, enum precis_field field, uint64_t value);

PRECIS_API enum precis_reason precis_why(const struct precis_sample *sample,
					 enum precis_field field);

PRECIS_API const char *precis_why_detail(const struct precis_sample *sample,
					 enum precis_field field);

PRECIS_API enum precis_reason precis_why_in_words(const struct precis_sample *sample,
						  enum precis_field field, const char **detail);

PRECIS_API const char *precis_reason_name(uint32_t reason);

PRECIS_END_DECLS

#endif
