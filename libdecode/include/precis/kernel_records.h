/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bodies of the kernel's records other than SAMPLE: one struct and one
 * parser each, all of one shape.
 *
 * A parser takes a record that precis_record_at() or precis_file_next() gave
 * and fills the caller's struct, whose 'size' must be set. Strings and views
 * point into the record and live as long as it. Nothing is allocated. The
 * sample_id that ends these records (time, cpu, …) is precis_sample_id_parse()'s.
 *
 * Every parser returns 0, or
 *   PRECIS_E_ARGUMENT   a null pointer, a struct whose size is not set, a record
 *                       of another type;
 *   PRECIS_E_TRUNCATED  the body ends too early, holds fewer entries than it
 *                       says, or has a string without a NUL;
 *   PRECIS_E_BAD_SIZE   a size in the body contradicts its place.
 * What a failed parser leaves in the struct means nothing.
 *
 * Source: include/uapi/linux/perf_event.h of Linux 7.3, enum perf_event_type.
 */
#ifndef PRECIS_KERNEL_RECORDS_H
#define PRECIS_KERNEL_RECORDS_H

#include <precis/export.h>
#include <precis/record.h>
#include <precis/sample_parts.h>

PRECIS_BEGIN_DECLS

/* Members of a precis_mmap that not every record has */
#define PRECIS_MMAP_PROTECTION (1u << 0) /* protection and flags: MMAP2 */
#define PRECIS_MMAP_INODE (1u << 1) /* device and inode: MMAP2 without a build id */
#define PRECIS_MMAP_BUILD_ID (1u << 2) /* build_id: MMAP2 with one (Linux 5.12) */

/** An executable or data mapping: MMAP and MMAP2. PRECIS_MISC_MMAP_DATA: not executable. */
struct precis_mmap {
	uint32_t size; /* sizeof(struct precis_mmap), set by the caller */
	uint32_t pid, tid; /* pid UINT32_MAX: the kernel's own */
	uint32_t build_id_bytes; /* 0 where the record has none */
	uint64_t addr, length, page_offset; /* bytes */
	uint32_t protection, flags; /* PROT_*, MAP_*; 0 where they are not present */
	const uint8_t *build_id; /* NULL where the record has none */
	const char *filename;
	uint32_t present; /* PRECIS_MMAP_* */
	uint32_t device_major, device_minor;
	uint32_t reserved;
	uint64_t inode, inode_generation;
};

/** A task's name: COMM. PRECIS_MISC_COMM_EXEC: by exec(2). */
struct precis_comm {
	uint32_t size; /* sizeof(struct precis_comm), set by the caller */
	uint32_t pid, tid;
	uint32_t reserved;
	const char *name;
};

/** FORK and EXIT. */
struct precis_task {
	uint32_t size; /* sizeof(struct precis_task), set by the caller */
	uint32_t pid, parent_pid, tid, parent_tid;
	uint32_t reserved;
	uint64_t time; /* ns */
};

/** Records that the kernel dropped because the ring buffer was full: LOST. */
struct precis_lost {
	uint32_t size; /* sizeof(struct precis_lost), set by the caller */
	uint32_t reserved;
	uint64_t id; /* of the event whose record was written next, when there was room again */
	uint64_t lost;
};

/** Samples that were never written, in the PMU or by the recorder's count: LOST_SAMPLES. */
struct precis_lost_samples {
	uint32_t size; /* sizeof(struct precis_lost_samples), set by the caller */
	uint32_t reserved;
	uint64_t lost;
};

/** The event was stopped for sampling too often, or let go again: THROTTLE, UNTHROTTLE. */
struct precis_throttle {
	uint32_t size; /* sizeof(struct precis_throttle), set by the caller */
	uint32_t reserved;
	uint64_t time; /* ns */
	uint64_t id, stream_id;
};

/** The counts of a task that ends, of an event with attr.inherit_stat: READ. */
struct precis_read_record {
	uint32_t size; /* sizeof(struct precis_read_record), set by the caller */
	uint32_t pid, tid;
	uint32_t reserved;
	struct precis_read read; /* its size need not be set */
};

/* Flags of AUX (PERF_AUX_FLAG_*) */
#define PRECIS_AUX_TRUNCATED (UINT64_C(1) << 0)
#define PRECIS_AUX_OVERWRITE (UINT64_C(1) << 1)
#define PRECIS_AUX_PARTIAL (UINT64_C(1) << 2)
#define PRECIS_AUX_COLLISION (UINT64_C(1) << 3)
#define PRECIS_AUX_FORMAT_MASK UINT64_C(0xff00) /* the PMU's own format number */

/** New bytes in the AUX area: AUX. */
struct precis_aux {
	uint32_t size; /* sizeof(struct precis_aux), set by the caller */
	uint32_t reserved;
	uint64_t aux_offset, aux_size; /* bytes */
	uint64_t flags; /* PRECIS_AUX_* */
};

/** Who is traced from here on: ITRACE_START. */
struct precis_itrace_start {
	uint32_t size; /* sizeof(struct precis_itrace_start), set by the caller */
	uint32_t pid, tid;
};

