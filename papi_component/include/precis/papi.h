/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis/papi.h
 * @brief Precise samples through PAPI: what the component `precis` offers beside
 * PAPI's own functions. They are exported by a libpapi that was built with the
 * component; a tool that must also run with another libpapi finds them by
 * dlsym(3).
 *
 * All functions return PAPI_OK or one of PAPI's error codes (papi.h); what was
 * wrong is told in words by precis_papi_strerror().
 *
 * Functions of libprecis on the samples (precis_why() and others) are not part
 * of libpapi: link with libprecis for them. precis_get() and precis_get_NAME()
 * are inline.
 */
#ifndef PRECIS_PAPI_H
#define PRECIS_PAPI_H

#include <stddef.h>

#include <precis/export.h>
#include <precis/fields.h>
#include <precis/record.h>
#include <precis/sample.h>

PRECIS_BEGIN_DECLS

#if defined(__GNUC__)
#define PRECIS_PAPI_API __attribute__((visibility("default")))
#else
#define PRECIS_PAPI_API
#endif

/** When the callback is called. */
enum precis_papi_delivery {
	/** In PAPI_read, PAPI_accum, PAPI_stop and precis_papi_drain(): no signal, least cost. */
	PRECIS_PAPI_BATCH = 0,
	/** In a signal handler on the sampled thread, when enough samples wait. */
	PRECIS_PAPI_WATERMARK = 1,
	/** In a thread of the component: malloc, locks and stdio are allowed there. */
	PRECIS_PAPI_THREAD = 2,
	/** In a signal handler, at each sample. */
	PRECIS_PAPI_SAMPLE = 3
};

/** What happens to samples for which the ring has no room. */
enum precis_papi_full {
	PRECIS_PAPI_DROP = 0,     /**< the new ones are lost, and counted */
	PRECIS_PAPI_OVERWRITE = 1 /**< the oldest are; PRECIS_PAPI_BATCH only */
};

/** How precise the samples of an event are; 1 to 3 are levels of attr.precise_ip. */
enum precis_papi_precise {
	PRECIS_PAPI_NOT_PRECISE = -1, /**< level 0 */
	/** the level in the event's name (:precise=N); if it has none the highest that can be had,
	 * and never none of an event that can be precise */
	PRECIS_PAPI_MOST_PRECISE = 0
};

/** How a sample came to the callback. */
struct precis_papi_arrival {
	uint32_t size;        /**< sizeof(struct precis_papi_arrival) */
	int32_t event_set;    /**< of PAPI */
	int32_t event_code;   /**< of PAPI */
	uint32_t position;    /**< of the event in the EventSet: the bit in an overflow vector */
	/** how many of the event it stands for: the period in force, but see is_irregular; 0: a
	 * frequency, see the field 'period' */
	uint64_t period;
	uint64_t lost_before; /**< samples lost between the one before and this one, if known */
	/** callchain and so on, if 'parts' of the options asked for any; valid during the call */
	const struct precis_perf_sample *parts;
	void *context; /**< ucontext_t of the interrupted thread in a signal handler; else NULL */
	/** 1: 'period' is another number than the period in force: the first samples after a change of
	 * period (max_overhead) of an event that Linux counts by itself */
	uint32_t is_irregular;
	uint32_t reserved;  /**< 0 */
};

/**
 * A sample has arrived. In a signal handler (PRECIS_PAPI_WATERMARK, _SAMPLE) only what is
 * async-signal-safe may be called, and longjmp(3) should not leave it: the EventSet then delivers
 * nothing until its next PAPI_start. PAPI_stop of the EventSet may be called: no sample is
 * delivered after it, what waits is counted as discarded. If it is called in the delivery of
 * another PAPI_stop one of the two returns PAPI_ENOTRUN. The EventSet cannot be changed in its
 * callback (PAPI_EISRUN). The helper thread of PRECIS_PAPI_THREAD is registered with PAPI: its functions may
 * be called there.
 *
 * @param sample  valid during the call; copy it to keep it
 * @param user    as given to precis_papi_set_sampling()
 */
typedef void (*precis_papi_callback)(const struct precis_sample *sample,
				     const struct precis_papi_arrival *arrival, void *user);

/**
 * The component has changed a period to use max_overhead, and no more: raised it, or lowered it again, but
 * never below the one that was asked for. Called where samples are.
 */
