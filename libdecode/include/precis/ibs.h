/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * AMD Instruction-Based Sampling: from the raw payload to registers, and from
 * registers to the vendor-neutral sample.
 *
 * The payload is what the kernel's ibs_op and ibs_fetch PMUs put into
 * PERF_SAMPLE_RAW (arch/x86/events/amd/ibs.c): a u32 capability word, then the
 * MSRs as u64s, little-endian. It is no stable ABI: what is there follows from
 * the capability word, further registers at the end are accepted.
 *
 * Nothing here allocates, prints, locks or keeps state outside the caller's
 * structs: all of it may be called from a signal handler.
 */
#ifndef PRECIS_IBS_H
#define PRECIS_IBS_H

#include <precis/amd.h>
#include <precis/export.h>
#include <precis/fields.h>

PRECIS_BEGIN_DECLS

struct precis_sample;

/** Capability word: CPUID Fn8000_001B EAX (AMD64 APM vol. 3; Linux IBS_CAPS_*). */
#define PRECIS_IBS_CAPS_VALID (1u << 0)          /* IBSFFV: the leaf is valid */
#define PRECIS_IBS_CAPS_FETCH (1u << 1)          /* FetchSam */
#define PRECIS_IBS_CAPS_OP (1u << 2)             /* OpSam */
#define PRECIS_IBS_CAPS_RD_WR_OP_CNT (1u << 3)
#define PRECIS_IBS_CAPS_OP_CNT (1u << 4)         /* counting of dispatched ops */
#define PRECIS_IBS_CAPS_BRN_TRGT (1u << 5)       /* IbsBrTarget */
#define PRECIS_IBS_CAPS_OP_CNT_EXT (1u << 6)     /* 27-bit op counter */
#define PRECIS_IBS_CAPS_RIP_INVALID_CHK (1u << 7)
#define PRECIS_IBS_CAPS_OP_BRN_FUSE (1u << 8)
#define PRECIS_IBS_CAPS_FETCH_CTL_EXTD (1u << 9) /* IbsFetchCtlExtd */
#define PRECIS_IBS_CAPS_OP_DATA4 (1u << 10)      /* IbsOpData4 */
#define PRECIS_IBS_CAPS_ZEN4_EXT (1u << 11)      /* L3 miss filter, 5-bit DataSrc */
#define PRECIS_IBS_CAPS_LOAD_LATENCY (1u << 12)  /* load latency filter */
#define PRECIS_IBS_CAPS_ALT_DISABLE (1u << 13)
#define PRECIS_IBS_CAPS_FETCH_LATENCY (1u << 14) /* fetch latency filter */
#define PRECIS_IBS_CAPS_ADDR_BIT63 (1u << 15)    /* filter on address bit 63 */
#define PRECIS_IBS_CAPS_STRM_ST_RMT_SOCKET (1u << 16)
#define PRECIS_IBS_CAPS_BUFFER (1u << 17)
#define PRECIS_IBS_CAPS_MEM_PROFILER (1u << 18)
#define PRECIS_IBS_CAPS_DTLB_PAGE_SIZE (1u << 19) /* IbsOpData3[5:4] is DcPageSize */

enum precis_ibs_unit { PRECIS_IBS_OP = 0, PRECIS_IBS_FETCH = 1 };

/** The registers of both payloads. Bit n of 'captured' is register n of this list. */
enum precis_ibs_register {
	PRECIS_IBS_OP_CTL = 0,      /* C001_1033 */
	PRECIS_IBS_OP_RIP = 1,      /* C001_1034 */
	PRECIS_IBS_OP_DATA = 2,     /* C001_1035 */
	PRECIS_IBS_OP_DATA2 = 3,    /* C001_1036 */
	PRECIS_IBS_OP_DATA3 = 4,    /* C001_1037 */
	PRECIS_IBS_DC_LIN_AD = 5,   /* C001_1038 */
	PRECIS_IBS_DC_PHYS_AD = 6,  /* C001_1039 */
	PRECIS_IBS_BR_TARGET = 7,   /* C001_103B */
	PRECIS_IBS_OP_DATA4 = 8,    /* C001_103D */
	PRECIS_IBS_FETCH_CTL = 9,   /* C001_1030 */
	PRECIS_IBS_FETCH_LIN_AD = 10, /* C001_1031 */
	PRECIS_IBS_FETCH_PHYS_AD = 11, /* C001_1032 */
	PRECIS_IBS_FETCH_CTL_EXTD = 12, /* C001_103C */
	PRECIS_IBS_REGISTER_COUNT = 13
};

