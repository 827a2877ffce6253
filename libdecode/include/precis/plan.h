/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What sampling costs, and how to sample for what it may cost.
 *
 * The model is linear. What sampling adds to the CPU time of a piece of work is
 *
 *     c_s N + c_i I + c_w W + c_g G + c_b B + c_d D + c_e E
 *
 * with N samples, I interrupts, W wakeups of the reader, G signals, B bytes written to the ring, D bytes
 * of these for which the cache had no room beside what the program works on, and E events that the kernel
 * counts itself: it is entered at each of them, sampled or not. Coefficients are ns for each. 'precis plan
 * --calibrate' measures them, with their covariance; of some machines they have been published.
 *
 * A figure is a value with an interval of 95%; a number that is not known is NAN.
 *
 * Source: the term c_s N is S. Akiyama and T. Hirofuchi, "Quantitative Evaluation of Intel PEBS Overhead
 * for Online System-Noise Analysis", ROSS 2017; M. A. Sasongko et al., "Precise Event Sampling on AMD
 * Versus Intel", TPDS 34(5), 2023, have an interrupt for each sample; what the kernel does is read in
 * arch/x86/events and kernel/events of Linux 7.3.
 */
#ifndef PRECIS_PLAN_H
#define PRECIS_PLAN_H

#include <precis/export.h>

PRECIS_BEGIN_DECLS

/** What costs something. The numbers are ABI. */
enum precis_plan_cause {
	PRECIS_PLAN_SAMPLE = 0,    /* a record is written: by the CPU, or by the kernel */
	PRECIS_PLAN_INTERRUPT = 1, /* the kernel is entered and left for it */
	PRECIS_PLAN_WAKEUP = 2,    /* a reader that waits is told that there is something to be read */
	PRECIS_PLAN_SIGNAL = 3,    /* in place of that a signal handler runs on the thread that is sampled */
	PRECIS_PLAN_BYTE = 4,      /* a byte is written into the ring */
	PRECIS_PLAN_DISPLACED = 5, /* a byte for which the cache has no room: pollution */
	PRECIS_PLAN_EVENT = 6      /* an event that the kernel counts: no period saves it */
};
#define PRECIS_PLAN_CAUSES 7u
#define PRECIS_PLAN_CAPACITY 8u

/** The longest that a reader is taken to be late where it is not known: perf record that waits for a disk */
#define PRECIS_PLAN_DELAY_NS 1e8

/** What is known of the cost of a cause. */
enum precis_plan_knowledge {
	PRECIS_PLAN_UNKNOWN = 0,
	PRECIS_PLAN_KNOWN = 1,
	/* It came with others, always as often for each of them, and is in what those cost: see 'as' */
	PRECIS_PLAN_MERGED = 2
};

/** Where coefficients come from. */
enum precis_plan_source {
	PRECIS_PLAN_GIVEN = 0,
	PRECIS_PLAN_CALIBRATED = 1, /* on the machine that 'cpu' and 'kernel' name */
	PRECIS_PLAN_PUBLISHED = 2   /* of the machine that 'cpu' names, which is another */
};

/** A figure and its interval of 95%; NAN: not known */
struct precis_plan_estimate {
	double value, low, high;
};

