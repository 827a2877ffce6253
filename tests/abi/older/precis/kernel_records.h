#ifndef PRECIS_KERNEL_RECORDS_H
#define PRECIS_KERNEL_RECORDS_H

#include <precis/export.h>
#include <precis/record.h>
#include <precis/sample_parts.h>

PRECIS_BEGIN_DECLS

#define PRECIS_MMAP_PROTECTION (1u << 0)
#define PRECIS_MMAP_INODE (1u << 1)
#define PRECIS_MMAP_BUILD_ID (1u << 2)

struct precis_mmap {
	uint32_t size;
	uint32_t pid, tid;
	uint32_t build_id_bytes;
	uint64_t addr, length, page_offset;
	uint32_t protection, flags;
	const uint8_t *build_id;
	const char *filename;
	uint32_t present;
	uint32_t device_major, device_minor;
	uint32_t reserved;
	uint64_t inode;
};

struct precis_comm {
	uint32_t size;
	uint32_t pid, tid;
	uint32_t reserved;
};

struct precis_task {
	uint32_t size;
	uint32_t pid, parent_pid, tid, parent_tid;
	uint32_t reserved;
};

struct precis_lost {
	uint32_t size;
	uint32_t reserved;
	uint64_t id;
};

struct precis_lost_samples {
	uint32_t size;
	uint32_t reserved;
};

struct precis_throttle {
	uint32_t size;
	uint32_t reserved;
	uint64_t time;
	uint64_t id;
};

struct precis_read_record {
	uint32_t size;
	uint32_t pid, tid;
	uint32_t reserved;
	struct precis_read read;
};

#define PRECIS_AUX_TRUNCATED (UINT64_C(1) << 0)
#define PRECIS_AUX_OVERWRITE (UINT64_C(1) << 1)
#define PRECIS_AUX_PARTIAL (UINT64_C(1) << 2)
#define PRECIS_AUX_COLLISION (UINT64_C(1) << 3)
#define PRECIS_AUX_FORMAT_MASK UINT64_C(0xff00)

struct precis_aux {
	uint32_t size;
	uint32_t reserved;
	uint64_t aux_offset, aux_size;
};

struct precis_itrace_start {
	uint32_t size;
	uint32_t pid;
};

struct precis_aux_output_hw_id {
	uint32_t size;
	uint32_t reserved;
};

struct precis_switch {
	uint32_t size;
	uint32_t is_out;
	uint32_t is_preempt;
	uint32_t has_other;
	uint32_t other_pid;
};

struct precis_namespaces {
	uint32_t size;
	uint32_t pid, tid;
	uint32_t reserved;
	uint64_t count;
	struct precis_bytes entries;
};

struct precis_namespace {
	uint32_t size;
	uint32_t reserved;
	const char
		*name;
	uint64_t device;
};

enum precis_ksymbol_type {
	PRECIS_KSYMBOL_UNKNOWN = 0,
	PRECIS_KSYMBOL_BPF = 1,
	PRECIS_KSYMBOL_OUT_OF_LINE = 2
};
#define PRECIS_KSYMBOL_UNREGISTER 1u

struct precis_ksymbol {
	uint32_t size;
	uint32_t length;
	uint64_t addr;
	uint16_t type;
	uint16_t flags;
	uint32_t reserved;
};

enum precis_bpf_event_type {
	PRECIS_BPF_EVENT_UNKNOWN = 0,
	PRECIS_BPF_EVENT_LOAD = 1,
	PRECIS_BPF_EVENT_UNLOAD = 2
};
#define PRECIS_BPF_TAG_BYTES 8u

struct precis_bpf_event {
	uint32_t size;
	uint16_t type;
	uint16_t flags;
	uint32_t id;
	uint32_t reserved;
};

struct precis_cgroup {
	uint32_t size;
	uint32_t reserved;
	uint64_t id;
};

struct precis_text_poke {
	uint32_t size;
	uint32_t reserved;
	uint64_t addr;
	struct precis_bytes old_code;
};

struct precis_callchain_deferred {
	uint32_t size;
	uint32_t reserved;
	uint64_t cookie;
	uint64_t count;
};

PRECIS_API int precis_mmap_parse(const struct precis_record *record, struct precis_mmap *map);
PRECIS_API int precis_comm_parse(const struct precis_record *record, struct precis_comm *comm);
PRECIS_API int precis_task_parse(const struct precis_record *record, struct precis_task *task);
PRECIS_API int precis_lost_parse(const struct precis_record *record, struct precis_lost *lost);
PRECIS_API int precis_lost_samples_parse(const struct precis_record *record,
					 struct precis_lost_samples *lost);
PRECIS_API int precis_throttle_parse(const struct precis_record *record,
				     struct precis_throttle *throttle);
PRECIS_API int precis_aux_parse(const struct precis_record *record, struct precis_aux *aux);
PRECIS_API int precis_itrace_start_parse(const struct precis_record *record,
					 struct precis_itrace_start *start);
PRECIS_API int precis_aux_output_hw_id_parse(const struct precis_record *record,
					     struct precis_aux_output_hw_id *output);
PRECIS_API int precis_switch_parse(const struct precis_record *record,
				   struct precis_switch *context_switch);
PRECIS_API int precis_namespaces_parse(const struct precis_record *record,
				       struct precis_namespaces *namespaces);
PRECIS_API int precis_ksymbol_parse(const struct precis_record *record,
				    struct precis_ksymbol *symbol);
PRECIS_API int precis_bpf_event_parse(const struct precis_record *record,
				      struct precis_bpf_event *event);
PRECIS_API int precis_cgroup_parse(const struct precis_record *record,
				   struct precis_cgroup *cgroup);
PRECIS_API int precis_text_poke_parse(const struct precis_record *record,
				      struct precis_text_poke *poke);
PRECIS_API int precis_callchain_deferred_parse(const struct precis_record *record,
					       struct precis_callchain_deferred *deferred);

PRECIS_API int precis_read_record_parse(const struct precis_layout *layout,
					const struct precis_record *record,
					struct precis_read_record *read);

PRECIS_API int precis_namespace(const struct precis_namespaces *namespaces, uint64_t n,
				struct precis_namespace *entry);

PRECIS_END_DECLS

#endif