/** ibs_op, exactly as captured. Registers whose bit in 'captured' is 0 are meaningless. */
struct precis_ibs_op {
	uint32_t size;     /* sizeof(struct precis_ibs_op), set by the caller */
	uint32_t caps;     /* PRECIS_IBS_CAPS_*, as the payload has it */
	uint32_t captured; /* bits of enum precis_ibs_register */
	uint32_t extra;    /* registers beyond the known ones */
	uint64_t op_ctl, op_rip, op_data, op_data2, op_data3;
	uint64_t dc_lin_ad, dc_phys_ad, br_target, op_data4;
};

/**
 * ibs_fetch, exactly as captured. Kernels before 5.10 appended IbsBrTarget and
 * IbsOpData4 instead of IbsFetchCtlExtd; they are kept in the last two members.
 */
struct precis_ibs_fetch {
	uint32_t size;     /* sizeof(struct precis_ibs_fetch), set by the caller */
	uint32_t caps;
	uint32_t captured; /* bits of enum precis_ibs_register (BR_TARGET, OP_DATA4: old layout) */
	uint32_t extra;
	uint64_t fetch_ctl, fetch_lin_ad, fetch_phys_ad, fetch_ctl_extd;
	uint64_t old_br_target, old_op_data4;
};

/** Bytes of the longest payload that precis_ibs_*_encode() makes. */
#define PRECIS_IBS_PAYLOAD_MAX 76

/**
 * Take an ibs_op payload apart (60, 68, 76 or more bytes).
 *
 * @param payload  PERF_SAMPLE_RAW's data without its u32 size, any alignment
 * @param bytes    its size
 * @param op       'size' must be set
 * @return 0; PRECIS_E_NO_PAYLOAD for the kernel's filler (4 bytes or fewer);
 *         PRECIS_E_TRUNCATED below 60; PRECIS_E_BAD_CAPS if caps bit 0 is 0;
 *         PRECIS_E_NOT_A_SAMPLE if IbsOpVal or IbsOpEn is 0 (the registers
 *         are filled nevertheless)
 */
PRECIS_API int precis_ibs_op_parse(const void *payload, size_t bytes, struct precis_ibs_op *op);

/**
 * Take an ibs_fetch payload apart (28, 36 or more bytes).
 *
 * @param old_layout  1 for a recording of a kernel before 5.10 (commit 36e1be8ada99):
 *                    both layouts can have the same size, so nobody can tell from the
 *                    bytes. precis_ibs_fetch_layout_is_old() judges by the OS release
 * @return as precis_ibs_op_parse(); PRECIS_E_TRUNCATED below 28
 */
PRECIS_API int precis_ibs_fetch_parse(const void *payload, size_t bytes, int old_layout,
				      struct precis_ibs_fetch *fetch);

/**
 * Does a kernel of that release write the old fetch layout?
 *
 * The change came with 5.10 and was back-ported in November 2020 to the stable
 * releases 4.9.242, 4.14.204, 4.19.155, 5.4.75 and 5.9.4.
 *
 * @param os_release  uname -r: "5.4.0-42-generic"; NULL or unreadable: new layout
 * @return 1 old, 0 new
 */
PRECIS_API int precis_ibs_fetch_layout_is_old(const char *os_release);

/**
 * Build a payload from registers: caps, then the registers that caps announces.
 *
 * @param payload  room for PRECIS_IBS_PAYLOAD_MAX bytes
 * @return the payload's size, or PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_ibs_op_encode(const struct precis_ibs_op *op, void *payload);
PRECIS_API int precis_ibs_fetch_encode(const struct precis_ibs_fetch *fetch, int old_layout,
				       void *payload);

/**
 * What is known before the first sample: the CPU, worked out against caps once.
 *
 * One per CPU model of a recording; not for two threads at once, since a
 * payload with other caps makes the decoder work it out again.
 *
 * All members are private and may be others in the next version: the tables are
 * here so that the caller owns the memory. The struct always has 32 KiB.
 */
