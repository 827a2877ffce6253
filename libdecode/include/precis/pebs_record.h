/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel Processor Event-Based Sampling: from the bytes that the CPU wrote to
 * words with names.
 *
 * Raw records are found in DS areas and architectural-PEBS buffers (dumps by
 * custom drivers, simulators) and, as packets, in Intel PT; perf does not put
 * them into its samples. Nothing in a record tells its format: it is
 * IA32_PERF_CAPABILITIES[11:8] of the CPU that wrote it.
 *
 * Nothing here allocates, prints, locks or keeps state outside the caller's
 * structs: all of it may be called from a signal handler.
 *
 * Source: Intel SDM vol. 3, "Processor Event-Based Sampling"; Linux 7.3
 * arch/x86/events/intel/ds.c.
 */
#ifndef PRECIS_PEBS_RECORD_H
#define PRECIS_PEBS_RECORD_H

#include <precis/export.h>

PRECIS_BEGIN_DECLS

/** Record formats: IA32_PERF_CAPABILITIES[11:8], and two that are older than it. */
enum precis_pebs_format {
	PRECIS_PEBS_FORMAT_0 = 0, /* Core 2, Bonnell: 144 bytes */
	PRECIS_PEBS_FORMAT_1 = 1, /* Nehalem to Ivy Bridge: 176 */
	PRECIS_PEBS_FORMAT_2 = 2, /* Haswell, Broadwell, Silvermont, Knights Landing: 192 */
	PRECIS_PEBS_FORMAT_3 = 3, /* Skylake, Goldmont: 200 */
	PRECIS_PEBS_FORMAT_4 = 4, /* Ice Lake and later: adaptive */
	PRECIS_PEBS_FORMAT_5 = 5, /* the same record as 4, another DS area */
	PRECIS_PEBS_FORMAT_6 = 6, /* Lunar Lake: 5 with counters */
	PRECIS_PEBS_FORMAT_ARCH = 15, /* architectural PEBS: fragments with headers */
	PRECIS_PEBS_FORMAT_NETBURST_32 = 16, /* 40 bytes */
	PRECIS_PEBS_FORMAT_NETBURST_64 = 17 /* 144 bytes, as format 0 */
};

/** What a record consists of. */
#define PRECIS_PEBS_GROUP_BASIC (1u << 0)    /* adaptive, architectural: IP, counters, TSC */
#define PRECIS_PEBS_GROUP_MEMORY (1u << 1)   /* address, data source, latency, TSX */
#define PRECIS_PEBS_GROUP_GPR (1u << 2)      /* general-purpose registers */
#define PRECIS_PEBS_GROUP_XMM (1u << 3)
#define PRECIS_PEBS_GROUP_YMMH (1u << 4)     /* upper halves of YMM0 to YMM15 */
#define PRECIS_PEBS_GROUP_OPMASK (1u << 5)   /* k0 to k7 */
#define PRECIS_PEBS_GROUP_ZMMH (1u << 6)     /* upper halves of ZMM0 to ZMM15 */
#define PRECIS_PEBS_GROUP_HI16_ZMM (1u << 7) /* ZMM16 to ZMM31 */
#define PRECIS_PEBS_GROUP_LBR (1u << 8)      /* branches */
#define PRECIS_PEBS_GROUP_COUNTERS (1u << 9) /* general-purpose and fixed counters */
#define PRECIS_PEBS_GROUP_METRICS (1u << 10) /* slots and PERF_METRICS */

/** The general-purpose registers, by name: their order in the record differs by format. */
enum precis_pebs_gpr {
	PRECIS_PEBS_FLAGS = 0,
	PRECIS_PEBS_IP = 1, /* of the next instruction */
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
	PRECIS_PEBS_SSP = 18, /* shadow stack pointer: architectural PEBS only */
	PRECIS_PEBS_GPR_COUNT = 19
};

