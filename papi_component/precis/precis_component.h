/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the component offer each other. Each group is a file: precis_NAME.c. */
#ifndef PRECIS_COMPONENT_H
#define PRECIS_COMPONENT_H

#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "papi.h"
#include "papi_internal.h"
#include "papi_vector.h"
#include "threads.h"

#include <precis/papi.h>
#include <precis/amd.h>
#include <precis/decoder.h>
#include <precis/ibs.h>
#include <precis/intel.h>
#include <precis/pebs_sample.h>
#include <precis/record.h>
#include <precis/ring.h>
#include <precis/sample.h>

/* Positions in an overflow vector */
#define PRECIS_COUNTERS_MOST 64

extern papi_vector_t _precis_vector;

/* precis_errors.c: the thread's reason for its last failure */

/* Note a reason; returns 'code'. Not in a signal handler. */
int precis_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What perf_event_open(2) said of an event */
struct precis_request;
int precis_fail_open(int error, const struct precis_request *request);

/* precis_machine.c: what this machine and its kernel have */

struct precis_machine {
	struct precis_cpu cpu;
	char os_release[65];
	int paranoid; /* kernel.perf_event_paranoid; INT_MAX: no perf events */
	const char *sysfs; /* where PMUs are: /sys/bus/event_source/devices, or PRECIS_SYSFS */
};

const struct precis_machine *precis_machine(void);
/* (Linux version) major * 1000 + minor of the running kernel */
uint32_t precis_machine_linux(void);

/* precis_pmu.c: PMUs in sysfs */

/* @return the PMU's attr.type; -1 if there is no such PMU */
int64_t precis_pmu_type(const char *pmu);
/*
 * Put a value into an attr where the PMU's format says ("config1:0-11,32").
 * @return 0, -1 if the PMU has no such format, -2 if the value does not fit
 */
int precis_pmu_set(const char *pmu, const char *format, uint64_t value,
		   struct perf_event_attr *attr);
int precis_pmu_has(const char *pmu, const char *format);
/* An event that sysfs names, "mem-loads": sets config words. @return 0, -1 */
int precis_pmu_event(const char *pmu, const char *event, struct perf_event_attr *attr);

/* precis_events.c: the table of events, and the codes of events with qualifiers */

#define PRECIS_QUALIFIERS_MOST 8
#define PRECIS_NAME_BYTES 256

struct precis_qualifier {
	const char *name;
	const char *format; /* of the PMU in sysfs; NULL: the component's own */
	const char *meaning;
};

enum precis_event_id {
#define PRECIS_PAPI_EVENT(id, name, family, pmu, meaning) PRECIS_PAPI_EVENT_##id,
#include "precis_events.def"
#undef PRECIS_PAPI_EVENT
	PRECIS_PAPI_EVENT_COUNT,
	PRECIS_PAPI_EVENT_PFM = PRECIS_PAPI_EVENT_COUNT /* by its name in libpfm4 */
};

enum precis_family {
	PRECIS_FAMILY_SOFTWARE,
	PRECIS_FAMILY_BREAKPOINT,
	PRECIS_FAMILY_IBS_OP,
	PRECIS_FAMILY_IBS_FETCH,
	PRECIS_FAMILY_INTEL_MEMORY,
	PRECIS_FAMILY_PFM
};

struct precis_event_row {
	const char *name;
	enum precis_family family;
	const char *pmu; /* NULL: none in sysfs */
	const char *meaning;
};

/* An event with its qualifiers, as somebody asked for it. They live as long as the component. */
struct precis_named_event {
	uint32_t id; /* enum precis_event_id */
	uint32_t has; /* bit n: qualifier n was given */
	uint64_t value[PRECIS_QUALIFIERS_MOST];
	const char *missing; /* why it is not here, a static text; NULL: see the row */
	char name[PRECIS_NAME_BYTES];
	char pfm[PRECIS_NAME_BYTES]; /* its name in libpfm4, if that is another one */
};

const struct precis_event_row *precis_event_row(uint32_t id);
/* Qualifier n of a family; NULL behind the last */
const struct precis_qualifier *precis_qualifier(enum precis_family family, uint32_t n);
/* The value of a qualifier by its name; 'otherwise' if it was not given */
uint64_t precis_qualifier_value(const struct precis_named_event *event, const char *name,
				uint64_t otherwise);