struct precis_ibs_context {
	uint32_t size; /* set by precis_ibs_context_init() */
	uint32_t caps;
	union {
		struct precis_cpu cpu;
		uint32_t cpu_room[16]; /* that it may grow into */
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

/** Make a context for a CPU. @param cpu NULL or vendor UNKNOWN if it is not known. @return 0 or
 * PRECIS_E_ARGUMENT */
PRECIS_API int precis_ibs_context_init(struct precis_ibs_context *context,
				       const struct precis_cpu *cpu);

/**
 * Which fields this op has a value for. The cheapest question: a few table look-ups.
 *
 * @param present  set to them: PRECIS_FIELD_WORDS words
 * @return 0 or PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_ibs_op_present(struct precis_ibs_context *context,
				     const struct precis_ibs_op *op, uint64_t *present);
PRECIS_API int precis_ibs_fetch_present(struct precis_ibs_context *context,
					const struct precis_ibs_fetch *fetch, uint64_t *present);

/**
 * Decode the wanted fields of one sample.
 *
 * @param wanted  a set of fields, PRECIS_FIELD_WORDS words; NULL: all. A field that is not
 *                wanted is neither decoded nor present (reason: NOT_CAPTURED)
 * @param sample  initialised by precis_sample_init(), or decoded into before
 * @return 0 or PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_ibs_op_decode(struct precis_ibs_context *context,
				    const struct precis_ibs_op *op, const uint64_t *wanted,
				    struct precis_sample *sample);
PRECIS_API int precis_ibs_fetch_decode(struct precis_ibs_context *context,
				       const struct precis_ibs_fetch *fetch, const uint64_t *wanted,
				       struct precis_sample *sample);

/**
 * Decode a few fields of many samples into columns.
 *
 * @param ops      'count' ops
 * @param fields   'field_count' numbers of enum precis_field
 * @param columns  for each field an array of 'count' values
 * @param present  which of all IBS fields each op has: for each of the PRECIS_FIELD_WORDS words of
 *                 a set an array, present[word][n] is of op n. NULL for a word, but for the
 *                 first, of which no field is asked for. A column's value is meaningful only
 *                 where its field is in the set
 * @return 0, PRECIS_E_ARGUMENT, PRECIS_E_NO_FIELD for a field that ibs_op never has
 */
PRECIS_API int precis_ibs_op_columns(struct precis_ibs_context *context,
				     const struct precis_ibs_op *ops, size_t count,
				     const uint32_t *fields, size_t field_count,
				     uint64_t *const *columns, uint64_t *const *present);
PRECIS_API int precis_ibs_fetch_columns(struct precis_ibs_context *context,
					const struct precis_ibs_fetch *fetches, size_t count,
					const uint32_t *fields, size_t field_count,
					uint64_t *const *columns, uint64_t *const *present);

/**
 * The bits of a register that decide over a field: those that make its value,
 * and those of its gates and of the errata of any CPU. A flip of any other bit
 * cannot change it.
 *
 * @param value_bits  if not NULL: only those that make the value
 * @return bits of that register; 0 if the field does not depend on it
 */
PRECIS_API uint64_t precis_ibs_field_bits(enum precis_ibs_unit unit, uint32_t field,
					  enum precis_ibs_register reg, uint64_t *value_bits);

/* The register view */

/** A bit field of a register, literally. Strings are static. */
struct precis_ibs_bits {
	uint32_t size; /* sizeof(struct precis_ibs_bits), set by the caller */
	uint32_t reg;  /* enum precis_ibs_register */
	uint32_t low, width;
	const char *name;      /* AMD's: "IbsDcMissLat" */
	const char *perf_name; /* as `perf report -D` prints it: "DcMissLat"; NULL if it does not */
	const char *meaning;
};

/** A register's name in AMD's manuals: "IbsOpData3"; NULL for a number that is none. */
PRECIS_API const char *precis_ibs_register_name(uint32_t reg);

/** Row n of the table of bit fields. @return 0, or PRECIS_E_ARGUMENT past the last */
PRECIS_API int precis_ibs_bits(uint32_t n, struct precis_ibs_bits *bits);

/** Does this CPU, with these caps, define bit field n? (One bit can have different names on
 * different CPUs.) For an unknown CPU: is it defined on every candidate. */
PRECIS_API int precis_ibs_bits_defined(const struct precis_ibs_context *context, uint32_t n);

/** The name of the erratum that makes bit field n untrustworthy in this sample, or NULL. */
PRECIS_API const char *precis_ibs_op_bits_erratum(struct precis_ibs_context *context,
						  const struct precis_ibs_op *op, uint32_t n);
PRECIS_API const char *precis_ibs_fetch_bits_erratum(struct precis_ibs_context *context,
						     const struct precis_ibs_fetch *fetch,
						     uint32_t n);

/** A register's value; 0 and *captured=0 if the payload has none such. */
PRECIS_API uint64_t precis_ibs_op_register(const struct precis_ibs_op *op, uint32_t reg,
					   int *captured);
PRECIS_API uint64_t precis_ibs_fetch_register(const struct precis_ibs_fetch *fetch, uint32_t reg,
					      int *captured);

PRECIS_END_DECLS

#endif