/** What sampling an event costs. */
struct precis_plan_cost {
	uint32_t size;   /* sizeof(struct precis_plan_cost), set by the caller */
	uint32_t source; /* enum precis_plan_source */
	uint8_t knowledge[PRECIS_PLAN_CAPACITY]; /* enum precis_plan_knowledge */
	double ns[PRECIS_PLAN_CAPACITY]; /* of causes that are known; else 0 */
	/* of these, in ns squared; NAN: it was not told */
	double covariance[PRECIS_PLAN_CAPACITY][PRECIS_PLAN_CAPACITY];
	/* A merged cause came so many times for each of those that are known */
	double as[PRECIS_PLAN_CAPACITY][PRECIS_PLAN_CAPACITY];
	/* The relative deviation of the cost from program to program, beyond the covariance */
	double between;
	/* The relative deviation of the time of one run of a program from another, without sampling */
	double noise;
	double reach; /* standard errors on each side of an interval; 0: 1.96 */
	/* How long a wakeup took at most until the reader had made room; 0: not known */
	double reader_delay_ns;
	char event[64];    /* "ibs_op"; as perf and precis name it */
	char cpu[64];      /* as perf writes it, or a name */
	char kernel[64];   /* its release */
	char governor[32]; /* of the CPU's frequency; "": none is known */
	char made[32];     /* when, or in which publication */
	char origin[128];  /* which figures, in words */
};

/** How a program is to be sampled, and what it does without. */
struct precis_plan_setup {
	uint32_t size;         /* sizeof(struct precis_plan_setup), set by the caller */
	uint32_t cpus;         /* that it keeps busy, each with a ring; 0: one */
	uint64_t period;       /* events from sample to sample */
	double random_start;   /* so many fewer in the mean: 63.5 for ibs_op with cnt_ctl=1 */
	double rate;           /* events a second on each of the CPUs; NAN is refused */
	double rate_deviation; /* its standard error */
	double rate_peak;      /* its highest, for rings and throttling; 0: as 'rate' */
	double seconds;        /* that the program runs */
	double samples_per_interrupt; /* 0: 1. Large PEBS: precis_plan_large_pebs() */
	double interrupts_most; /* in a second, on each CPU: kernel.perf_event_max_sample_rate; 0: no limit */
	uint32_t record_bytes; /* precis_plan_record_bytes() */
	uint32_t is_signalled; /* signals to the thread that is sampled, in place of wakeups of a reader */
	uint64_t ring_bytes;
	uint64_t watermark_bytes;   /* 0: half the ring */
	uint64_t watermark_samples; /* wake up after so many, in place of bytes; 0: by bytes */
	double reader_delay_ns; /* the longest time from a wakeup until there is room again */
	double working_set_bytes; /* what the program works on, on each CPU; 0: displacement is left out */
	double cache_bytes;     /* its share of the cache */
	/* The kernel counts each event, as page faults, tracepoints and breakpoints; 0: the CPU does, or it
	 * is a clock */
	uint32_t kernel_counts;
	uint32_t reserved; /* 0 */
};

/** For precis_plan_prediction.limits */
#define PRECIS_PLAN_THROTTLED (1u << 0) /* the kernel stops the event for parts of each tick */
#define PRECIS_PLAN_SMALL_RING (1u << 1) /* there may be losses */
#define PRECIS_PLAN_LONG_INTERRUPT (1u << 2) /* above a 4th of its share: the kernel lowers it */
#define PRECIS_PLAN_NO_POLLUTION (1u << 3) /* what the ring displaces is not in the overhead */

/** What comes of it. Of all CPUs together, but for 'overhead'. */
struct precis_plan_prediction {
	uint32_t size;    /* sizeof(struct precis_plan_prediction), set by the caller */
	uint32_t limits;  /* PRECIS_PLAN_THROTTLED, ... */
	/* Bits 1 << enum precis_plan_cause. These come, and what they cost is not known, or they come more
	 * often than when it was measured: the overhead is at least that, and 'high' is NAN */
	uint32_t at_least;
	/* These come less often than when it was measured together with others: at most that, and 'low'
	 * is NAN. With bits in both it is about that */
	uint32_t at_most;
	struct precis_plan_estimate overhead; /* time that is added, as a share of the time without */
	struct precis_plan_estimate run;      /* the same as one pair of runs may show it */
	double of_cause[PRECIS_PLAN_CAPACITY]; /* of the overhead; merged: 0 */
	struct precis_plan_estimate sample_ns; /* all that one sample costs; events are not in it */
	struct precis_plan_estimate samples;
	struct precis_plan_estimate bytes;
	struct precis_plan_estimate lost; /* for which the ring had no room */
	double interrupts, wakeups;
	double kept; /* the share of samples that throttling leaves */
};

