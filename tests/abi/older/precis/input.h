#ifndef PRECIS_INPUT_H
#define PRECIS_INPUT_H

#include <precis/export.h>
#include <precis/file.h>
#include <precis/pebs_pt_samples.h>
#include <precis/pebs_sample.h>

PRECIS_BEGIN_DECLS

struct precis_input;

struct precis_pebs_dump {
	uint32_t size;
	uint32_t format;
	const struct precis_pebs_machine *machine;
	uint64_t skip;
	uint64_t count;
	uint32_t has_count;
};

struct precis_input_options {
	uint32_t size;
	uint32_t without_traces;
	const struct precis_file_options *file;
	const struct precis_pebs_dump *dump;
};

enum precis_item_kind {
	PRECIS_ITEM_RECORD = 1,
	PRECIS_ITEM_SAMPLE = 2
};

struct precis_item {
	uint32_t size;
	uint32_t kind;

	uint64_t offset;
	const struct precis_record *record;
	const struct precis_event *event;
	const struct precis_pebs *pebs;
	const struct precis_pebs_groups *groups;
};

PRECIS_API int precis_input_open(const char *path, const struct precis_input_options *options,
				 struct precis_input **input, struct precis_file_error *error);

PRECIS_API int precis_input_open_fd(int fd, const struct precis_input_options *options,
				    struct precis_input **input, struct precis_file_error *error);

PRECIS_API void precis_input_close(struct precis_input *input);

PRECIS_API int precis_input_next(struct precis_input *input, const struct precis_item **item);

PRECIS_API int precis_input_sample(struct precis_input *input, const uint64_t *wanted,
				   struct precis_perf_sample *perf, struct precis_sample *sample);

#define PRECIS_INPUT_RUN 64u

struct precis_input_run {
	uint32_t size;
	uint32_t count;
	const struct precis_event *event;

	const struct precis_ibs_op *ops;
	const struct precis_ibs_fetch *fetches;
};

static inline const struct precis_ibs_op *precis_input_run_op(const struct precis_input_run *run,
							      uint32_t n)
{
	return (const struct precis_ibs_op *)(const void *)((const char *)run->ops +
							    (size_t)n * run->ops->size);
}

static inline const struct precis_ibs_fetch *
precis_input_run_fetch(const struct precis_input_run *run, uint32_t n)
{
	return (const struct precis_ibs_fetch *)(const void *)((const char *)run->fetches +
							       (size_t)n * run->fetches->size);
}

PRECIS_API int precis_input_take_run(struct precis_input *input, const uint64_t *wanted,
				     uint32_t most, uint64_t until, struct precis_input_run *run);

PRECIS_API int precis_input_run_columns(struct precis_input *input, const uint32_t *fields,
					uint32_t count, uint64_t *const *values,
					uint64_t *const *present);

PRECIS_API int precis_input_run_sample(struct precis_input *input, uint32_t n,
				       const uint64_t *wanted, struct precis_sample *sample);

PRECIS_API uint64_t precis_input_pass(struct precis_input *input, uint64_t until);

PRECIS_API int precis_input_origin(const struct precis_input *input,
				   struct precis_pebs_pt_origin *origin);

PRECIS_API int precis_input_rewind(struct precis_input *input);

PRECIS_API struct precis_file *precis_input_file(const struct precis_input *input);

PRECIS_API uint32_t precis_input_event_count(const struct precis_input *input);

PRECIS_API const struct precis_event *precis_input_event(const struct precis_input *input,
							 uint32_t n);

PRECIS_API const struct precis_cpu *precis_input_cpu(const struct precis_input *input);

PRECIS_API uint64_t precis_input_position(const struct precis_input *input);

PRECIS_API const struct precis_file_error *
precis_input_last_error(const struct precis_input *input);

struct precis_input_counts {
	uint32_t size;
	uint32_t reserved;
	uint64_t records;
	uint64_t samples;
};

PRECIS_API int precis_input_counts(const struct precis_input *input,
				   struct precis_input_counts *counts);

enum precis_input_fault_kind {

	PRECIS_INPUT_FAULT_UNREAD = 0,

	PRECIS_INPUT_FAULT_UNDECODABLE = 1,

	PRECIS_INPUT_FAULT_NO_PAYLOAD = 2,

	PRECIS_INPUT_FAULT_TRACE = 3,
	PRECIS_INPUT_FAULT_COUNT = 4
};

struct precis_input_fault {
	uint32_t size;
	int32_t code;
	uint64_t count;
	uint64_t offset;
	const struct precis_event *event;
};

PRECIS_API int precis_input_fault(const struct precis_input *input, uint32_t kind,
				  struct precis_input_fault *fault);

PRECIS_API int precis_input_traces(const struct precis_input *input,
				   struct precis_pebs_pt_counts *counts);

PRECIS_END_DECLS

#endif