/** The other words of a record. Bit n of 'captured' is word n of this list. */
enum precis_pebs_word {
	PRECIS_PEBS_STATUS = 0, /* formats 1, 2: IA32_PERF_GLOBAL_STATUS before the assist */
	PRECIS_PEBS_APPLICABLE_COUNTERS = 1, /* format 3 and later: the counters that it is of */
	PRECIS_PEBS_EVENTING_IP = 2,      /* of the instruction that caused the event */
	PRECIS_PEBS_TSC = 3,
	PRECIS_PEBS_DATA_ADDRESS = 4,     /* "data linear address" */
	PRECIS_PEBS_DATA_SOURCE = 5,      /* "data source encoding", "auxiliary info" */
	PRECIS_PEBS_LATENCY = 6,          /* the whole word: what it holds depends on the CPU */
	PRECIS_PEBS_TSX = 7,              /* "TSX tuning", transactional memory */
	PRECIS_PEBS_RETIRE_LATENCY = 8,   /* 16 bits; valid where the CPU says so */
	PRECIS_PEBS_WORD_COUNT = 9
};

/** Room for words, of which there may be more some day. */
#define PRECIS_PEBS_WORD_CAPACITY 16

/**
 * One record, exactly as captured; no pointers. Words whose bit in 'captured'
 * or 'gpr_captured' is 0 are meaningless. Whether a captured word means
 * anything depends on CPU and event: that is judged later.
 */
struct precis_pebs {
	uint32_t size;     /* sizeof(struct precis_pebs), set by the caller */
	uint32_t format;   /* enum precis_pebs_format */
	uint32_t bytes;    /* that the record takes in the buffer, all fragments included */
	uint32_t groups;   /* PRECIS_PEBS_GROUP_* */
	uint32_t captured; /* bits of enum precis_pebs_word */
	uint32_t gpr_captured; /* bits of enum precis_pebs_gpr */
	uint32_t flags;    /* PRECIS_PEBS_* below */
	uint32_t fragments; /* architectural: how many, null records not counted; else 0 */
	uint64_t unknown_groups; /* bits of the format word or header that have no known group */
	uint64_t format_word; /* adaptive: first word; architectural: first header; else 0 */
	uint64_t word[PRECIS_PEBS_WORD_CAPACITY];
	uint64_t gpr[PRECIS_PEBS_GPR_COUNT];
};

#define PRECIS_PEBS_RETIRE_LATENCY_TOLD (1u << 0) /* the record itself says whether it is valid … */
#define PRECIS_PEBS_RETIRE_LATENCY_VALID (1u << 1) /* … and that it is */
#define PRECIS_PEBS_MODE_64 (1u << 2) /* architectural: the header's 64-bit mode bit */
#define PRECIS_PEBS_REGISTERS_32 (1u << 3) /* NetBurst 32, and PT blocks with 4-byte registers */

/**
 * Where the large groups of a record lie: views into the caller's bytes, NULL
 * where the record has none. Read them with the functions below: they are
 * little-endian and of any alignment.
 */
struct precis_pebs_groups {
	uint32_t size; /* sizeof(struct precis_pebs_groups), set by the caller */
	uint32_t lbr_count; /* entries, invalid ones included */
	uint32_t gp_counters, fixed_counters; /* which: bits by number */
	uint32_t metrics; /* 1: slots and PERF_METRICS follow the counters */
	uint32_t has_lbr_header; /* architectural PEBS: LBR_CTL, depth, LER */
	const uint8_t *xmm, *ymmh, *opmask, *zmmh, *hi16_zmm;
	const uint8_t *lbr_header, *lbr;
	const uint8_t *counters; /* values: general-purpose, fixed, metrics; without the header */
	uint64_t xstate; /* architectural: the bitmap in the header of the vector registers; what
			  * its clear bits say of registers that are there is not published */
};

