// SPDX-License-Identifier: BSD-3-Clause
/*
 * Records, one after the other. Layouts: include/uapi/linux/perf_event.h of Linux 6.1; spec bits of AMD's
 * stacks: arch/x86/events/amd/lbr.c; registers of an op: IBS in AMD's APM, volume 2.
 */
#include "recording.h"

#include <linux/perf_event.h>
#include <precis/ibs.h>
#include <precis/precis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mapped_files.h"
#include "tests/support/build.h"

#define IBS_OP_TYPE 11u
#define IBS_CAPS 0xbffu        /* of Zen 4 */
#define CNT_CTL (UINT64_C(1) << 19)
#define TAKEN_ON_INTEL 0x20c4u /* BR_INST_RETIRED.NEAR_TAKEN */
#define TAKEN_ON_AMD 0xc4u     /* ex_ret_brn_tkn */
#define RETIRED_ON_ARM 0x21u /* BR_RETIRED: taken or not */

#define NEOVERSE "0x00000000411fd490" /* MIDR of a Neoverse N2, as perf writes it */

enum { SAMPLES, STACKS };

#define COMMON_TYPE \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
	 PERF_SAMPLE_PERIOD)
#define TYPE_BIT 20 /* of an entry's flags */
#define SPEC_BIT 24
#define PRIV_BIT 30
#define PRIVILEGE_SAVED                                                                            \
	(1u << 18) /* PERF_SAMPLE_BRANCH_PRIV_SAVE and PERF_BR_PRIV_USER, of Linux 6.1 */
#define PRIVILEGE_USER UINT64_C(1)

/* Records of samples, to be put into the order of time */
struct record {
	uint64_t time, number;
	size_t at;
	uint16_t bytes;
};

struct recording {
	const struct truth *truth;
	const struct simulated *how;
	struct precis_writer *writer;
	struct build *build;
	uint8_t *bytes;
	size_t used, room;
	struct record *records;
	size_t count, record_room;
};

static uint64_t address_of(const struct recording *recording, uint32_t instruction)
{
	return recording->truth->instructions[instruction].address;
}

static int is_amd(const struct simulated *how)
{
	return how->source == SIMULATED_IBS || how->stack != SIMULATED_LBR;
}

static void *doubled(void *array, size_t *room, size_t wanted, size_t size)
{
	size_t more = *room ? *room : 4096;

	if (wanted <= *room)
		return array;
	while (more < wanted)
		more *= 2;
	array = realloc(array, more * size);
	if (!array)
		abort();
	*room = more;
	return array;
}

static int keep(struct recording *recording, uint64_t time)
{
	const struct build *build = recording->build;

	recording->bytes = doubled(recording->bytes, &recording->room, recording->used + build->count, 1);
	recording->records = doubled(recording->records, &recording->record_room, recording->count + 1,
				     sizeof(*recording->records));
	memcpy(recording->bytes + recording->used, build->bytes, build->count);
	recording->records[recording->count] = (struct record){ .time = time, .number = recording->count,
								.at = recording->used,
								.bytes = (uint16_t)build->count };
	recording->used += build->count;
	recording->count++;
	return 0;
}

static void begin_sample(struct recording *recording, const struct simulated_event *event, uint64_t id,
			 int is_exact)
{
	struct build *build = recording->build;

	build_begin(build, PERF_RECORD_SAMPLE,
		    (uint16_t)(PERF_RECORD_MISC_USER | (is_exact ? PERF_RECORD_MISC_EXACT_IP : 0)));
	build_u64(build, id);
	build_u64(build, address_of(recording, event->instruction));
	build_u32(build, RECORDING_PID);
	build_u32(build, RECORDING_PID);
	build_u64(build, RECORDING_BEGUN + event->time);
	build_u64(build, 0); /* CPU */
	build_u64(build, event->period);
}