/** Which hardware event ids in the AUX area are this event's: AUX_OUTPUT_HW_ID (Linux 5.16). */
struct precis_aux_output_hw_id {
	uint32_t size; /* sizeof(struct precis_aux_output_hw_id), set by the caller */
	uint32_t reserved;
	uint64_t hw_id; /* the PMU's own */
};

/** A context switch: SWITCH (the task itself is the sample_id's) and SWITCH_CPU_WIDE. */
struct precis_switch {
	uint32_t size; /* sizeof(struct precis_switch), set by the caller */
	uint32_t is_out; /* 1: the task stops running, 0: it starts */
	uint32_t is_preempt; /* 1: it stops though it could run on (Linux 4.17) */
	uint32_t has_other; /* 1: 'other_pid' and 'other_tid' are there (SWITCH_CPU_WIDE) */
	uint32_t other_pid, other_tid; /* who runs next if 'is_out', else who ran before */
};

/** A task's namespaces: NAMESPACES (Linux 4.12). */
struct precis_namespaces {
	uint32_t size; /* sizeof(struct precis_namespaces), set by the caller */
	uint32_t pid, tid;
	uint32_t reserved;
	uint64_t count;
	struct precis_bytes entries; /* for precis_namespace() */
};

/** One of them. */
struct precis_namespace {
	uint32_t size; /* sizeof(struct precis_namespace), set by the caller */
	uint32_t reserved;
	const char
		*name; /* "net", "uts", "ipc", "pid", "user", "mnt", "cgroup"; NULL if not known */
	uint64_t device, inode;
};

/** What code a KSYMBOL is (PERF_RECORD_KSYMBOL_TYPE_*). */
enum precis_ksymbol_type {
	PRECIS_KSYMBOL_UNKNOWN = 0,
	PRECIS_KSYMBOL_BPF = 1,
	PRECIS_KSYMBOL_OUT_OF_LINE = 2
};
#define PRECIS_KSYMBOL_UNREGISTER 1u

/** A kernel symbol that came or went: KSYMBOL (Linux 5.1). */
struct precis_ksymbol {
	uint32_t size; /* sizeof(struct precis_ksymbol), set by the caller */
	uint32_t length; /* bytes of code */
	uint64_t addr;
	uint16_t type; /* enum precis_ksymbol_type, or a newer number */
	uint16_t flags; /* PRECIS_KSYMBOL_UNREGISTER */
	uint32_t reserved;
	const char *name;
};

/** What happened to a BPF program (enum perf_bpf_event_type). */
enum precis_bpf_event_type {
	PRECIS_BPF_EVENT_UNKNOWN = 0,
	PRECIS_BPF_EVENT_LOAD = 1,
	PRECIS_BPF_EVENT_UNLOAD = 2
};
#define PRECIS_BPF_TAG_BYTES 8u

/** A BPF program came or went: BPF_EVENT (Linux 5.1). */
struct precis_bpf_event {
	uint32_t size; /* sizeof(struct precis_bpf_event), set by the caller */
	uint16_t type; /* enum precis_bpf_event_type, or a newer number */
	uint16_t flags; /* none defined */
	uint32_t id; /* of the program */
	uint32_t reserved;
	const uint8_t *tag; /* PRECIS_BPF_TAG_BYTES of it */
};

/** The path of a cgroup id: CGROUP (Linux 5.7). */
struct precis_cgroup {
	uint32_t size; /* sizeof(struct precis_cgroup), set by the caller */
	uint32_t reserved;
	uint64_t id;
	const char *path;
};

/** Kernel code that was changed while it ran: TEXT_POKE (Linux 5.9). */
struct precis_text_poke {
	uint32_t size; /* sizeof(struct precis_text_poke), set by the caller */
	uint32_t reserved;
	uint64_t addr;
	struct precis_bytes old_code, new_code; /* bytes 0 where there is none */
};

/** The user part of a callchain that a sample only announced: CALLCHAIN_DEFERRED (Linux 6.19). */
struct precis_callchain_deferred {
	uint32_t size; /* sizeof(struct precis_callchain_deferred), set by the caller */
	uint32_t reserved;
	uint64_t cookie; /* that of the sample, behind its marker */
	uint64_t count;
	struct precis_bytes callchain; /* for precis_callchain_entry() */
};

/** Each takes a record of its type apart. @return 0, or an error: see the head of this file */
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

/**
 * READ, whose counts are laid out as the event's read_format says.
 *
 * @param layout  of the event that the record belongs to
 * @return as the others; PRECIS_E_UNKNOWN_BITS if read_format has bits that are not known
 */
PRECIS_API int precis_read_record_parse(const struct precis_layout *layout,
					const struct precis_record *record,
					struct precis_read_record *read);

/** Namespace n of a NAMESPACES record. @return 0; PRECIS_E_ARGUMENT if there is none */
PRECIS_API int precis_namespace(const struct precis_namespaces *namespaces, uint64_t n,
				struct precis_namespace *entry);

PRECIS_END_DECLS

#endif