typedef void (*precis_papi_period_changed)(int event_set, int event_code, uint64_t from,
					   uint64_t to, void *user);

/** How an event is to be sampled. All-zero members take the default. */
struct precis_papi_sampling {
	uint32_t size;      /**< sizeof(struct precis_papi_sampling), set by the caller */
	uint32_t delivery;  /**< enum precis_papi_delivery */
	uint64_t period;    /**< events from sample to sample; or 0 and ... */
	uint64_t frequency; /**< ... samples per second, by the kernel's choice of periods */
	int32_t precise;    /**< enum precis_papi_precise, or a level from 1 to 3 */
	uint32_t full;      /**< enum precis_papi_full */
	/** PRECIS_PAPI_WATERMARK, _THREAD: 0 = by bytes. Half a ring is always enough */
	uint32_t watermark_samples;
	uint32_t watermark_bytes;   /**< or by bytes; 0 = half the ring */
	uint64_t ring_bytes; /**< 0 = 128 KiB; a power of two; less if mlock limits say so */
	uint64_t fields[PRECIS_FIELD_WORDS]; /**< a set of fields; empty: all but phys_addr */
	/** PRECIS_SAMPLE_CALLCHAIN, _REGS_INTR, ... to be recorded as well; not _BRANCH_STACK,
	 * _STACK_USER and _AUX, which need options of their own */
	uint64_t parts;
	uint64_t registers; /**< attr.sample_regs_intr and sample_regs_user; with such parts only */
	/** share of the time that passes which component and callbacks may take, and the kernel as far
	 * as kernel_ns is known; 0.01 = 1 %, 0 = no limit */
	double max_overhead;
	precis_papi_callback callback; /**< must be set */
	precis_papi_period_changed period_changed; /**< NULL: nobody is told */
	void *user; /**< what both are called with */
	/** ns that the kernel takes from the sampled thread for each sample: interrupt, record, wakeup,
	 * signal; at most 1e12. 0: with max_overhead, what the calibration says that the environment
	 * variable PRECIS_PAPI_CALIBRATION names ('precis plan --calibrate' makes one), at its
	 * interval's upper end; without that it is not known, and not in max_overhead. What has been
	 * published is never taken. What events cost that are no samples is not in it: a longer period
	 * saves none of that. */
	double kernel_ns;
};

/** What has become of an event's samples since PAPI_start. */
struct precis_papi_statistics {
	uint32_t size;      /**< sizeof(struct precis_papi_statistics), set by the caller */
	uint32_t ring_bytes; /**< what there is, less where mlock limits say so; of several the least */
	uint64_t samples;   /**< delivered */
	uint64_t lost;      /**< for which the ring had no room */
	uint64_t lost_pmu;  /**< in the PMU, as far as the kernel says */
	uint64_t truncated; /**< records or payloads that could not be read in full */
	uint64_t discarded; /**< not delivered because the EventSet was stopped by a callback */
	uint64_t overwritten_bytes; /**< PRECIS_PAPI_OVERWRITE */
	uint64_t throttled;    /**< how often the kernel stopped it */
	uint64_t throttled_ns; /**< for how long in all */
	uint64_t wakeups;   /**< signals; for PRECIS_PAPI_THREAD how often its thread found something ready */
	uint64_t period;    /**< in force; 0: a frequency, the kernel chooses */
	uint64_t period_changes; /**< by the component, for max_overhead */
	uint64_t component_ns; /**< spent in the component for samples, callbacks not counted */
	uint64_t callback_ns;  /**< in callbacks, and handlers of PAPI_overflow */
	/** by kernel_ns of the sampling, of all that was recorded, delivered or not; 0: not known */
	uint64_t kernel_ns;
};

/**
 * Sample an event of a stopped EventSet, with a callback; or no longer (NULL). An event that threads
 * inherit (PAPI_INHERIT) is sampled in those that are created from now on, in a ring on each CPU.
 *
 * @return PAPI_OK; PAPI_ENOEVST, PAPI_EISRUN, PAPI_ENOEVNT; PAPI_ENOCMP if the EventSet is not the
 *         component's; PAPI_EINVAL; PAPI_ENOSUPP what the machine or the kernel cannot;
 *         PAPI_ECNFLCT if PAPI_overflow has the event; PAPI_EPERM; PAPI_ENOMEM
 */
