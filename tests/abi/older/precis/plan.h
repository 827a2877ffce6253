#ifndef PRECIS_PLAN_H
#define PRECIS_PLAN_H

#include <precis/export.h>

PRECIS_BEGIN_DECLS

enum precis_plan_cause {
	PRECIS_PLAN_SAMPLE = 0,
	PRECIS_PLAN_INTERRUPT = 1,
	PRECIS_PLAN_WAKEUP = 2,
	PRECIS_PLAN_SIGNAL = 3,
	PRECIS_PLAN_BYTE = 4,
	PRECIS_PLAN_DISPLACED = 5
};
#define PRECIS_PLAN_CAUSES 6u
#define PRECIS_PLAN_CAPACITY 8u

enum precis_plan_knowledge {
	PRECIS_PLAN_UNKNOWN = 0,
	PRECIS_PLAN_KNOWN = 1,

	PRECIS_PLAN_MERGED = 2
};

enum precis_plan_source {
	PRECIS_PLAN_GIVEN = 0,
	PRECIS_PLAN_CALIBRATED = 1,
	PRECIS_PLAN_PUBLISHED = 2
};

struct precis_plan_estimate {
	double value, low, high;
};

struct precis_plan_cost {
	uint32_t size;
	uint32_t source;
	uint8_t knowledge[PRECIS_PLAN_CAPACITY];
	double ns[PRECIS_PLAN_CAPACITY];

	double covariance[PRECIS_PLAN_CAPACITY][PRECIS_PLAN_CAPACITY];

	double as[PRECIS_PLAN_CAPACITY][PRECIS_PLAN_CAPACITY];

	double between;

	double noise;
	double reach;

	double reader_delay_ns;
	char event[64];
	char cpu[64];
	char kernel[64];
	char governor[32];
	char made[32];
};

struct precis_plan_setup {
	uint32_t size;
	uint32_t cpus;
	uint64_t period;
	double random_start;
	double rate;
	double rate_deviation;
	double rate_peak;
	double seconds;
	double samples_per_interrupt;
	double interrupts_most;
	uint32_t record_bytes;
	uint32_t is_signalled;
	uint64_t ring_bytes;
	uint64_t watermark_bytes;
	uint64_t watermark_samples;
	double reader_delay_ns;
	double working_set_bytes;
};

#define PRECIS_PLAN_THROTTLED (1u << 0)
#define PRECIS_PLAN_SMALL_RING (1u << 1)
#define PRECIS_PLAN_LONG_INTERRUPT (1u << 2)
#define PRECIS_PLAN_NO_POLLUTION (1u << 3)

struct precis_plan_prediction {
	uint32_t size;
	uint32_t limits;

	uint32_t at_least;

	uint32_t at_most;
	struct precis_plan_estimate overhead;
	struct precis_plan_estimate run;
	double of_cause[PRECIS_PLAN_CAPACITY];
	struct precis_plan_estimate sample_ns;
	struct precis_plan_estimate samples;
	struct precis_plan_estimate bytes;
	struct precis_plan_estimate lost;
	double interrupts, wakeups;
};

struct precis_plan_wish {
	uint32_t size;
	uint32_t unit;
	double budget;
	double share;
	double error;
	double samples;
	double dependence;
	uint64_t period_least, period_most;
	uint64_t ring_most;
};

enum precis_plan_bound {
	PRECIS_PLAN_BY_BUDGET = 0,
	PRECIS_PLAN_BY_PRECISION = 1,
	PRECIS_PLAN_BY_THROTTLING = 2,
	PRECIS_PLAN_BY_EVENT = 3
};

enum precis_plan_ring_bound {

	PRECIS_PLAN_RING_BY_DELAY = 0,
	PRECIS_PLAN_RING_BY_WAKEUPS = 1,
	PRECIS_PLAN_RING_BY_LIMIT = 2,
	PRECIS_PLAN_RING_BY_PAGE = 3
};

struct precis_plan_advice {
	uint32_t size;
	uint32_t is_feasible;
	uint32_t bound;
	uint32_t ring_bound;
	uint64_t period;
	uint64_t ring_bytes, watermark_bytes;
	double samples_needed;

	double seconds_needed;
	double budget_needed;
};

struct precis_plan_fault {
	uint32_t size;
	uint32_t line;
	uint64_t offset;
};

PRECIS_API const char *precis_plan_cause_name(uint32_t cause);

PRECIS_API int precis_plan_published(uint32_t n, struct precis_plan_cost *cost);

PRECIS_API int precis_plan_parse(const char *text, size_t bytes, uint32_t n,
				 struct precis_plan_cost *cost, struct precis_plan_fault *fault);

PRECIS_API int precis_plan_predict(const struct precis_plan_cost *cost,
				   const struct precis_plan_setup *setup,
				   struct precis_plan_prediction *prediction);

PRECIS_API int precis_plan_advise(const struct precis_plan_cost *cost,
				  const struct precis_plan_setup *setup,
				  const struct precis_plan_wish *wish,
				  struct precis_plan_advice *advice);

PRECIS_API double precis_plan_samples(double share, double error, double dependence);

PRECIS_API uint64_t precis_plan_period(uint64_t least, uint64_t unit);

PRECIS_API int precis_plan_is_prime(uint64_t number);

PRECIS_API uint32_t precis_plan_record_bytes(uint64_t sample_type, uint32_t raw_bytes,
					     uint32_t frames, uint32_t registers,
					     uint32_t branches, uint32_t stack_bytes);

PRECIS_API uint32_t precis_plan_large_pebs(uint32_t pebs_bytes);

PRECIS_API uint64_t precis_plan_ends_large_pebs(uint64_t sample_type);

PRECIS_END_DECLS

#endif
