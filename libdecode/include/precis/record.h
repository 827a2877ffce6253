/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records of the kernel's perf ABI, as views into bytes that the caller owns.
 *
 * Here: the header that all have, SAMPLE, and the sample_id that ends the other
 * ones of the kernel. The bodies of the other records are in kernel_records.h
 * and tool_records.h, the compound parts of a sample in sample_parts.h.
 *
 * Source: include/uapi/linux/perf_event.h of Linux 7.3, and for the types from
 * 64 on tools/lib/perf/include/perf/event.h. Nothing here allocates; nothing
 * is copied. All multi-byte values are in the byte order of the machine that
 * runs, which must be that of the recorder.
 */
#ifndef PRECIS_RECORD_H
#define PRECIS_RECORD_H

#include <precis/export.h>

PRECIS_BEGIN_DECLS

/** Record types. Below 64 the kernel's, from 64 on the perf tool's. */
enum precis_record_type {
	PRECIS_RECORD_MMAP = 1,
	PRECIS_RECORD_LOST = 2,
	PRECIS_RECORD_COMM = 3,
	PRECIS_RECORD_EXIT = 4,
	PRECIS_RECORD_THROTTLE = 5,
	PRECIS_RECORD_UNTHROTTLE = 6,
	PRECIS_RECORD_FORK = 7,
	PRECIS_RECORD_READ = 8,
	PRECIS_RECORD_SAMPLE = 9,
	PRECIS_RECORD_MMAP2 = 10,
	PRECIS_RECORD_AUX = 11,
	PRECIS_RECORD_ITRACE_START = 12,
	PRECIS_RECORD_LOST_SAMPLES = 13,
	PRECIS_RECORD_SWITCH = 14,
	PRECIS_RECORD_SWITCH_CPU_WIDE = 15,
	PRECIS_RECORD_NAMESPACES = 16,
	PRECIS_RECORD_KSYMBOL = 17,
	PRECIS_RECORD_BPF_EVENT = 18,
	PRECIS_RECORD_CGROUP = 19,
	PRECIS_RECORD_TEXT_POKE = 20,
	PRECIS_RECORD_AUX_OUTPUT_HW_ID = 21,
	PRECIS_RECORD_CALLCHAIN_DEFERRED = 22,
	PRECIS_RECORD_USER_FIRST = 64,
	PRECIS_RECORD_HEADER_ATTR = 64,
	PRECIS_RECORD_HEADER_EVENT_TYPE = 65,
	PRECIS_RECORD_HEADER_TRACING_DATA = 66,
	PRECIS_RECORD_HEADER_BUILD_ID = 67,
	PRECIS_RECORD_FINISHED_ROUND = 68,
	PRECIS_RECORD_ID_INDEX = 69,
	PRECIS_RECORD_AUXTRACE_INFO = 70,
	PRECIS_RECORD_AUXTRACE = 71,
	PRECIS_RECORD_AUXTRACE_ERROR = 72,
	PRECIS_RECORD_THREAD_MAP = 73,
	PRECIS_RECORD_CPU_MAP = 74,
	PRECIS_RECORD_STAT_CONFIG = 75,
	PRECIS_RECORD_STAT = 76,
	PRECIS_RECORD_STAT_ROUND = 77,
	PRECIS_RECORD_EVENT_UPDATE = 78,
	PRECIS_RECORD_TIME_CONV = 79,
	PRECIS_RECORD_HEADER_FEATURE = 80,
	PRECIS_RECORD_COMPRESSED = 81,
	PRECIS_RECORD_FINISHED_INIT = 82,
	PRECIS_RECORD_COMPRESSED2 = 83,
	PRECIS_RECORD_BPF_METADATA = 84,
	PRECIS_RECORD_SCHEDSTAT_CPU = 85,
	PRECIS_RECORD_SCHEDSTAT_DOMAIN = 86
};

