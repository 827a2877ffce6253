#ifndef PRECIS_LOSS_H
#define PRECIS_LOSS_H

#include <precis/file.h>

PRECIS_BEGIN_DECLS

#define PRECIS_LOSS_NONE UINT32_MAX

#define PRECIS_LOSS_ANY (UINT32_MAX - 1)

#define PRECIS_LOSS_UNCOUNTED UINT64_MAX

struct precis_loss {
	uint32_t size;
	uint32_t event;
	uint32_t cpu;
	uint32_t is_rest;

	uint64_t lost_records;
	uint64_t lost;
	uint64_t counted;
	uint64_t counters_ignored;

	uint64_t lost_samples_records;
	uint64_t lost_samples;
	uint64_t filtered;

	uint64_t aux_truncated, aux_truncated_bytes;
	uint64_t aux_partial, aux_partial_bytes;
	uint64_t aux_collisions, aux_collision_bytes;

	uint64_t throttle;
	uint64_t unthrottle;
	uint64_t spans;
	uint64_t throttled_ns;
	uint64_t longest_ns;
	uint64_t open;
	uint64_t open_ns;
	uint64_t unfinished;
	uint64_t unmatched;
};

#define PRECIS_THREAD_NAME_BYTES 16

struct precis_loss_thread {
	uint32_t size;
	uint32_t tid;
	char name[PRECIS_THREAD_NAME_BYTES];
};

enum precis_loss_by_thread {

	PRECIS_LOSS_THREADS_UNTOLD = 0,

	PRECIS_LOSS_THREADS_NONE = 1,

	PRECIS_LOSS_THREADS_THROTTLED = 2,

	PRECIS_LOSS_THREADS_COUNTED = 3,

	PRECIS_LOSS_THREADS_ALL = 4
};

struct precis_throttled_share {
	uint32_t size;
	uint32_t ids;
	uint64_t throttled_ns;
	uint64_t recorded_ns;
};

enum precis_loss_knowledge {
	PRECIS_LOSS_UNKNOWN = 0,
	PRECIS_LOSS_REPORTED = 1,
	PRECIS_LOSS_COUNTED = 2
};

PRECIS_API uint32_t precis_file_loss_count(const struct precis_file *file);

PRECIS_API int precis_file_loss(const struct precis_file *file, uint32_t n,
				struct precis_loss *loss);

PRECIS_API int precis_file_loss_sum(const struct precis_file *file, uint32_t event, uint32_t cpu,
				    struct precis_loss *loss);

PRECIS_API int precis_file_throttled_share(const struct precis_file *file, uint32_t event,
					   uint32_t cpu, struct precis_throttled_share *share);

PRECIS_API uint32_t precis_file_loss_thread_count(const struct precis_file *file);

PRECIS_API int precis_file_loss_thread(const struct precis_file *file, uint32_t n,
				       struct precis_loss *loss,
				       struct precis_loss_thread *thread);

PRECIS_API int precis_file_loss_by_thread(const struct precis_file *file, uint32_t event);

PRECIS_API int precis_file_loss_knowledge(const struct precis_file *file, uint32_t event);

PRECIS_END_DECLS

#endif
