/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_counter.h
 * @brief One event, opened: what is asked for, its descriptor, its ring, and what its samples are decoded
 * with. Who may write what is said with the members; all others read.
 */
#ifndef PRECIS_COUNTER_H
#define PRECIS_COUNTER_H

#include <signal.h>
#include <stdint.h>

#include "precis_buffer.h"
#include "precis_encode.h"

#include <precis/decoder.h>
#include <precis/ibs.h>
#include <precis/papi.h>
#include <precis/pebs_sample.h>

struct precis_counter;

/** Where the samples of an event go */
struct precis_sink {
	/** One has been decoded into counter->memory->sample. 'context': the interrupted one, or NULL. With
	 * wants_context: note what the handler of the signal is to call */
	void (*take)(struct precis_counter *counter, const struct precis_record *record,
		     uint64_t period, void *context);
	/** only in a signal handler, with the interrupted context */
	int wants_context;
	/** nobody has said how precise: as precise as the CPU can be */
	int takes_any_level;
};

/** What the events of an EventSet have in common. It is the EventSet's. */
struct precis_common {
	struct precis_target target; /**< whom they count */
	int event_set; /**< PAPI's number, once it is known */
	uint32_t generation; /**< of the process: another one after fork(2) */
	volatile sig_atomic_t cancelled; /**< what waits is only counted: stopped by a callback */
};

/** What a sampled counter decodes with */
struct precis_memory {
	struct precis_ibs_context ibs; /**< of AMD's payloads */
	struct precis_pebs_context pebs; /**< of Intel's */
	struct precis_decoder decoder; /**< of the event's records, by one of these */
	struct precis_perf_sample parts; /**< the last record's */
	struct precis_sample sample; /**< the last sample */
};

/** The period in force, and the one before; precis_periods.c */
struct precis_periods {
	uint64_t now; /**< 0: a frequency */
	uint64_t before; /**< the one before */
	uint64_t from; /**< the byte of the ring at which that ends; 0: nowhere */
	uint32_t count_at; /**< where the event's count stands in a sample; 0: nowhere */
	uint32_t lost_at; /**< where, how many were lost until then; 0: nowhere */
	uint32_t is_irregular; /**< the last sample stands for another number than the period in force */
	uint64_t stood; /**< for how many of the event samples have stood until now, lost ones too */
	uint64_t lost; /**< how many had been lost */
};

/** What has become of the samples of this run; precis_deliver.c */
struct precis_tally {
	struct precis_papi_statistics statistics; /**< as PAPI's user is told */
	uint64_t lost_since; /**< the sample before */
	uint64_t lost_at_start; /**< the kernel's counter at PAPI_start */
	uint64_t throttled_at; /**< when it was throttled last; 0: it is not */
};

/** What max_overhead has to go by; precis_budget.c */
struct precis_budget {
	uint64_t since; /**< when it was looked at last, ns; and until then, all in all: */
	uint64_t spent; /**< ns */
	uint64_t samples; /**< delivered */
	uint64_t count; /**< of the event */
	/** sums in which what is long ago counts less: samples ... */
	double recent_samples;
	double recent_ns; /**< ... what they cost ... */
	double recent_events; /**< ... events ... */
	double recent_time; /**< ... and the time in which they were, ns */
	double balance; /**< what may be spent at once, ns: what has been saved; less than 0: a debt */
};

/** As many words as the statistics have */
#define PRECIS_STATISTICS_WORDS (sizeof(struct precis_papi_statistics) / sizeof(uint64_t))
/** A copy of statistics for other threads than the one that writes them; precis_reading.c */
struct precis_published {
	uint32_t sequence; /**< odd while it is written */
	uint64_t words[PRECIS_STATISTICS_WORDS]; /**< the statistics */
};

/** An event of an EventSet, or its part on one CPU */
struct precis_counter {
	/** by who makes it, precis_eventset.c and precis_spread.c */
	struct precis_common *common;
	/** The same event on the next CPU, with a ring of its own: Linux has none for an event that
	 * threads inherit, but one for its part on each CPU. NULL behind the last. */
	struct precis_counter *next;
	int code; /**< PAPI's native code in the component */
	int papi_code; /**< PAPI's own, which the user knows */
	uint32_t position; /**< in the EventSet: the bit in an overflow vector */
	int cpu; /**< of a part, if it is one of several */

	/** here */
	const struct precis_sink *sink; /**< NULL: counted, not sampled */
	struct precis_papi_sampling sampling; /**< as it was asked for */
	uint64_t fields[PRECIS_FIELD_WORDS]; /**< those that samples are to have */
	struct precis_request request; /**< what the kernel is asked for */
	int fd; /**< -1: not open */
	int leader_fd; /**< of the auxiliary event; -1: none */
	int is_elsewhere; /**< not opened: the CPU is not one of the PMU's, or has no such event */
	uint64_t base; /**< what the kernel had counted when the user's count was zero */
	struct precis_buffer buffer; /**< its ring */
	struct precis_memory *memory; /**< NULL: it is not sampled */

	/** elsewhere, as their structs say */
	double kernel_ns; /**< of a sample; 0: not known; precis_kernel_cost.c */
	struct precis_periods periods; /**< @see precis_periods */
	struct precis_tally tally; /**< @see precis_tally */
	struct precis_published published; /**< @see precis_published */
	struct precis_budget budget; /**< @see precis_budget */
};

/* --- what is asked for -------------------------------------------------------------- */

/** From the next time that it is opened on; NULL, NULL: it is only counted */
void precis_counter_choose(struct precis_counter *counter, const struct precis_sink *sink,
			   const struct precis_papi_sampling *sampling);

/** Does the helper thread read it? */
int precis_counter_is_polled(const struct precis_counter *counter);
/** Does it tell the thread of it by a signal, to be read there? */
int precis_counter_is_watermarked(const struct precis_counter *counter);
/** Are its samples delivered in a signal handler? */
int precis_counter_by_signal(const struct precis_counter *counter);

/* --- opened ------------------------------------------------------------------------- */

/**
 * Open what was chosen, and 'request' says, disabled; 'signal' is what tells of samples, if one
 * does. @return PAPI_OK or an error, noted
 */
int precis_counter_open(struct precis_counter *counter, int signal);
/** Or, in a child after fork(2), give up what is the parent's. */
void precis_counter_close(struct precis_counter *counter);
/** Let it count. @return PAPI_OK or an error, noted */
int precis_counter_enable(struct precis_counter *counter);
/** Let it count no more. @return PAPI_OK or an error, noted */
int precis_counter_disable(struct precis_counter *counter);
/** The kernel's count, for signal handlers. @return 0, or -1, nothing noted */
int precis_counter_count(const struct precis_counter *counter, uint64_t *count);
/** The kernel's count, and what it lost of a sampled event (UINT64_MAX: it does not say) */
int precis_counter_read(struct precis_counter *counter, uint64_t *count, uint64_t *lost);
/** The user's count: what has been counted since its zero */
int precis_counter_value(struct precis_counter *counter, uint64_t *value);
/** That count is 'value' now. */
int precis_counter_write(struct precis_counter *counter, uint64_t value);
/** Is it another process's, which has forked this one? */
int precis_counter_is_gone(const struct precis_counter *counter);

#endif