/** What is wanted. 0 is: not asked for. */
struct precis_plan_wish {
	uint32_t size;     /* sizeof(struct precis_plan_wish), set by the caller */
	uint32_t unit;     /* periods are multiples of it: 16 of IBS; 0: 1 */
	double budget;     /* the share of time that sampling may cost */
	double share;      /* a share of samples that is to be known ... */
	double error;      /* ... to within this part of it, in 95 of 100 recordings */
	double samples;    /* or a number of samples */
	double dependence; /* the variance of shares is so many times that of independent samples; 0: 1 */
	uint64_t period_least, period_most; /* that the event can have */
	uint64_t ring_most; /* bytes on each CPU */
	uint64_t page_bytes; /* 0: 4096 */
};

/** What a period follows from. */
enum precis_plan_bound {
	PRECIS_PLAN_BY_BUDGET = 0,
	PRECIS_PLAN_BY_PRECISION = 1, /* as long as the samples that are wanted allow: more cost more */
	PRECIS_PLAN_BY_THROTTLING = 2, /* as short as the kernel lets it be */
	PRECIS_PLAN_BY_EVENT = 3       /* the least or most that the event can have */
};

/** What a ring's size follows from. */
enum precis_plan_ring_bound {
	/* half of it loses samples where the reader is that late, or they come in bursts */
	PRECIS_PLAN_RING_BY_DELAY = 0,
	PRECIS_PLAN_RING_BY_WAKEUPS = 1, /* half of it spends more than a 20th of the budget on wakeups */
	PRECIS_PLAN_RING_BY_LIMIT = 2,   /* wish.ring_most: less than it takes */
	PRECIS_PLAN_RING_BY_PAGE = 3     /* there is no smaller one */
};

struct precis_plan_advice {
	uint32_t size;       /* sizeof(struct precis_plan_advice), set by the caller */
	uint32_t is_feasible; /* all that is wanted goes together */
	uint32_t bound;      /* enum precis_plan_bound */
	uint32_t ring_bound; /* enum precis_plan_ring_bound */
	uint64_t period;     /* in step with no usual loop, see precis_plan_period() */
	uint64_t ring_bytes, watermark_bytes;
	double samples_needed; /* 0: no number was asked for */
	/* What would give all that is wanted, each alone: */
	double seconds_needed; /* a run so long */
	double budget_needed;  /* so large a share of the time, at its interval's upper end if it has one */
	double error_reached;  /* or so large an error of the share; NAN: none was asked for */
};

/** What is wrong with a text, and where. */
struct precis_plan_fault {
	uint32_t size; /* sizeof(struct precis_plan_fault), set by the caller */
	uint32_t line; /* from 1 on */
	uint64_t offset; /* of the line's first byte */
	const char *what; /* static, in words; NULL: nothing is wrong */
};

/** "sample", "interrupt", ...; NULL for a number that is none of enum precis_plan_cause. */
PRECIS_API const char *precis_plan_cause_name(uint32_t cause);

/**
 * Published coefficients.
 *
 * @param n     row, from 0 on. Several rows may be of one event, of different machines
 * @param cost  'size' must be set. Its covariance is NAN: no publication has one
 * @return 0, or PRECIS_E_ARGUMENT past the last
 */
PRECIS_API int precis_plan_published(uint32_t n, struct precis_plan_cost *cost);

