/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples as hardware would take them of a program whose every block is known, with its faults on demand.
 * Nothing of them is a measurement of hardware. They go to whoever wants them: to an estimate, or into a
 * file (recording.h).
 */
#ifndef TESTS_MIX_SIMULATE_H
#define TESTS_MIX_SIMULATE_H

#include "analysis/mix/mix.h"
#include "truth.h"

/* How samples of instructions are taken */
enum simulated_samples {
	SIMULATED_EXACT,  /* each instruction alike (INST_RETIRED.PREC_DIST) */
	SIMULATED_SHADOW, /* the instruction that retires first when the counter is armed again (PEBS) */
	SIMULATED_IBS     /* ops, tagged when they are dispatched, some of them on a path that is wrong */
};

/* Whose branch stacks these are */
enum simulated_stacks {
	SIMULATED_LBR,
	SIMULATED_LBR_EXT, /* AMD's since Zen 4: with entries of wrong paths, of fused pairs, of no branch */
	SIMULATED_BRS      /* AMD's of Zen 3: the branches behind the overflow, not those before it */
};

struct simulated {
	enum simulated_samples source;
	enum simulated_stacks stack;
	uint32_t depth;  /* entries of a stack; 0: there are no stacks */
	int is_biased;   /* half of all stacks wait until a chosen branch is the oldest */
	int is_copied;   /* a quarter of all stacks has its newest entry twice, as Skylake's */
	/* What the caller sets */
	uint64_t seed;
	uint32_t samples, stacks; /* how many about; 0: none */
};

struct simulated_model {
	const char *name;
	struct simulated how;
};

/* All that there are; ends with a name that is NULL */
extern const struct simulated_model simulated_models[];

/** @return NULL: none is called so */
const struct simulated_model *simulated_find(const char *name);

/* When something was sampled, by the instructions executed before; and what it stands for */
struct simulated_event {
	uint64_t time, period;
	uint32_t instruction; /* in truth->instructions */
};

/* An entry of a stack, or what became of a branch that is an op: between instructions */
struct simulated_branch {
	uint32_t from, to;
	uint8_t is_wrong_path, is_taken, is_fused;
};

/* To whom samples go. Each function: 0, or -1, which ends all. */
struct simulated_sink {
	void *data;
	int (*sample)(void *data, const struct simulated_event *event);
	/* The newest entry first */
	int (*stack)(void *data, const struct simulated_event *event, const struct simulated_branch *entries,
		     uint32_t count);
	/* 'branch' NULL: the op is none */
	int (*op)(void *data, const struct simulated_event *event, const struct simulated_branch *branch);
};

/** Ops between two that IBS tags: a multiple of 16 */
uint64_t simulated_ops_period(const struct truth *truth, const struct simulated *how);

/** Samples in the order of time, then stacks in that order. @return 0, or -1: a sink's */
int simulate(const struct truth *truth, const struct simulated *how, const struct simulated_sink *sink);

/** What an estimate is told of such samples */
struct mix_options simulated_options(const struct simulated *how);

/**
 * The same as observations of the truth's blocks. The totals are those of the program. Of a stack, what has
 * an end that is no branch's is not in the graph.
 * @return 0, or -1: memory is short
 */
int simulate_observations(const struct truth *truth, const struct simulated *how,
			  struct mix_observations *seen);

#endif