PRECIS_PAPI_API int precis_papi_set_sampling(int event_set, int event_code,
					     const struct precis_papi_sampling *sampling);

/**
 * Deliver the samples that wait, of all events of the EventSet, to their callbacks; but not what a
 * helper thread delivers, nor, from another thread than the one that called PAPI_start, any of an
 * EventSet that has signals.
 * @return how many were delivered, or an error of PAPI's
 */
PRECIS_PAPI_API int precis_papi_drain(int event_set);

/**
 * @return PAPI_OK; PAPI_EINVAL if the event is only counted: neither precis_papi_set_sampling() nor
 *         PAPI_overflow has it, so that there is nothing to tell; or another error of PAPI's
 */
PRECIS_PAPI_API int precis_papi_get_statistics(int event_set, int event_code,
					       struct precis_papi_statistics *statistics);

/**
 * In a handler of PAPI_overflow: the sample that the call is about.
 *
 * @param sample  'size' must be set: as much as that is filled
 * @return PAPI_OK; PAPI_EINVAL; PAPI_ENOTRUN outside a handler
 */
PRECIS_PAPI_API int precis_papi_current_sample(struct precis_sample *sample);

/** What is at an address: one of the last two, or why there is none. */
enum precis_papi_object_kind {
	PRECIS_PAPI_NO_ADDRESS = 0,     /**< the sample has no address */
	PRECIS_PAPI_NO_OBJECT = 1,      /**< in no range, and in no block of the heap */
	/** in no range, and of blocks nothing is known: the recorder of objects is not loaded, or
	 * without its option live=yes (precis-objects(7)) */
	PRECIS_PAPI_BLOCKS_UNKNOWN = 2,
	PRECIS_PAPI_CHANGING = 3,       /**< in no range, and blocks come and go there just now */
	PRECIS_PAPI_RANGE = 4,          /**< that precis_papi_name_range() named, the innermost one */
	PRECIS_PAPI_BLOCK = 5           /**< of the heap, in no range */
};

/** What precis_papi_object_of() finds. What does not belong to its kind is 0. */
struct precis_papi_object {
	uint32_t size;   /**< sizeof(struct precis_papi_object), set by the caller */
	uint32_t kind;   /**< enum precis_papi_object_kind */
	uint64_t start;  /**< its first address */
	uint64_t bytes;  /**< its length */
	uint64_t offset; /**< of the sample's address, from start */
	uint64_t number; /**< of a range, as it was given */
	const char *name; /**< of a range; valid for good, the same for the same name */
	uint64_t site;   /**< of a block: address of code, to which the call that asked for it returns */
};

/**
 * Name a range of addresses, for precis_papi_object_of(); the recorder of objects, if it is loaded, is
 * told, too. A range lies in another one, or apart from it. The same range again gets the new name and
 * number. It stays until it is forgotten, whatever becomes of the memory: forget it before that is freed,
 * or its library closed. From any thread, at any time, and not in a signal handler. It takes time in
 * proportion to the number of ranges: this is for arrays.
 *
 * @param name    is copied
 * @param number  handed out with it: the index of a histogram, for instance
 * @return PAPI_OK; PAPI_EINVAL; PAPI_ECNFLCT if it lies in another one in part; PAPI_ENOMEM
 */
PRECIS_PAPI_API int precis_papi_name_range(const void *start, size_t bytes, const char *name,
					   uint64_t number);

/**
 * Forget the ranges that begin there.
 * @return PAPI_OK; PAPI_EINVAL: none does; PAPI_ENOMEM: they are still there
 */
PRECIS_PAPI_API int precis_papi_forget_range(const void *start);

/**
 * Which range, or which block of the heap, the sample's address is in now. In a signal handler, too: it
 * takes no lock, waits for no thread, and allocates nothing. What was freed after the access and before the
 * callback is not found, or what has come into its place is.
 *
 * @param object  'size' must be set: as much as that is filled
 * @return PAPI_OK; PAPI_EINVAL
 */
PRECIS_PAPI_API int precis_papi_object_of(const struct precis_sample *sample,
					  struct precis_papi_object *object);

/** What an access did: of precis_papi_sharing_access(). */
enum precis_papi_access {
	PRECIS_PAPI_LOADED = 1, /**< it got a value */
	PRECIS_PAPI_STORED = 2  /**< it wrote one; 3: both, as locked instructions do */
};