/**
 * Take one record apart.
 *
 * Architectural PEBS: all fragments of it, with the null records before and
 * between them. A fragment may be padded to a multiple of 16 bytes, in which
 * the CPU counts.
 *
 * No hardware samples of raw records have been available for any format: the
 * layouts are those of the documents.
 *
 * @param format  enum precis_pebs_format: of the CPU that wrote it
 * @param bytes   the record's first byte, any alignment
 * @param count   bytes that may be read; more than the record's are not looked at
 * @param pebs    'size' must be set. After an error only 'bytes' is meaningful, 0 if it is not
 *                known where the next record begins, and 'format_word' and 'unknown_groups' with
 *                PRECIS_E_UNKNOWN_BITS
 * @param groups   'size' must be set; may be NULL
 * @return 0; PRECIS_E_TRUNCATED: the record ends beyond 'count'; PRECIS_E_BAD_SIZE: the
 *         record's size word contradicts its groups, or cannot be one;
 *         PRECIS_E_UNKNOWN_BITS: a group that has no published layout, one that the format
 *         does not have, or one that is there twice; PRECIS_E_FRAGMENT: architectural, the
 *         first fragment has no Basic group; PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_pebs_parse(uint32_t format, const void *bytes, size_t count,
				 struct precis_pebs *pebs, struct precis_pebs_groups *groups);

/** Bytes of each record of a format; 0 if it has no fixed size, or there is no such format. */
PRECIS_API uint32_t precis_pebs_format_bytes(uint32_t format);

/** A format as text: "4", "arch", "netburst32"; NULL if there is none of that number. */
PRECIS_API const char *precis_pebs_format_name(uint32_t format);

/** The reverse, in any case of letters. @return enum precis_pebs_format, PRECIS_E_NO_FIELD if it
 * is the name of none, PRECIS_E_ARGUMENT */
PRECIS_API int precis_pebs_format_parse(const char *text);

/** Names as in the enumerations, in lower case: "data_address", "ax", "memory". 'group' is one
 * bit. NULL for a number that is none. */
PRECIS_API const char *precis_pebs_word_name(uint32_t word);
PRECIS_API const char *precis_pebs_gpr_name(uint32_t gpr);
PRECIS_API const char *precis_pebs_group_name(uint32_t group);

/* The large groups. The bytes that 'groups' points into must still be there. */

/** A branch as the CPU recorded it. */
struct precis_pebs_branch {
	uint64_t from, to, info;
};

/**
 * Branch n of the LBR group; 0 is the newest.
 *
 * @return 1; 0 if there are not as many; PRECIS_E_ARGUMENT. The first entry whose 'from' is 0
 *         ends the valid ones: those behind it have not been recorded
 */
PRECIS_API int precis_pebs_branch(const struct precis_pebs_groups *groups, uint32_t n,
				  struct precis_pebs_branch *branch);

/** The header of architectural PEBS' LBR group. */
struct precis_pebs_lbr_header {
	uint32_t size; /* sizeof(struct precis_pebs_lbr_header), set by the caller */
	uint32_t reserved;
	uint64_t lbr_ctl, depth;
	uint64_t ler_from, ler_to, ler_info; /* "last event record" */
};

/** @return 1; 0 if the record has none; PRECIS_E_ARGUMENT */
PRECIS_API int precis_pebs_lbr_header(const struct precis_pebs_groups *groups,
				      struct precis_pebs_lbr_header *header);

/** Fixed counter n has this number + n, general-purpose counter n the number n. */
#define PRECIS_PEBS_FIXED_COUNTER 32

/** A counter's value when the record was written. @return 1; 0 if the record does not have it;
 * PRECIS_E_ARGUMENT */
PRECIS_API int precis_pebs_counter(const struct precis_pebs_groups *groups, uint32_t counter,
				   uint64_t *value);

/** Fixed counter 3 (slots) and PERF_METRICS. @return as precis_pebs_counter() */
PRECIS_API int precis_pebs_metrics(const struct precis_pebs_groups *groups, uint64_t *slots,
				   uint64_t *perf_metrics);

/** Bytes of the longest vector register. */
#define PRECIS_PEBS_VECTOR_MAX 64

/**
 * Register n of one group of vector or mask registers, as it lies in the record: lowest byte
 * first.
 *
 * @param group  PRECIS_PEBS_GROUP_XMM (16 bytes each), _YMMH (16), _OPMASK (8), _ZMMH (32),
 *               _HI16_ZMM (64)
 * @param n      counted within the group: n of HI16_ZMM is ZMM16+n
 * @param bytes  room for PRECIS_PEBS_VECTOR_MAX
 * @return the register's bytes; 0 if the record does not have the group; PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_pebs_register(const struct precis_pebs_groups *groups, uint32_t group,
				    uint32_t n, void *bytes);

/**
 * Vector register n (0 to 31), put together from its groups.
 *
 * @return how many of its low bytes were captured: 64 (all of ZMM n), 32 (YMM n), 16 (XMM n),
 *         or 0; PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_pebs_vector(const struct precis_pebs_groups *groups, uint32_t n, void *bytes);

/* Buffers of records */