static int put_sample(void *data, const struct simulated_event *event)
{
	struct recording *recording = data;

	begin_sample(recording, event, SAMPLES + 1, 1);
	build_end(recording->build);
	return keep(recording, event->time);
}

static int is_arm(const struct recording *recording)
{
	return recording->truth->bits == PRECIS_CODE_AARCH64;
}

/* As BRBE's driver has them */
static uint64_t arm_type_of(const struct recording *recording, const struct simulated_branch *entry)
{
	const uint32_t does = recording->truth->instructions[entry->from].does;

	if (does & PRECIS_CODE_RETURN)
		return PERF_BR_RET;
	if (does & PRECIS_CODE_CALL)
		return does & PRECIS_CODE_TARGET ? PERF_BR_CALL : PERF_BR_IND_CALL;
	if (does & PRECIS_CODE_CONDITIONAL)
		return PERF_BR_COND;
	return does & PRECIS_CODE_TARGET ? PERF_BR_UNCOND : PERF_BR_IND;
}

static uint64_t flags_of(const struct recording *recording, const struct simulated_branch *entry)
{
	const uint64_t is_predicted = 2;

	if (is_arm(recording))
		return is_predicted | arm_type_of(recording, entry) << TYPE_BIT |
		       PRIVILEGE_USER << PRIV_BIT;
	if (recording->how->stack == SIMULATED_BRS)
		return 0; /* it knows nothing but addresses */
	if (recording->how->stack == SIMULATED_LBR)
		return is_predicted | UINT64_C(5) << 4; /* cycles */
	return is_predicted | (uint64_t)(entry->is_wrong_path ? PRECIS_SPECULATION_WRONG_PATH
							      : PRECIS_SPECULATION_CORRECT_PATH)
				      << SPEC_BIT;
}

static int put_stack(void *data, const struct simulated_event *event, const struct simulated_branch *entries,
		     uint32_t count)
{
	struct recording *recording = data;

	begin_sample(recording, event, STACKS + 1, 0);
	build_u64(recording->build, count);
	for (uint32_t n = 0; n < count; n++) {
		build_u64(recording->build, address_of(recording, entries[n].from));
		build_u64(recording->build, address_of(recording, entries[n].to));
		build_u64(recording->build, flags_of(recording, &entries[n]));
	}
	build_end(recording->build);
	return keep(recording, event->time);
}

static uint64_t bit(int is_set, unsigned int number)
{
	return (uint64_t)(is_set != 0) << number;
}

static void fill_op(const struct recording *recording, const struct simulated_event *event,
		    const struct simulated_branch *branch, struct precis_ibs_op *op)
{
	const struct truth_instruction *what = &recording->truth->instructions[event->instruction];

	*op = (struct precis_ibs_op){ .size = sizeof(*op), .caps = IBS_CAPS };
	op->op_ctl = event->period >> 4 | bit(1, 17) | bit(1, 18) | CNT_CTL;
	op->op_rip = what->address;
	op->op_data = 3 | UINT64_C(20) << 16; /* cycles from completion, and from tagging, to retirement */
	if (!branch)
		return;
	op->op_data |= bit(what->does & PRECIS_CODE_RETURN, 34) | bit(branch->is_taken, 35) | bit(1, 37) |
		       bit(branch->is_fused, 39);
	op->br_target = address_of(recording, branch->to);
}

static int put_op(void *data, const struct simulated_event *event, const struct simulated_branch *branch)
{
	struct recording *recording = data;
	struct precis_ibs_op op;
	uint8_t payload[PRECIS_IBS_PAYLOAD_MAX];
	int bytes;

	fill_op(recording, event, branch, &op);
	bytes = precis_ibs_op_encode(&op, payload);
	if (bytes < 0)
		return -1;
	begin_sample(recording, event, SAMPLES + 1, 1);
	build_u32(recording->build, (uint32_t)bytes);
	build_bytes(recording->build, payload, (size_t)bytes);
	build_end(recording->build);
	return keep(recording, event->time);
}