/** How it is found out which threads of this process share lines. All-zero members take the default. */
struct precis_papi_sharing {
	uint32_t size;     /**< sizeof(struct precis_papi_sharing), set by the caller */
	uint32_t reserved; /**< 0 */
	/** share of the time that passes which the program's threads may be kept by debug registers: what
	 * arming them and being trapped costs is measured; below 1; 0 = 0.05 */
	double max_overhead;
	/** so long an experiment waits for the writer's next store, and then for accesses; 0 = 10 ms */
	uint64_t window_ns;
	uint64_t seed;      /**< of the choice of experiments */
};

/** What was found so far, of all threads. Transfers: as precis-sharing(1) has them, with 95 % intervals. */
struct precis_papi_sharing_result {
	uint32_t size;       /**< sizeof(struct precis_papi_sharing_result), set by the caller */
	uint32_t is_running; /**< 0: until precis_papi_sharing_stop() */
	uint32_t threads;    /**< numbers of threads are below that */
	uint32_t lines;      /**< numbers of lines are below that: those with transfers */
	double seconds;      /**< observed */
	double overhead; /**< of that, what arming, traps and switches took, as a share */
	double transfers; /**< in all */
	double transfers_low; /**< of its 95 % interval */
	double transfers_high; /**< of that, too */
	double true_transfers; /**< to words (8 bytes) that the writer had stored to */
	double true_low; /**< of its 95 % interval */
	double true_high; /**< of that, too */
	double false_transfers; /**< to others of the line */
	double false_low; /**< of its 95 % interval */
	double false_high; /**< of that, too */
	uint64_t accesses;   /**< that were handed over, and taken */
	uint64_t dropped;    /**< of which there was no room */
	uint64_t refused;    /**< that can be none: no address, weight or width */
	/** made, without those that were left; of these: */
	uint64_t experiments;
	uint64_t stored;      /**< ended by the next store of anybody */
	uint64_t timed_out;   /**< not, within window_ns */
	uint64_t
		no_store; /**< the writer did not store there again: who came since it is watched counts */
	/** how often a thread had accessed the line 512 times before: what it did then counts as nothing */
	uint64_t used_up;
	uint64_t traps;       /**< accesses to watched bytes */
	uint64_t trap_ns;     /**< what one costs here */
	uint64_t overrun;     /**< how often the kernel had no room to tell of traps */
	/** accesses of threads that there was no room for (256). What these store, and those whose registers
	 * could not be had, is not seen: what that adds is taken off, roughly, as samples tell */
	uint32_t threads_beyond;
	uint32_t threads_refused; /**< how often a thread's registers could not be had */
	int32_t refused_error;    /**< errno of the last of these; 0: none */
	/** what a register can watch: 64 of AMD's CPUs with bpext, else 8: then two or four words of a line
	 * are watched, and weighted; where threads store to most words, a third more may be told than is */
	uint32_t watched_bytes;
	/** experiments more, that were left: others stored 32 times as often as they do between two of the
	 * writer's stores. Not 0: threads do not wait for each other, and have a CPU at different times, so
	 * that the transfers, and their intervals, are rough */
	uint64_t left;
};

/** A thread, as it was when it was first seen. */
struct precis_papi_sharing_thread {
	uint32_t size; /**< sizeof(struct precis_papi_sharing_thread), set by the caller */
	uint32_t tid;    /**< of Linux */
	char name[32];   /**< "": it had ended */
	uint64_t loads;  /**< that were handed over */
	uint64_t stores; /**< the same */
	double transfers; /**< of what it wrote, to all others */
	double transfers_low; /**< of its 95 % interval */
	double transfers_high; /**< of that, too */
};

/** What one thread wrote and another one got: a cell of the matrix. Absent is nothing: 0, up to 'high'. */
struct precis_papi_sharing_flow {
	uint32_t size; /**< sizeof(struct precis_papi_sharing_flow), set by the caller */
	uint32_t reserved; /**< 0 */
	double transfers; /**< in all */
	double transfers_low; /**< of its 95 % interval */
	double transfers_high; /**< of that, too */
	double true_transfers; /**< to words (8 bytes) that the writer had stored to */
	double true_low; /**< of its 95 % interval */
	double true_high; /**< of that, too */
	double false_transfers; /**< to others of the line */
	double false_low; /**< of its 95 % interval */
	double false_high; /**< of that, too */
};