/* sample_type bits (PERF_SAMPLE_*) */
#define PRECIS_SAMPLE_IP (1u << 0)
#define PRECIS_SAMPLE_TID (1u << 1)
#define PRECIS_SAMPLE_TIME (1u << 2)
#define PRECIS_SAMPLE_ADDR (1u << 3)
#define PRECIS_SAMPLE_READ (1u << 4)
#define PRECIS_SAMPLE_CALLCHAIN (1u << 5)
#define PRECIS_SAMPLE_ID (1u << 6)
#define PRECIS_SAMPLE_CPU (1u << 7)
#define PRECIS_SAMPLE_PERIOD (1u << 8)
#define PRECIS_SAMPLE_STREAM_ID (1u << 9)
#define PRECIS_SAMPLE_RAW (1u << 10)
#define PRECIS_SAMPLE_BRANCH_STACK (1u << 11)
#define PRECIS_SAMPLE_REGS_USER (1u << 12)
#define PRECIS_SAMPLE_STACK_USER (1u << 13)
#define PRECIS_SAMPLE_WEIGHT (1u << 14)
#define PRECIS_SAMPLE_DATA_SRC (1u << 15)
#define PRECIS_SAMPLE_IDENTIFIER (1u << 16)
#define PRECIS_SAMPLE_TRANSACTION (1u << 17)
#define PRECIS_SAMPLE_REGS_INTR (1u << 18)
#define PRECIS_SAMPLE_PHYS_ADDR (1u << 19)
#define PRECIS_SAMPLE_AUX (1u << 20)
#define PRECIS_SAMPLE_CGROUP (1u << 21)
#define PRECIS_SAMPLE_DATA_PAGE_SIZE (1u << 22)
#define PRECIS_SAMPLE_CODE_PAGE_SIZE (1u << 23)
#define PRECIS_SAMPLE_WEIGHT_STRUCT (1u << 24)
#define PRECIS_SAMPLE_KNOWN_BITS ((1u << 25) - 1)

/* misc bits of the record header */
#define PRECIS_MISC_CPUMODE_MASK 7u
#define PRECIS_MISC_PROC_MAP_PARSE_TIMEOUT (1u << 12)
#define PRECIS_MISC_MMAP_DATA (1u << 13)
#define PRECIS_MISC_COMM_EXEC (1u << 13)
#define PRECIS_MISC_FORK_EXEC (1u << 13)
#define PRECIS_MISC_SWITCH_OUT (1u << 13)
#define PRECIS_MISC_EXACT_IP (1u << 14)
#define PRECIS_MISC_SWITCH_OUT_PREEMPT (1u << 14)
#define PRECIS_MISC_MMAP_BUILD_ID (1u << 14)
#define PRECIS_MISC_BUILD_ID_SIZE (1u << 15)

/* read_format bits (PERF_FORMAT_*) */
#define PRECIS_FORMAT_TIME_ENABLED (1u << 0)
#define PRECIS_FORMAT_TIME_RUNNING (1u << 1)
#define PRECIS_FORMAT_ID (1u << 2)
#define PRECIS_FORMAT_GROUP (1u << 3)
#define PRECIS_FORMAT_LOST (1u << 4)

/** One record: a view, valid as long as the bytes are. */
struct precis_record {
	uint32_t type;       /* enum precis_record_type, or a number this library does not know */
	uint16_t misc;       /* PRECIS_MISC_* */
	uint16_t size;       /* bytes, header included, as the header says */
	const uint8_t *data; /* the header's first byte */
	uint64_t offset;     /* where the record starts in its file, or the compressed record that
			      * it began in; 0 for a ring buffer */
	uint32_t data_file;       /* of a directory recording: n + 1 for the file data.n; else 0 */
	uint32_t reserved;
};

/**
 * How the samples of one event are laid out: what attr says, worked out once.
 * Filled by precis_layout_init(); read-only afterwards.
 */
struct precis_layout {
	uint32_t size;               /* sizeof(struct precis_layout), set by the caller */
	uint32_t unknown_bits;       /* 1 if sample_type has bits beyond the known ones */
	uint64_t sample_type;        /* PRECIS_SAMPLE_* */
	uint64_t read_format;        /* PRECIS_FORMAT_* */
	uint64_t branch_sample_type; /* attr.branch_sample_type */
	uint64_t regs_user;          /* attr.sample_regs_user */
	uint64_t regs_intr;          /* attr.sample_regs_intr */
	uint32_t sample_id_all;      /* 1 if records other than SAMPLE end with a sample_id */
	uint32_t trailer_bytes;      /* size of that sample_id, 0 without it */
	uint32_t id_offset;          /* of the id in a SAMPLE from its start; 0 = none there */
	uint32_t id_from_end;        /* of the id in other records, back from their end; 0 = none */
};

/** A run of bytes inside a record: data is NULL where there is none. */
struct precis_bytes {
	const uint8_t *data;
	uint32_t bytes;
};

/**
 * The parts of one PERF_RECORD_SAMPLE, in ABI terms. A value is meaningful only
 * if its bit is in 'present'; the views point into the record and may be
 * unaligned by 4 (memcpy from them).
 */
