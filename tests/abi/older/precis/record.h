#ifndef PRECIS_RECORD_H
#define PRECIS_RECORD_H

#include <precis/export.h>

PRECIS_BEGIN_DECLS

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

#define PRECIS_FORMAT_TIME_ENABLED (1u << 0)
#define PRECIS_FORMAT_TIME_RUNNING (1u << 1)
#define PRECIS_FORMAT_ID (1u << 2)
#define PRECIS_FORMAT_GROUP (1u << 3)
#define PRECIS_FORMAT_LOST (1u << 4)

struct precis_record {
	uint32_t type;
	uint16_t misc;
	uint16_t size;
	const uint8_t *data;
	uint64_t offset;
	uint32_t data_file;
	uint32_t reserved;
};

struct precis_layout {
	uint32_t size;
	uint32_t unknown_bits;
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t branch_sample_type;
	uint64_t regs_user;
	uint64_t regs_intr;
	uint32_t sample_id_all;
	uint32_t trailer_bytes;
	uint32_t id_offset;
};

struct precis_bytes {
	const uint8_t *data;
	uint32_t bytes;
};

struct precis_perf_sample {
	uint32_t size;
	uint16_t misc;
	uint16_t reserved;
	uint64_t present;
	uint64_t identifier;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time;
	uint64_t addr;
	uint64_t id;
	uint64_t stream_id;
	uint32_t cpu, cpu_reserved;
	uint64_t period;
	struct precis_bytes read;
	uint64_t callchain_count;
	struct precis_bytes callchain;
	struct precis_bytes raw;
	uint64_t branch_count;
	uint64_t branch_hw_index;
	struct precis_bytes branches;
	struct precis_bytes branch_counters;
	uint64_t regs_user_abi;
	struct precis_bytes regs_user;
	struct precis_bytes stack_user;
	uint64_t stack_user_dynamic;
	uint64_t weight;
	uint16_t weight_var2, weight_var3;
	uint32_t weight_reserved;
	uint64_t data_src;
	uint64_t transaction;
	uint64_t regs_intr_abi;
	struct precis_bytes regs_intr;
	uint64_t phys_addr;
	uint64_t cgroup;
	uint64_t data_page_size;
	uint64_t code_page_size;
};

struct precis_sample_id {
	uint32_t size;
	uint32_t present;
	uint32_t pid, tid;
	uint64_t time;
	uint64_t id;
	uint64_t stream_id;
	uint32_t cpu;
};

PRECIS_API int precis_record_at(const void *bytes, size_t avail, struct precis_record *record);

PRECIS_API const char *precis_record_name(uint32_t type);

PRECIS_API int precis_layout_init(const void *attr, size_t bytes, struct precis_layout *layout);

PRECIS_API int precis_perf_sample_parse(const struct precis_layout *layout,
					const struct precis_record *record,
					struct precis_perf_sample *sample);

PRECIS_API int precis_sample_id_parse(const struct precis_layout *layout,
				      const struct precis_record *record,
				      struct precis_sample_id *id);

PRECIS_API int precis_bytes_u64(struct precis_bytes view, uint64_t n, uint64_t *value);

PRECIS_END_DECLS

#endif