/* NULL for a code that is none. A code of a qualifier in a list is its event without it. */
const struct precis_named_event *precis_event_of_code(unsigned int code);
/* How many there are without the unit masks of those of libpfm4 */
int precis_events_count(void);
void precis_events_free(void);
/* While a process forks */
void precis_events_lock(void);
void precis_events_unlock(void);
int precis_ntv_enum_events(unsigned int *code, int modifier);
int precis_ntv_name_to_code(const char *name, unsigned int *code);
int precis_ntv_code_to_name(unsigned int code, char *name, int bytes);
int precis_ntv_code_to_descr(unsigned int code, char *text, int bytes);
int precis_ntv_code_to_info(unsigned int code, PAPI_event_info_t *info);

/* precis_listed.c: precise events of libpfm4, and names without colons for some of them */

struct precis_listed {
	struct precis_named_event event;
	const char *meaning;
	const struct precis_listed *of; /* the event, if this is it with one of its unit masks */
};

/* NULL behind the last */
const struct precis_listed *precis_listed(uint32_t n);
/* @return the number, or -1 */
int64_t precis_listed_find(const char *name);

/* precis_encode.c: from an event to what perf_event_open(2) is asked for */

/* Which thread or CPU, and which modes of it */
struct precis_target {
	pid_t tid; /* 0: the calling thread; -1: every one, on 'cpu' */
	int cpu; /* -1: any */
	int domain; /* PAPI_DOM_* */
	int inherit;
};

struct precis_request {
	const struct precis_named_event *event;
	struct perf_event_attr attr;
	struct perf_event_attr leader; /* the auxiliary event, if has_leader */
	int has_leader;
	/* levels of attr.precise_ip that PRECIS_PAPI_MOST_PRECISE tries, downwards; both 0: it has none */
	uint32_t precise_most, precise_least;
	uint32_t kind; /* enum precis_event_kind of its samples */
	uint32_t core_type; /* enum precis_core_type */
	struct precis_target target;
};

/* @return PAPI_OK, or why this machine has no such event */
int precis_encode(const struct precis_named_event *event, const struct precis_target *target,
		  struct precis_request *request);
/* Why an event is not to be had here: NULL if it is. A static text. */
const char *precis_event_missing(const struct precis_named_event *event);
/* What has to be recorded so that the samples have these fields; sets attr.sample_type. */
void precis_encode_fields(struct precis_request *request, const uint64_t *fields);
/* The nearest period that the event takes, or 0 with a reason noted */
uint64_t precis_encode_period(const struct precis_request *request, uint64_t period, int exactly);

/* precis_counter.c: one event, opened */

enum precis_sink {
	PRECIS_SINK_NONE, /* counted, not sampled */
	PRECIS_SINK_CALLBACK,
	PRECIS_SINK_OVERFLOW /* PAPI_overflow or PAPI_profil */
};

struct precis_set;

struct precis_counter {
	struct precis_set *set;
	/* The same event on the next CPU, with a ring of its own: Linux has none for an event that
	 * threads inherit, but one for its part on each CPU. NULL behind the last. */
	struct precis_counter *next;
	int code; /* PAPI's native code in the component */
	int papi_code;
	uint32_t position;
	struct precis_request request;
	int fd, leader_fd; /* -1: not open */
	int cpu; /* of a part, if it is one of several */
	int is_elsewhere; /* not opened: the CPU is not one of the PMU's, or has no such event */
	uint64_t base; /* what the kernel had counted when the user's count was zero */

	enum precis_sink sink;
	struct precis_papi_sampling sampling;
	uint64_t fields[PRECIS_FIELD_WORDS];
	void *mapping;
	size_t mapping_bytes;
	struct precis_ring ring;
	uint32_t *starts; /* of an overwritten ring */
	size_t start_count;
	struct precis_memory *memory; /* what samples are decoded in */

	struct precis_papi_statistics statistics;
	/* the helper thread's, for others: with its mutex */
	struct precis_papi_statistics published;
	int is_hung; /* the thread that it was attached to is gone: poll(2) has no more to tell */
	uint64_t lost_since; /* the sample before */
	uint64_t lost_at_start; /* the kernel's counter at PAPI_start */
	uint64_t throttled_at; /* when it was throttled last; 0: it is not */
	uint64_t period; /* in force; 0: a frequency */
	/* the one before, and where in the ring it ends; 0: nowhere */
	uint64_t period_before, period_from;
	uint64_t budget_since, budget_spent; /* for max_overhead */
	double kernel_ns; /* of a sample; 0: not known */
};