struct precis_perf_sample {
	uint32_t size;     /* sizeof(struct precis_perf_sample), set by the caller */
	uint16_t misc;     /* of the record: cpumode, EXACT_IP */
	uint16_t reserved;
	uint64_t present;  /* PRECIS_SAMPLE_* that were captured and could be read */
	uint64_t identifier;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time;
	uint64_t addr;
	uint64_t id;
	uint64_t stream_id;
	uint32_t cpu, cpu_reserved;
	uint64_t period;
	struct precis_bytes read;      /* the whole read_format block */
	uint64_t callchain_count;
	struct precis_bytes callchain; /* callchain_count u64s */
	struct precis_bytes raw;       /* payload without its u32 size */
	uint64_t branch_count;
	uint64_t branch_hw_index;      /* UINT64_MAX: not recorded */
	struct precis_bytes branches;  /* branch_count times {u64 from, to, flags} */
	struct precis_bytes branch_counters; /* branch_count u64s, or none */
	uint64_t regs_user_abi;
	struct precis_bytes regs_user; /* u64s, lowest mask bit first */
	struct precis_bytes stack_user;
	uint64_t stack_user_dynamic;   /* bytes of stack_user that are the stack's */
	uint64_t weight;               /* WEIGHT, or var1_dw of WEIGHT_STRUCT */
	uint16_t weight_var2, weight_var3; /* of WEIGHT_STRUCT only */
	uint32_t weight_reserved;
	uint64_t data_src;
	uint64_t transaction;
	uint64_t regs_intr_abi;
	struct precis_bytes regs_intr;
	uint64_t phys_addr;
	uint64_t cgroup;
	uint64_t data_page_size;
	uint64_t code_page_size;
	struct precis_bytes aux;
};

/** The trailer that records other than SAMPLE carry when attr.sample_id_all is set. */
struct precis_sample_id {
	uint32_t size;    /* sizeof(struct precis_sample_id), set by the caller */
	uint32_t present; /* PRECIS_SAMPLE_TID/TIME/ID/STREAM_ID/CPU/IDENTIFIER */
	uint32_t pid, tid;
	uint64_t time;
	uint64_t id;      /* ID or IDENTIFIER */
	uint64_t stream_id;
	uint32_t cpu, reserved;
};

/**
 * Look at the record that starts at 'bytes'.
 *
 * @param bytes   first byte of the header, any alignment
 * @param avail   bytes that may be read
 * @param record  filled on success; 'offset' is left as it is
 * @return 0; PRECIS_E_TRUNCATED if fewer bytes are there than the header or
 *         the record needs; PRECIS_E_BAD_SIZE if header.size is below 8
 */
PRECIS_API int precis_record_at(const void *bytes, size_t avail, struct precis_record *record);

/** "SAMPLE", "MMAP2", …; NULL for a type that this library does not know. */
PRECIS_API const char *precis_record_name(uint32_t type);

/**
 * Work out the layout from a perf_event_attr as it stands in a file or was
 * given to perf_event_open(2).
 *
 * @param attr    the attribute's bytes, any alignment
 * @param bytes   how many there are; 64 or more. Missing members count as 0,
 *                unknown further ones are ignored
 * @param layout  'size' must be set
 * @return 0, PRECIS_E_ARGUMENT, or PRECIS_E_BAD_SIZE
 */
PRECIS_API int precis_layout_init(const void *attr, size_t bytes, struct precis_layout *layout);

/**
 * Take a SAMPLE record apart (order: perf_event_open(2), PERF_RECORD_SAMPLE).
 *
 * Every size inside the record is checked against the record's own. When one
 * of them lies, what came before it stays readable in 'sample' and the error
 * is returned.
 *
 * @return 0; PRECIS_E_ARGUMENT if the record is no SAMPLE; PRECIS_E_TRUNCATED
 *         if the record ends too early; PRECIS_E_UNKNOWN_BITS if sample_type
 *         has bits whose place is not known (then only the fixed part up to
 *         PERIOD is read), or if a register dump's abi or read_format is unknown
 */
PRECIS_API int precis_perf_sample_parse(const struct precis_layout *layout,
					const struct precis_record *record,
					struct precis_perf_sample *sample);

/**
 * Read the sample_id trailer of a record other than SAMPLE.
 *
 * @return 0 (with 'present' 0 where the event has no trailer), or
 *         PRECIS_E_TRUNCATED
 */
PRECIS_API int precis_sample_id_parse(const struct precis_layout *layout,
				      const struct precis_record *record,
				      struct precis_sample_id *id);

/**
 * Word n of a view that is an array of u64s, whatever its alignment.
 *
 * @return 0; PRECIS_E_ARGUMENT if the view has no such word
 */
PRECIS_API int precis_bytes_u64(struct precis_bytes view, uint64_t n, uint64_t *value);

PRECIS_END_DECLS

#endif
