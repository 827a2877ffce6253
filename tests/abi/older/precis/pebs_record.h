#ifndef PRECIS_PEBS_RECORD_H
#define PRECIS_PEBS_RECORD_H

#include <precis/export.h>

PRECIS_BEGIN_DECLS

enum precis_pebs_format {
	PRECIS_PEBS_FORMAT_0 = 0,
	PRECIS_PEBS_FORMAT_1 = 1,
	PRECIS_PEBS_FORMAT_2 = 2,
	PRECIS_PEBS_FORMAT_3 = 3,
	PRECIS_PEBS_FORMAT_4 = 4,
	PRECIS_PEBS_FORMAT_5 = 5,
	PRECIS_PEBS_FORMAT_6 = 6,
	PRECIS_PEBS_FORMAT_ARCH = 15,
	PRECIS_PEBS_FORMAT_NETBURST_32 = 16,
	PRECIS_PEBS_FORMAT_NETBURST_64 = 17
};

#define PRECIS_PEBS_GROUP_BASIC (1u << 0)
#define PRECIS_PEBS_GROUP_MEMORY (1u << 1)
#define PRECIS_PEBS_GROUP_GPR (1u << 2)
#define PRECIS_PEBS_GROUP_XMM (1u << 3)
#define PRECIS_PEBS_GROUP_YMMH (1u << 4)
#define PRECIS_PEBS_GROUP_OPMASK (1u << 5)
#define PRECIS_PEBS_GROUP_ZMMH (1u << 6)
#define PRECIS_PEBS_GROUP_HI16_ZMM (1u << 7)
#define PRECIS_PEBS_GROUP_LBR (1u << 8)
#define PRECIS_PEBS_GROUP_COUNTERS (1u << 9)
#define PRECIS_PEBS_GROUP_METRICS (1u << 10)

enum precis_pebs_gpr {
	PRECIS_PEBS_FLAGS = 0,
	PRECIS_PEBS_IP = 1,
	PRECIS_PEBS_AX = 2,
	PRECIS_PEBS_BX = 3,
	PRECIS_PEBS_CX = 4,
	PRECIS_PEBS_DX = 5,
	PRECIS_PEBS_SI = 6,
	PRECIS_PEBS_DI = 7,
	PRECIS_PEBS_BP = 8,
	PRECIS_PEBS_SP = 9,
	PRECIS_PEBS_R8 = 10,
	PRECIS_PEBS_R9 = 11,
	PRECIS_PEBS_R10 = 12,
	PRECIS_PEBS_R11 = 13,
	PRECIS_PEBS_R12 = 14,
	PRECIS_PEBS_R13 = 15,
	PRECIS_PEBS_R14 = 16,
	PRECIS_PEBS_R15 = 17,
	PRECIS_PEBS_SSP = 18,
	PRECIS_PEBS_GPR_COUNT = 19
};

enum precis_pebs_word {
	PRECIS_PEBS_STATUS = 0,
	PRECIS_PEBS_APPLICABLE_COUNTERS = 1,
	PRECIS_PEBS_EVENTING_IP = 2,
	PRECIS_PEBS_TSC = 3,
	PRECIS_PEBS_DATA_ADDRESS = 4,
	PRECIS_PEBS_DATA_SOURCE = 5,
	PRECIS_PEBS_LATENCY = 6,
	PRECIS_PEBS_TSX = 7,
	PRECIS_PEBS_RETIRE_LATENCY = 8,
	PRECIS_PEBS_WORD_COUNT = 9
};

#define PRECIS_PEBS_WORD_CAPACITY 16

struct precis_pebs {
	uint32_t size;
	uint32_t format;
	uint32_t bytes;
	uint32_t groups;
	uint32_t captured;
	uint32_t gpr_captured;
	uint32_t flags;
	uint32_t fragments;
	uint64_t unknown_groups;
	uint64_t format_word;
	uint64_t word[PRECIS_PEBS_WORD_CAPACITY];
	uint64_t gpr[PRECIS_PEBS_GPR_COUNT];
};