/**
 * Event n of a calibration file, as 'precis plan --calibrate' writes it (precis-plan(1) has its form).
 * The whole text is checked, whichever event is asked for.
 *
 * @param text   need not end in a 0
 * @param cost   'size' must be set
 * @param fault  may be NULL; else 'size' must be set
 * @return 0; PRECIS_E_NO_FIELD past the last event of a text that is right; PRECIS_E_TRUNCATED
 *         if its last line is missing; PRECIS_E_UNSUPPORTED of another version;
 *         PRECIS_E_SYNTAX; PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_plan_parse(const char *text, size_t bytes, uint32_t n,
				 struct precis_plan_cost *cost, struct precis_plan_fault *fault);

/**
 * What sampling so costs and gives.
 *
 * @return 0 or PRECIS_E_ARGUMENT: a number is negative, or none, or period, rate, seconds,
 *         record_bytes or ring_bytes is 0
 */
PRECIS_API int precis_plan_predict(const struct precis_plan_cost *cost,
				   const struct precis_plan_setup *setup,
				   struct precis_plan_prediction *prediction);

/**
 * How to sample for what is wanted. The budget is kept by the upper end of what is predicted, where there
 * is one. Without a budget and without a number of samples the budget is 1%.
 *
 * @param setup  its period, ring_bytes, watermark_bytes and watermark_samples are not looked at
 * @return 0 or PRECIS_E_ARGUMENT
 */
PRECIS_API int precis_plan_advise(const struct precis_plan_cost *cost,
				  const struct precis_plan_setup *setup,
				  const struct precis_plan_wish *wish,
				  struct precis_plan_advice *advice);

/**
 * How many samples it takes to know a share to within a part of it, in 95 of 100 recordings: the least n
 * with 2.05 sqrt(share (1 - share) / n) + 1 / 2n <= share * error. 2.05 is of 96 in 100, since how many
 * samples come is not known exactly, either; the second term is for steps from sample to sample.
 *
 * @param share, error  above 0, below 1
 * @param dependence    1 or more
 * @return PRECIS_E_ARGUMENT if one of them is not so; else at least 1
 */
PRECIS_API double precis_plan_samples(double share, double error, double dependence);

/**
 * The least period that is not below 'least' and in step with no usual loop: a prime, or a multiple of
 * 'unit' by one (IBS takes multiples of 16: these are odd ones), and not within 2% of powers of 2 and of
 * 1, 2, or 5 times a power of 10, which are the numbers of turns that loops have.
 *
 * @param least  at most 2^40
 * @param unit   1 or more
 * @return 0 if an argument is not so
 */
PRECIS_API uint64_t precis_plan_period(uint64_t least, uint64_t unit);

/** Is a number divided by none but itself and 1? */
PRECIS_API int precis_plan_is_prime(uint64_t number);

/**
 * The bytes of a sample's record in the ring: perf_event_open(2), PERF_RECORD_SAMPLE.
 *
 * @param sample_type  PRECIS_SAMPLE_* of <precis/record.h>; of READ the count alone is meant
 * @param raw_bytes    of the payload behind the size: 76 of ibs_op on Zen 4
 * @param frames       of a call chain
 * @param registers    of each kind that sample_type has
 * @param branches     of a branch stack
 * @param stack_bytes  of a copy of the user's stack
 */
PRECIS_API uint32_t precis_plan_record_bytes(uint64_t sample_type, uint32_t raw_bytes,
					     uint32_t frames, uint32_t registers,
					     uint32_t branches, uint32_t stack_bytes);

/**
 * How many PEBS records come in one interrupt, where the kernel lets them gather ("large PEBS"): a debug
 * store of 64 KiB on each CPU, less 8 records.
 *
 * @param pebs_bytes  of a record of that CPU: 192 of Haswell, 200 of Skylake, 32 to 208 from Ice Lake on
 * @return 1 or more
 */
PRECIS_API uint32_t precis_plan_large_pebs(uint32_t pebs_bytes);

/**
 * Which of the parts of a sample keep the kernel from large PEBS: each record takes an interrupt then.
 *
 * @return those bits of sample_type
 */
PRECIS_API uint64_t precis_plan_ends_large_pebs(uint64_t sample_type);

PRECIS_END_DECLS

#endif