static void set_common(struct perf_event_attr *attr, uint64_t period)
{
	attr->size = sizeof(*attr);
	attr->sample_type = COMMON_TYPE;
	attr->sample_period = period;
	attr->exclude_kernel = attr->exclude_hv = attr->exclude_guest = 1;
	attr->sample_id_all = 1;
	attr->read_format = PERF_FORMAT_ID;
}

/* The first event of a recording is the one that mappings and names come by. */
static int add_samples_event(struct recording *recording)
{
	const struct simulated *how = recording->how;
	const int is_ibs = how->source == SIMULATED_IBS;
	const uint64_t id = SAMPLES + 1;
	struct perf_event_attr attr = { .type = is_ibs ? IBS_OP_TYPE : PERF_TYPE_HARDWARE,
					.config = is_ibs ? CNT_CTL : PERF_COUNT_HW_INSTRUCTIONS };

	set_common(&attr, is_ibs ? simulated_ops_period(recording->truth, how)
				 : recording->truth->executed / how->samples);
	attr.precise_ip = is_ibs ? 0 : how->source == SIMULATED_EXACT ? 3 : 2;
	attr.sample_type |= is_ibs ? PERF_SAMPLE_RAW : 0;
	attr.mmap = attr.mmap2 = attr.comm = attr.task = attr.build_id = 1;
	return precis_writer_event(recording->writer, &attr, sizeof(attr), &id, 1,
				   is_ibs			   ? "ibs_op/cnt_ctl=1/u"
				   : how->source == SIMULATED_EXACT ? "instructions:uppp"
								    : "instructions:upp");
}

static int add_stacks_event(struct recording *recording)
{
	const struct simulated *how = recording->how;
	const uint64_t id = STACKS + 1;
	struct perf_event_attr attr = { .type = PERF_TYPE_RAW,
					.config = is_amd(how) ? TAKEN_ON_AMD : TAKEN_ON_INTEL };

	set_common(&attr, recording->truth->taken / how->stacks);
	attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
	if (is_arm(recording)) {
		attr.config = RETIRED_ON_ARM;
		attr.branch_sample_type |= PERF_SAMPLE_BRANCH_TYPE_SAVE | PRIVILEGE_SAVED;
	}
	return precis_writer_event(recording->writer, &attr, sizeof(attr), &id, 1,
				   is_arm(recording) ? "br_retired:u"
				   : is_amd(how)     ? "cpu/event=0xc4/u"
						     : "cpu/event=0xc4,umask=0x20/u");
}

static int add_features(struct recording *recording)
{
	static const char *const cpus[] = { "AuthenticAMD,25,17,1", "AuthenticAMD,25,1,1",
					    "GenuineIntel,6,85,4", "GenuineIntel,6,62,4" };
	const struct simulated *how = recording->how;
	const int cpu = is_amd(how) ? how->stack == SIMULATED_BRS : how->depth == 32 ? 2 : 3;
	struct precis_writer *writer = recording->writer;
	char depth[12];
	int error = precis_writer_string(writer, PRECIS_FEATURE_OSRELEASE, "6.1.0");

	snprintf(depth, sizeof(depth), "%u", how->depth);
	if (!error)
		error = precis_writer_string(writer, PRECIS_FEATURE_ARCH,
					     is_arm(recording) ? "aarch64" : "x86_64");
	if (!error)
		error = precis_writer_string(writer, PRECIS_FEATURE_CPUID,
					     is_arm(recording) ? NEOVERSE : cpus[cpu]);
	if (!error)
		error = precis_writer_pmu(writer, PERF_TYPE_RAW, "cpu");
	if (!error && is_amd(how))
		error = precis_writer_pmu(writer, IBS_OP_TYPE, "ibs_op");
	if (!error && is_amd(how) && how->stack != SIMULATED_BRS)
		error = precis_writer_pmu_cap(writer, "ibs_op", "zen4_ibs_extensions", "1");
	if (!error && how->depth)
		error = precis_writer_pmu_cap(writer, "cpu", "branches", depth);
	return error;
}