#define PRECIS_PEBS_RETIRE_LATENCY_TOLD (1u << 0)
#define PRECIS_PEBS_RETIRE_LATENCY_VALID (1u << 1)
#define PRECIS_PEBS_MODE_64 (1u << 2)
#define PRECIS_PEBS_REGISTERS_32 (1u << 3)

struct precis_pebs_groups {
	uint32_t size;
	uint32_t lbr_count;
	uint32_t gp_counters, fixed_counters;
	uint32_t metrics;
	uint32_t has_lbr_header;
	const uint8_t *xmm, *ymmh, *opmask, *zmmh, *hi16_zmm;
	const uint8_t *lbr_header, *lbr;
	const uint8_t *counters;
};

PRECIS_API int precis_pebs_parse(uint32_t format, const void *bytes, size_t count,
				 struct precis_pebs *pebs, struct precis_pebs_groups *groups);

PRECIS_API uint32_t precis_pebs_format_bytes(uint32_t format);

PRECIS_API const char *precis_pebs_format_name(uint32_t format);

PRECIS_API int precis_pebs_format_parse(const char *text);

PRECIS_API const char *precis_pebs_word_name(uint32_t word);
PRECIS_API const char *precis_pebs_gpr_name(uint32_t gpr);
PRECIS_API const char *precis_pebs_group_name(uint32_t group);

struct precis_pebs_branch {
	uint64_t from, to, info;
};

PRECIS_API int precis_pebs_branch(const struct precis_pebs_groups *groups, uint32_t n,
				  struct precis_pebs_branch *branch);

struct precis_pebs_lbr_header {
	uint32_t size;
	uint32_t reserved;
	uint64_t lbr_ctl, depth;
	uint64_t ler_from, ler_to;
};

PRECIS_API int precis_pebs_lbr_header(const struct precis_pebs_groups *groups,
				      struct precis_pebs_lbr_header *header);

#define PRECIS_PEBS_FIXED_COUNTER 32

PRECIS_API int precis_pebs_counter(const struct precis_pebs_groups *groups, uint32_t counter,
				   uint64_t *value);

PRECIS_API int precis_pebs_metrics(const struct precis_pebs_groups *groups, uint64_t *slots,
				   uint64_t *perf_metrics);

#define PRECIS_PEBS_VECTOR_MAX 64

PRECIS_API int precis_pebs_register(const struct precis_pebs_groups *groups, uint32_t group,
				    uint32_t n, void *bytes);

PRECIS_API int precis_pebs_vector(const struct precis_pebs_groups *groups, uint32_t n, void *bytes);

struct precis_pebs_buffer {
	uint32_t size;
	uint32_t format;
	const uint8_t *bytes;
	size_t count;
	size_t next;
	size_t offset;
	uint64_t records, null_records;
	uint64_t reserved[4];
};

PRECIS_API int precis_pebs_buffer_init(struct precis_pebs_buffer *buffer, uint32_t format,
				       const void *bytes, size_t count);

PRECIS_API int precis_pebs_buffer_next(struct precis_pebs_buffer *buffer,
				       struct precis_pebs *pebs, struct precis_pebs_groups *groups);

PRECIS_API int precis_pebs_words(struct precis_pebs_buffer *buffer, const uint32_t *words,
				 size_t word_count, size_t room, uint64_t *const *columns,
				 uint32_t *captured);

PRECIS_API int precis_pebs_encode(const struct precis_pebs *pebs,
				  const struct precis_pebs_groups *groups, void *bytes, size_t room);

PRECIS_API int precis_pebs_encode_fragments(const struct precis_pebs *pebs,
					    const struct precis_pebs_groups *groups, uint32_t split,
					    uint32_t nulls, void *bytes, size_t room);

PRECIS_END_DECLS

#endif