/**
 * A walk through the records from a buffer's base to its index. Members may be
 * read; they are written by the functions below. The struct does not grow.
 */
struct precis_pebs_buffer {
	uint32_t size; /* set by precis_pebs_buffer_init() */
	uint32_t format;
	const uint8_t *bytes;
	size_t count;
	size_t next;   /* offset of what is read next */
	size_t offset; /* of the record that was read last; after an error: of what is wrong */
	uint64_t records, null_records; /* so far */
	uint64_t reserved[4];
};

/**
 * Begin a walk.
 *
 * @param format  enum precis_pebs_format
 * @param bytes   from the buffer's base; must stay where they are during the walk
 * @param count   up to its index: where the next record would have been written
 * @return 0 or PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_pebs_buffer_init(struct precis_pebs_buffer *buffer, uint32_t format,
				       const void *bytes, size_t count);

/**
 * The next record. Records of different sizes may follow one another. Null
 * records of architectural PEBS that are in front of a record, or behind the
 * last, are passed over and counted.
 *
 * @param pebs, groups  as in precis_pebs_parse()
 * @return 1; 0 at the end; an error as precis_pebs_parse() has it, buffer->offset tells where.
 *         The walk can go on: behind the faulty record if it is known where that ends
 *         (PRECIS_E_UNKNOWN_BITS, PRECIS_E_FRAGMENT), otherwise the next call returns 0.
 *         PRECIS_E_TRUNCATED means that the last record is there only in part
 */
PRECIS_API int precis_pebs_buffer_next(struct precis_pebs_buffer *buffer,
				       struct precis_pebs *pebs, struct precis_pebs_groups *groups);

/**
 * A few words of the next records, into columns. The cheapest way through a buffer.
 *
 * @param words       'word_count' numbers of enum precis_pebs_word
 * @param room        records, at least 1; it does not read more
 * @param columns     for each word an array of 'room' values
 * @param captured    'room' masks: which of all words each record has, as in struct precis_pebs;
 *                    but a retire latency that the record itself calls invalid does not count.
 *                    A column's value is meaningful only where its word is in the mask
 * @return how many records; 0 at the end; an error as precis_pebs_buffer_next(), after the
 *         records before it have been delivered by an earlier call
 */
PRECIS_API int precis_pebs_words(struct precis_pebs_buffer *buffer, const uint32_t *words,
				 size_t word_count, size_t room, uint64_t *const *columns,
				 uint32_t *captured);

/* Words to bytes, for tests and simulators. Reserved words are written as 0. */

/**
 * Build the bytes of one record: the reverse of precis_pebs_parse().
 *
 * 'format' and 'groups' decide what is written (fixed formats: 'format'
 * alone); every word and register of it must be captured, and the groups that
 * lie outside 'pebs' be in 'groups'.
 *
 * @param groups  may be NULL if no group needs it
 * @param bytes  room for 'room' bytes
 * @return the record's bytes; PRECIS_E_ARGUMENT: something of it is not captured or does not fit
 *         its place; PRECIS_E_NO_SPACE; PRECIS_E_BAD_SIZE: a fragment of more than 65535 bytes
 */
PRECIS_API int precis_pebs_encode(const struct precis_pebs *pebs,
				  const struct precis_pebs_groups *groups, void *bytes, size_t room);

/**
 * The same for architectural PEBS, in several fragments.
 *
 * @param split  PRECIS_PEBS_GROUP_*: before which groups a new fragment begins. METRICS counts
 *               for nothing: it cannot be parted from COUNTERS
 * @param nulls  before which groups there is also a null record; before BASIC: in front
 */
PRECIS_API int precis_pebs_encode_fragments(const struct precis_pebs *pebs,
					    const struct precis_pebs_groups *groups, uint32_t split,
					    uint32_t nulls, void *bytes, size_t room);

PRECIS_END_DECLS

#endif