/* What records other than samples end with: TID, TIME, CPU, IDENTIFIER */
static int put_record(struct recording *recording)
{
	struct build *build = recording->build;

	build_u32(build, RECORDING_PID);
	build_u32(build, RECORDING_PID);
	build_u64(build, RECORDING_BEGUN);
	build_u64(build, 0);
	build_u64(build, SAMPLES + 1);
	build_end(build);
	return precis_writer_record(recording->writer, build->bytes, build->count);
}

static int put_comm(struct recording *recording, const char *name)
{
	char comm[16];

	snprintf(comm, sizeof(comm), "%s", name);
	build_begin(recording->build, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	build_u32(recording->build, RECORDING_PID);
	build_u32(recording->build, RECORDING_PID);
	build_name(recording->build, comm);
	return put_record(recording);
}

static int put_mapping(struct recording *recording, const struct mapped_file *file)
{
	struct build *build = recording->build;

	build_begin(build, PERF_RECORD_MMAP2,
		    (uint16_t)(PERF_RECORD_MISC_USER |
			       (file->build_id_bytes ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0)));
	build_u32(build, RECORDING_PID);
	build_u32(build, RECORDING_PID);
	build_u64(build, file->start);
	build_u64(build, file->end - file->start);
	build_u64(build, file->offset);
	build_u32(build, file->build_id_bytes);
	build_bytes(build, file->build_id, sizeof(file->build_id));
	build_u32(build, 5); /* PROT_READ | PROT_EXEC */
	build_u32(build, 2); /* MAP_PRIVATE */
	build_name(build, file->path);
	return put_record(recording);
}

static int by_time(const void *a, const void *b)
{
	const struct record *left = a, *right = b;

	if (left->time != right->time)
		return left->time < right->time ? -1 : 1;
	return left->number < right->number ? -1 : 1;
}

static int put_samples(struct recording *recording)
{
	const struct simulated_sink sink = { recording, put_sample, put_stack, put_op };
	int error = 0;

	if (simulate(recording->truth, recording->how, &sink) < 0)
		return PRECIS_E_ARGUMENT;
	qsort(recording->records, recording->count, sizeof(*recording->records), by_time);
	for (size_t n = 0; n < recording->count && !error; n++)
		error = precis_writer_record(recording->writer,
					     recording->bytes + recording->records[n].at,
					     recording->records[n].bytes);
	return error;
}

static int put_all(struct recording *recording, const char *name, const struct mapped_file *files, int count)
{
	const struct simulated *how = recording->how;
	int error = how->samples ? add_samples_event(recording) : 0;

	if (!error && how->stacks && how->depth)
		error = add_stacks_event(recording);
	if (!error)
		error = add_features(recording);
	if (!error)
		error = put_comm(recording, name);
	for (int n = 0; n < count && !error; n++)
		error = put_mapping(recording, &files[n]);
	return error ? error : put_samples(recording);
}

int recording_write(const char *path, const struct truth *truth, const struct simulated *how,
		    const char *name, const char *maps)
{
	static struct build build;
	struct recording recording = { .truth = truth, .how = how, .build = &build };
	struct mapped_file *files;
	const int count = mapped_files(maps, truth, &files);
	int error, closed;

	if (count < 0) {
		fprintf(stderr, "%s: code lies where no file is mapped\n", maps);
		return -1;
	}
	error = precis_writer_open(path, &recording.writer);
	if (!error) {
		error = put_all(&recording, name, files, count);
		closed = precis_writer_close(recording.writer);
		error = error ? error : closed;
	}
	if (error)
		fprintf(stderr, "%s: %s\n", path, precis_strerror(error));
	free(files);
	free(recording.bytes);
	free(recording.records);
	return error ? -1 : 0;
}