/** A line. How much of all transfers it has is known, not how many that is: it has too few experiments. */
struct precis_papi_sharing_line {
	uint32_t size; /**< sizeof(struct precis_papi_sharing_line), set by the caller */
	uint32_t reserved; /**< 0 */
	uint64_t address;  /**< the first one */
	uint64_t experiments; /**< with stores to it */
	double share;       /**< of the transfers of all lines, 0 to 1 */
	double false_share; /**< of its own that are false sharing, 0 to 1 */
};

/**
 * Begin to find out which threads of this process share lines, from accesses that are handed over:
 * precis_papi_sharing_access(), precis_papi_sharing_sample(). A thread of the component's own makes
 * experiments with some of the stores, one after the other: debug registers of all other threads watch the
 * line. Threads that come are watched, too, up to 256; none gets a signal. What was found before is
 * forgotten. After fork(2) the child is not observed; exit(3) and PAPI_shutdown() stop it. Not in a signal
 * handler.
 *
 * @param sharing  NULL: the defaults
 * @return PAPI_OK; PAPI_EINVAL; PAPI_EISRUN: it has begun already; PAPI_ENOSUPP: this machine or kernel has
 *         no debug registers; PAPI_ECNFLCT: others have them, a debugger or BREAKPOINT events; PAPI_EPERM;
 *         PAPI_ENOMEM; PAPI_ESYS; PAPI_ENOINIT
 */
PRECIS_PAPI_API int precis_papi_sharing_start(const struct precis_papi_sharing *sharing);

/**
 * The calling thread has made that access, as one of so many like it since the one before that was handed
 * over: from any thread, in a signal handler, too. Choose at random, or what goes on in step with it is seen
 * too often or never.
 *
 * @param bytes   1 to 64
 * @param did     enum precis_papi_access
 * @param weight  1 or more
 * @return PAPI_OK, even if there was no room, which is counted; PAPI_EINVAL; PAPI_ENOTRUN
 */
PRECIS_PAPI_API int precis_papi_sharing_access(const volatile void *address, uint32_t bytes,
					       uint32_t did, uint64_t weight);

/**
 * The same of a sample in a callback, of whatever thread: it says the address, the thread, and what the
 * access did. Its weight is the period of its arrival. Samples of IBS's ops and of PEBS's stores do.
 *
 * @param did  what samples of the event do, if they do not tell; 0: they tell
 * @return PAPI_OK; PAPI_EINVAL: it is no access of a thread's that is known, or its period is not known
 *         (a frequency); PAPI_ENOTRUN. No reason is noted
 */
PRECIS_PAPI_API int precis_papi_sharing_sample(const struct precis_sample *sample,
					       const struct precis_papi_arrival *arrival, uint32_t did);

/**
 * What was found so far, or until precis_papi_sharing_stop(). It may wait for the end of an experiment: some
 * window_ns. Not in a signal handler.
 *
 * @return PAPI_OK; PAPI_EINVAL; PAPI_ENOTRUN: it has never begun
 */
PRECIS_PAPI_API int precis_papi_sharing_result(struct precis_papi_sharing_result *result);

/** The same of a thread. @return PAPI_OK; PAPI_EINVAL: or there is no thread of that number; PAPI_ENOTRUN */
PRECIS_PAPI_API int precis_papi_sharing_thread(uint32_t number,
					       struct precis_papi_sharing_thread *thread);

/** What the thread 'from' wrote and 'to' got, by their numbers. @return as precis_papi_sharing_thread() */
PRECIS_PAPI_API int precis_papi_sharing_flow(uint32_t from, uint32_t to,
					     struct precis_papi_sharing_flow *flow);

/** Lines with transfers, those with most first. @return as precis_papi_sharing_thread() */
PRECIS_PAPI_API int precis_papi_sharing_line(uint32_t number, struct precis_papi_sharing_line *line);

/**
 * No more: all debug registers are free when this returns, and its thread has ended. What was found stays.
 * @return PAPI_OK; PAPI_ENOTRUN
 */
PRECIS_PAPI_API int precis_papi_sharing_stop(void);

/**
 * Why the calling thread's last call that concerns the component failed, in words: which event,
 * what is missing and what can be done; else PAPI_strerror() of the code.
 *
 * @return a string that is valid until the thread's next call
 */
PRECIS_PAPI_API const char *precis_papi_strerror(int error);

PRECIS_END_DECLS

#endif