/* What a sampled counter decodes with. One allocation: 'wrapped' is large. */
struct precis_memory {
	struct precis_ibs_context ibs;
	struct precis_pebs_context pebs;
	struct precis_decoder decoder;
	struct precis_perf_sample parts;
	struct precis_sample sample;
	uint8_t wrapped[PRECIS_RING_WRAPPED_BYTES];
};

/* Open what 'request', 'sink' and 'sampling' say, disabled. @return PAPI_OK or an error, noted */
int precis_counter_open(struct precis_counter *counter);
void precis_counter_close(struct precis_counter *counter);
/* In a child after fork(2): the ring is not mapped there. */
void precis_counter_abandon(struct precis_counter *counter);
int precis_counter_enable(struct precis_counter *counter);
int precis_counter_disable(struct precis_counter *counter);
/* The kernel's count, and what it lost of a sampled event (UINT64_MAX: it does not say) */
int precis_counter_read(struct precis_counter *counter, uint64_t *count, uint64_t *lost);
/* Does the helper thread read it, or tell its thread by a signal to do so? */
int precis_counter_is_polled(const struct precis_counter *counter);
int precis_counter_is_watermarked(const struct precis_counter *counter);
/* Are its samples delivered in a signal handler? */
int precis_counter_by_signal(const struct precis_counter *counter);
/* The fields that its options ask for; if they name none all that everybody may have */
void precis_counter_choose_fields(struct precis_counter *counter);

/* precis_set.c: the events of an EventSet */

enum { PRECIS_STOPPED, PRECIS_RUNNING };

struct precis_set {
	struct precis_target target;
	struct precis_counter *counter[PRECIS_COUNTERS_MOST];
	long long count[PRECIS_COUNTERS_MOST];
	uint32_t counters;
	int event_set; /* PAPI's number, once it is known */
	uint32_t generation; /* of the process: another one after fork(2) */
	int state; /* PRECIS_STOPPED, PRECIS_RUNNING; atomic: callbacks may stop */
	pid_t starter; /* the thread that called PAPI_start */
	volatile sig_atomic_t busy; /* samples are being delivered, but not by the helper thread */
	volatile sig_atomic_t pending; /* a signal came while they were */
	volatile sig_atomic_t cancelled; /* stopped by a callback */
	const char *signalled; /* the thread that has signals for it; see precis_signals.c */
	struct precis_set *next_polled; /* of the helper thread's list */
	uint64_t polled_run; /* which of all sets' runs with the helper thread */
	uint32_t polled_round; /* the helper thread's last one with it */
};

/* PAPI's control state. */
struct precis_control {
	struct precis_target target;
	struct precis_set *set; /* NULL while there are no events */
};

/* All that can be read of a set: the counters, and the parts of those that are on several CPUs */
static inline struct precis_counter *precis_next_part(const struct precis_counter *part)
{
	uint32_t next = part->position + 1;

	if (part->next)
		return part->next;
	return next < part->set->counters ? part->set->counter[next] : NULL;
}

static inline struct precis_counter *precis_first_part(const struct precis_set *set)
{
	return set->counters ? set->counter[0] : NULL;
}

struct precis_set *precis_set_of(hwd_control_state_t *control);
int precis_set_init(hwd_control_state_t *control);
int precis_set_update(hwd_control_state_t *control, NativeInfo_t *native, int count,
		      hwd_context_t *context);
int precis_set_start(hwd_context_t *context, hwd_control_state_t *control);
int precis_set_stop(hwd_context_t *context, hwd_control_state_t *control);
int precis_set_read(hwd_context_t *context, hwd_control_state_t *control, long long **values,
		    int flags);
int precis_set_reset(hwd_context_t *context, hwd_control_state_t *control);
int precis_set_write(hwd_context_t *context, hwd_control_state_t *control, long long *values);
int precis_set_domain(hwd_control_state_t *control, int domain);
int precis_set_ctl(hwd_context_t *context, int code, _papi_int_option_t *option);
int precis_set_cleanup(hwd_control_state_t *control);
/*
 * Before a change of a stopped set: wait until nobody reads its rings.
 * @return PAPI_OK; PAPI_EISRUN in one of its callbacks; PAPI_EINVAL if it is the parent process's
 */
int precis_set_settle(struct precis_set *set);
/* Open one of its events again after a change, or all (NULL). */
int precis_set_reopen(struct precis_set *set, struct precis_counter *counter);

