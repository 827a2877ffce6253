/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Findings: what of a report's figures is to be looked at first.
 *
 * Analyses offer what they have counted, by rule (rules.def). What is an estimate becomes a finding if it
 * is certainly above the rule's threshold: if the lower end of its one-sided interval is, and so many
 * samples are too unlikely at the threshold (chance_of_so_many()). All of them together are wrong in at
 * most FINDINGS_ERROR of all reports (Bonferroni): each has the level that is left if that is shared among
 * all that were offered. Where one of many was taken because it has most, it counts as often as there can
 * be some at the threshold, 1 / threshold: of n samples k or more are in one whose true share p is below
 * the threshold t with a chance that is at most p / t times that at t, and all p together are 1.
 */
#ifndef ANALYSIS_FINDINGS_H
#define ANALYSIS_FINDINGS_H

#include "statistics/weighted.h"

#define FINDINGS_ERROR 0.05

/* So many are told */
#define FINDINGS_MOST 5u

/* Fewer effective samples have no share of a sum that is tested: latencies have long tails. */
#define FINDINGS_FEWEST_OF_SUM 100

enum finding_kind { FINDING_SHARE, FINDING_SUM, FINDING_PLACE, FINDING_COUNT };

enum finding_id {
#define FINDING(name, kind, least, weight, sentence, command) FINDING_ID_##name,
#include "rules.def"
	FINDING_IDS
};

struct finding_rule {
	const char *name, *sentence, *command;
	enum finding_kind kind;
	double least, weight; /* 'least': a share */
};

struct finding {
	const struct finding_rule *rule;
	struct weighted part, whole; /* of what is estimated */
	double effect;               /* likewise: see findings_depend() */
	double size;                 /* a share: of what is estimated the lower end */
	uint64_t count, total, advice;
	size_t order;  /* among all that were offered */
	char *of, *where; /* NULL: none */
	const char *unit; /* static: what the samples were sampled by, which others were not; NULL: all */
	char *function; /* that 'where' is in; NULL: none that has a name */
};

/* Zeroed memory has none. */
struct findings {
	struct finding *list;
	size_t count, room;
	double tests; /* how many shares were tested, or could have been */
	double effect; /* of what comes next: findings_depend(); 0 is as 1 */
	const char *unit; /* static: what the report's ops were sampled by, where it has others; NULL: none */
	int is_of_ops; /* of what comes next: findings_of_ops() */
	const uint64_t *given; /* bits: fields that samples were selected by */
	int is_l3_miss_only; /* the hardware kept no other ops */
	int failed; /* memory was short */
};

void findings_free(struct findings *findings);

/*
 * Samples of what is offered next depend on each other: the variance of shares is so many times that of
 * independent ones. NAN: that is not known, and nothing of them is certain.
 */
void findings_depend(struct findings *findings, double effect);

/* Is what is offered next of ibs_op, whose 'unit' its finding names? */
void findings_of_ops(struct findings *findings, int is_of_ops);

/* That of 95% intervals */
struct confidence finding_confidence(const struct finding *finding);

/*
 * A share that a rule is about, of samples that are 'of' something ("loads"), told by 'field': if samples
 * were selected by that it is none. 'where': NULL or what the sentence names
 */
void findings_share(struct findings *findings, enum finding_id id, uint32_t field,
		    const struct weighted *part, const struct weighted *whole, const char *of,
		    const char *where);

/* If what was offered last is by that rule: it is in that function. */
void findings_in_function(struct findings *findings, enum finding_id id, const char *function);

/*
 * What is counted, and no estimate. 'size': how much that is, a share; below the rule's it is none. Of one
 * rule, and of samples of one unit, the largest is kept, the first of these; texts are copied.
 */
void findings_count(struct findings *findings, const struct finding *found, enum finding_id id);

/* All has been offered: those that are left are in order, at most FINDINGS_MOST. */
void findings_settle(struct findings *findings);

/* With words in braces, as its rule has it */
const char *finding_command_of(const struct finding *finding);

/* Words of a command, as a shell wants them, each with a blank before it */
struct finding_words {
	const char *options, *function, *files;
};

/* Its sentence; its command, with these words. To be freed; NULL: memory is short */
char *finding_sentence(const struct finding *finding);
char *finding_command(const struct finding *finding, const struct finding_words *words);

#endif
