#ifndef PRECIS_IBS_H
#define PRECIS_IBS_H

#include <precis/amd.h>
#include <precis/export.h>
#include <precis/fields.h>

PRECIS_BEGIN_DECLS

struct precis_sample;

#define PRECIS_IBS_CAPS_VALID (1u << 0)
#define PRECIS_IBS_CAPS_FETCH (1u << 1)
#define PRECIS_IBS_CAPS_OP (1u << 2)
#define PRECIS_IBS_CAPS_RD_WR_OP_CNT (1u << 3)
#define PRECIS_IBS_CAPS_OP_CNT (1u << 4)
#define PRECIS_IBS_CAPS_BRN_TRGT (1u << 5)
#define PRECIS_IBS_CAPS_OP_CNT_EXT (1u << 6)
#define PRECIS_IBS_CAPS_RIP_INVALID_CHK (1u << 7)
#define PRECIS_IBS_CAPS_OP_BRN_FUSE (1u << 8)
#define PRECIS_IBS_CAPS_FETCH_CTL_EXTD (1u << 9)
#define PRECIS_IBS_CAPS_OP_DATA4 (1u << 10)
#define PRECIS_IBS_CAPS_ZEN4_EXT (1u << 11)
#define PRECIS_IBS_CAPS_LOAD_LATENCY (1u << 12)
#define PRECIS_IBS_CAPS_ALT_DISABLE (1u << 13)
#define PRECIS_IBS_CAPS_FETCH_LATENCY (1u << 14)
#define PRECIS_IBS_CAPS_ADDR_BIT63 (1u << 15)
#define PRECIS_IBS_CAPS_STRM_ST_RMT_SOCKET (1u << 16)
#define PRECIS_IBS_CAPS_BUFFER (1u << 17)
#define PRECIS_IBS_CAPS_MEM_PROFILER (1u << 18)
#define PRECIS_IBS_CAPS_DTLB_PAGE_SIZE (1u << 19)

enum precis_ibs_unit { PRECIS_IBS_OP = 0, PRECIS_IBS_FETCH = 1 };

enum precis_ibs_register {
	PRECIS_IBS_OP_CTL = 0,
	PRECIS_IBS_OP_RIP = 1,
	PRECIS_IBS_OP_DATA = 2,
	PRECIS_IBS_OP_DATA2 = 3,
	PRECIS_IBS_OP_DATA3 = 4,
	PRECIS_IBS_DC_LIN_AD = 5,
	PRECIS_IBS_DC_PHYS_AD = 6,
	PRECIS_IBS_BR_TARGET = 7,
	PRECIS_IBS_OP_DATA4 = 8,
	PRECIS_IBS_FETCH_CTL = 9,
	PRECIS_IBS_FETCH_LIN_AD = 10,
	PRECIS_IBS_FETCH_PHYS_AD = 11,
	PRECIS_IBS_FETCH_CTL_EXTD = 12,
	PRECIS_IBS_REGISTER_COUNT = 13
};

struct precis_ibs_op {
	uint32_t size;
	uint32_t caps;
	uint32_t captured;
	uint32_t extra;
	uint64_t op_ctl, op_rip, op_data, op_data2, op_data3;
	uint64_t dc_lin_ad, dc_phys_ad, br_target;
};

struct precis_ibs_fetch {
	uint32_t size;
	uint32_t caps;
	uint32_t captured;
	uint32_t extra;
	uint64_t fetch_ctl, fetch_lin_ad, fetch_phys_ad, fetch_ctl_extd;
	uint64_t old_br_target;
};

#define PRECIS_IBS_PAYLOAD_MAX 76

PRECIS_API int precis_ibs_op_parse(const void *payload, size_t bytes, struct precis_ibs_op *op);

PRECIS_API int precis_ibs_fetch_parse(const void *payload, size_t bytes, int old_layout,
				      struct precis_ibs_fetch *fetch);

PRECIS_API int precis_ibs_fetch_layout_is_old(const char *os_release);

PRECIS_API int precis_ibs_op_encode(const struct precis_ibs_op *op, void *payload);
PRECIS_API int precis_ibs_fetch_encode(const struct precis_ibs_fetch *fetch, int old_layout,
				       void *payload);

struct precis_ibs_context {
	uint32_t size;
	uint32_t caps;
	union {
		struct precis_cpu cpu;
		uint32_t cpu_room[16];
	};
	uint32_t cores;
	uint32_t errata;
	uint32_t flags;
	uint32_t waived;
	uint32_t source_high_bits;
	uint32_t low_gates[256], high_gates[256], source_gates[32];
	uint8_t level[4096];
	uint8_t fetch_page_shift[4];
	uint32_t op_registers;
	uint64_t gates;
	uint32_t conditional[2][2];
	uint64_t unsound_fetch_ctl;
	uint64_t allowed[2][4][256];
	uint32_t later_fields[2];
	struct {
		uint32_t field, needs;
	} later[2][PRECIS_FIELD_CAPACITY - 64];
	uint64_t reserved[862];
};

PRECIS_API int precis_ibs_context_init(struct precis_ibs_context *context,
				       const struct precis_cpu *cpu);

PRECIS_API int precis_ibs_op_present(struct precis_ibs_context *context,
				     const struct precis_ibs_op *op, uint64_t *present);
PRECIS_API int precis_ibs_fetch_present(struct precis_ibs_context *context,
					const struct precis_ibs_fetch *fetch, uint64_t *present);

PRECIS_API int precis_ibs_op_decode(struct precis_ibs_context *context,
				    const struct precis_ibs_op *op, const uint64_t *wanted,
				    struct precis_sample *sample);
PRECIS_API int precis_ibs_fetch_decode(struct precis_ibs_context *context,
				       const struct precis_ibs_fetch *fetch, const uint64_t *wanted,
				       struct precis_sample *sample);

PRECIS_API int precis_ibs_op_columns(struct precis_ibs_context *context,
				     const struct precis_ibs_op *ops, size_t count,
				     const uint32_t *fields, size_t field_count,
				     uint64_t *const *columns, uint64_t *const *present);
PRECIS_API int precis_ibs_fetch_columns(struct precis_ibs_context *context,
					const struct precis_ibs_fetch *fetches, size_t count,
					const uint32_t *fields, size_t field_count,
					uint64_t *const *columns, uint64_t *const *present);

PRECIS_API uint64_t precis_ibs_field_bits(enum precis_ibs_unit unit, uint32_t field,
					  enum precis_ibs_register reg, uint64_t *value_bits);

struct precis_ibs_bits {
	uint32_t size;
	uint32_t reg;
	uint32_t low, width;
	const char *name;
	const char *perf_name;
};

PRECIS_API const char *precis_ibs_register_name(uint32_t reg);

PRECIS_API int precis_ibs_bits(uint32_t n, struct precis_ibs_bits *bits);

PRECIS_API int precis_ibs_bits_defined(const struct precis_ibs_context *context, uint32_t n);

PRECIS_API const char *precis_ibs_op_bits_erratum(struct precis_ibs_context *context,
						  const struct precis_ibs_op *op, uint32_t n);
PRECIS_API const char *precis_ibs_fetch_bits_erratum(struct precis_ibs_context *context,
						     const struct precis_ibs_fetch *fetch,
						     uint32_t n);

PRECIS_API uint64_t precis_ibs_op_register(const struct precis_ibs_op *op, uint32_t reg,
					   int *captured);
PRECIS_API uint64_t precis_ibs_fetch_register(const struct precis_ibs_fetch *fetch, uint32_t reg,
					      int *captured);

PRECIS_END_DECLS

#endif