/* precis_spread.c: a sampled event that threads inherit, on each CPU */

int precis_is_spread(const struct precis_counter *counter);
/* Open it, as 'open' does one part, on each CPU of its PMU. @return PAPI_OK or an error, noted */
int precis_spread(struct precis_counter *counter, int (*open)(struct precis_counter *part));
/* Close and free the other parts. */
void precis_gather(struct precis_counter *counter);

/* precis_deliver.c: samples from rings to whoever asked for them */

enum precis_which {
	PRECIS_OF_SIGNALS, /* rings that signals tell of: from the handler */
	PRECIS_OF_THREAD, /* all that the helper thread does not read */
	PRECIS_OF_POLLER /* those that it reads */
};
/*
 * Deliver what waits in the rings of a set. 'context' is the interrupted one in
 * a signal handler, else NULL. @return how many samples were delivered
 */
uint64_t precis_deliver(struct precis_set *set, enum precis_which which, void *context);
/* Is the calling thread in a callback for a sample of the set? One that longjmp(3) left does not
 * count, as far as the stack tells. */
int precis_delivering(const struct precis_set *set);
/* It has been left: whoever asks from deeper in the stack need not guess any more. */
void precis_left(const struct precis_set *set);
/* Throw away what waits from before PAPI_start. */
void precis_counter_skip(struct precis_counter *counter);

/* precis_overflow.c: PAPI_overflow and PAPI_profil */

int precis_set_overflow(EventSetInfo_t *event_set, int index, int threshold);
int precis_set_profile(EventSetInfo_t *event_set, int index, int threshold);
int precis_stop_profiling(ThreadInfo_t *thread, EventSetInfo_t *event_set);
void precis_overflow_deliver(struct precis_counter *counter, const struct precis_record *record,
			     void *context);
/* Let samples for PAPI_overflow that wait be delivered where the interrupted context is: in the
 * signal handler, at once unless the signal is blocked. */
void precis_overflow_raise(struct precis_set *set);

/* precis_signals.c: the component's own signal */

int precis_signal_number(void);
/* Let a thread of the process run the handler. */
void precis_signals_tell(pid_t tid);
/* In the child of a fork(2): the parent's sets are none of its own. */
void precis_signals_forget(void);
/*
 * Take the signal, and SIGIO, which the kernel sends instead of a real-time signal when its queue
 * is full. @return PAPI_OK or an error, noted
 */
int precis_signals_take(void);
void precis_signals_give_back(void);
/* The calling thread's sets that are read by signals. @return PAPI_OK or an error, noted */
int precis_signals_add(struct precis_set *set);
/* Returns when no other thread's handler delivers the set. */
void precis_signals_remove(struct precis_set *set);
/* Do signals tell another thread than the calling one of its samples? */
int precis_signals_elsewhere(const struct precis_set *set);
/* While a process forks */
void precis_signals_lock(void);
void precis_signals_unlock(void);
void precis_dispatch(int number, hwd_siginfo_t *info, void *context);

/* precis_poller.c: the helper thread, there from the first set that is added on */

int precis_poller_add(struct precis_set *set);
/* Returns when no callback for the set runs, or, of a callback, at once. */
void precis_poller_remove(struct precis_set *set);
/*
 * What it has noted of a counter that it reads, and the period; else what the counter's thread
 * has.
 */
void precis_poller_statistics(const struct precis_counter *counter,
			      struct precis_papi_statistics *statistics);
void precis_poller_stop(void);
/* In the child of a fork(2) there is none. */
void precis_poller_forget(void);

/* precis_budget.c: max_overhead */
/* What the kernel took for the samples of these statistics; 0: not known */
uint64_t precis_budget_kernel_ns(const struct precis_counter *counter,
				 const struct precis_papi_statistics *statistics);

/* precis_kernel_cost.c: what a sample costs the kernel, by a calibration */

/*
 * Set it, of an event that has been opened: what was stated, else with max_overhead what the calibration
 * says that the environment names. @return PAPI_OK or an error, noted
 */
int precis_kernel_cost(struct precis_counter *counter);

void precis_budget_start(struct precis_counter *counter);
void precis_budget_check(struct precis_counter *counter, uint64_t now);

/* precis_fork.c */

int precis_fork_watch(void);
/* Another number in each process */
extern volatile uint32_t precis_generation;

static inline uint64_t precis_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
