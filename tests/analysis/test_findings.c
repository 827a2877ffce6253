/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings: how often they are wrong, that they are found, which are told, and what they say. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <precis/precis.h>

#include "analysis/findings/findings.h"
#include "tests/property/random.h"
#include "tests/support/repetitions.h"
#include "tests/support/tap.h"

static uint64_t state = 20261124;

static const char *const names[] = {
#define FINDING(name, kind, least, weight, sentence, command) #name,
#include "analysis/findings/rules.def"
};
static const double least_of[] = {
#define FINDING(name, kind, least, weight, sentence, command) (least) / 100.0,
#include "analysis/findings/rules.def"
};
static const enum finding_kind kinds[] = {
#define FINDING(name, kind, least, weight, sentence, command) kind,
#include "analysis/findings/rules.def"
};

/* How samples weigh: all the same, by a period that a frequency makes, by it and by what they measure */
enum weighing { SAME, FREQUENCY };

static uint64_t draw_weight(enum weighing weighing)
{
	return weighing == SAME ? 1000 : (uint64_t)(1000 * exp(2 * (random_uniform(&state) - 0.5))) + 1;
}

/* Cycles of a miss: few hundred, with a long tail */
static uint64_t draw_latency(void)
{
	return 1 + (uint64_t)(exp(1.2 * random_normal(&state)) * 200);
}

static void add_one(struct weighted *to, uint64_t weight)
{
	const struct weighted one = weighted_of(1, weight);

	weighted_add(to, &one);
}

/* A share of samples whose truth is that */
static void offer_share(struct findings *findings, enum finding_id id, uint32_t samples, double truth,
			enum weighing weighing)
{
	struct weighted part = { 0 }, whole = { 0 };

	for (uint32_t n = 0; n < samples; n++) {
		const uint64_t weight = draw_weight(weighing);

		add_one(&whole, weight);
		if (random_uniform(&state) < truth)
			add_one(&part, weight);
	}
	findings_share(findings, id, PRECIS_FIELD_MEM_LEVEL, &part, &whole, "loads", NULL);
}

/* Places that share what is left of the first one's alike: the one that comes out with most */
static void offer_place(struct findings *findings, uint32_t samples, double truth, uint32_t places,
			enum weighing weighing)
{
	struct weighted place[64] = { { 0 } }, whole = { 0 };
	const struct weighted *most = place;

	for (uint32_t n = 0; n < samples; n++) {
		const uint64_t cycles = draw_weight(weighing) * draw_latency();
		const double where = random_uniform(&state);

		add_one(&whole, cycles);
		add_one(&place[where < truth ? 0 : 1 + (uint32_t)(random_uniform(&state) * (places - 1))],
			cycles);
	}
	for (uint32_t n = 1; n < places; n++) {
		if (place[n].weight > most->weight)
			most = &place[n];
	}
	findings_share(findings, FINDING_ID_hot_instruction, PRECIS_FIELD_IP, most, &whole, "cycles",
		       "there");
}

static void offer_all(struct findings *findings, uint32_t samples, double factor,
		      enum weighing weighing)
{
	for (uint32_t id = 0; id < FINDING_IDS; id++) {
		if (kinds[id] == FINDING_SHARE)
			offer_share(findings, id, samples, factor * least_of[id], weighing);
	}
	offer_place(findings, samples, factor * least_of[FINDING_ID_hot_instruction],
		    (uint32_t)(1 / least_of[FINDING_ID_hot_instruction]), weighing);
}

/* How many of these reports have any finding */
static uint32_t wrong(uint32_t reports, uint32_t samples, enum weighing weighing)
{
	uint32_t found = 0;

	for (uint32_t n = 0; n < reports; n++) {
		struct findings findings = { .count = 0 };

		offer_all(&findings, samples, 1, weighing);
		findings_settle(&findings);
		found += findings.count != 0;
		findings_free(&findings);
	}
	return found;
}

/* The truth is just at the threshold of each rule: that is where most are wrong. */
static void errors(void)
{
	static const uint32_t samples[] = { 11, 23, 40, 100, 400, 3000 };
	const uint32_t reports = repetitions(1000, 100);

	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		for (enum weighing weighing = SAME; weighing <= FREQUENCY; weighing++) {
			const uint32_t found = wrong(reports, samples[i], weighing);
			const double most = FINDINGS_ERROR * reports;

			printf("# %u of %u reports of %u samples, weighing %d\n", found, reports,
				     samples[i], weighing);
			CU_ASSERT(found <= most + 3 * sqrt(most));
		}
	}
}

/* Of places alone: whichever has most is taken, of as many as there can be at the threshold. */
static void errors_of_places(void)
{
	const uint32_t reports = repetitions(2000, 200);
	const double least = least_of[FINDING_ID_hot_instruction], most = FINDINGS_ERROR * reports;
	uint32_t found = 0;

	for (uint32_t n = 0; n < reports; n++) {
		struct findings findings = { .count = 0 };

		offer_place(&findings, 1000, least, (uint32_t)(1 / least), FREQUENCY);
		findings_settle(&findings);
		found += findings.count != 0;
		findings_free(&findings);
	}
	printf("# %u of %u reports\n", found, reports);
	CU_ASSERT(found <= most + 3 * sqrt(most));
}

/* Latencies have tails that a few samples do not show: of those there is none, however clear. */
static void few(void)
{
	struct findings findings = { .count = 0 };

	offer_place(&findings, FINDINGS_FEWEST_OF_SUM - 1, 0.9, 20, SAME);
	findings_settle(&findings);
	CU_ASSERT_EQUAL(findings.count, 0);
	offer_place(&findings, 10 * FINDINGS_FEWEST_OF_SUM, 0.9, 20, SAME);
	findings_settle(&findings);
	CU_ASSERT_EQUAL(findings.count, 1);
	findings_free(&findings);
}

/* One is far above: with enough samples it is found, among all others at their thresholds. */
static void power(void)
{
	const uint32_t reports = repetitions(100, 20);

	for (uint32_t id = 0; id < FINDING_IDS; id++) {
		uint32_t found = 0;

		if (kinds[id] != FINDING_SHARE && kinds[id] != FINDING_PLACE)
			continue;
		for (uint32_t n = 0; n < reports; n++) {
			struct findings findings = { .count = 0 };

			offer_all(&findings, 100, 1, SAME);
			if (kinds[id] == FINDING_PLACE)
				offer_place(&findings, 4000, 2 * least_of[id], 20, FREQUENCY);
			else
				offer_share(&findings, id, 4000, 2 * least_of[id], FREQUENCY);
			findings_settle(&findings);
			for (size_t i = 0; i < findings.count; i++)
				found += strcmp(findings.list[i].rule->name, names[id]) == 0;
			findings_free(&findings);
		}
		if (found < 0.95 * reports)
			printf("# %s: in %u of %u\n", names[id], found, reports);
		CU_ASSERT(found >= 0.95 * reports);
	}
}

/* What was asked for is no finding, nor is what nothing is known of. */
static void nothing(void)
{
	const uint64_t given[PRECIS_FIELD_WORDS] = { UINT64_C(1) << PRECIS_FIELD_MEM_LEVEL };
	const struct weighted all = weighted_of(5000, 10), half = weighted_of(2500, 10);
	const struct weighted none = weighted_of(0, 10);
	struct findings findings = { .given = given };
	const struct finding counted = { .size = 0.005, .count = 3 };

	findings_share(&findings, FINDING_ID_dram, PRECIS_FIELD_MEM_LEVEL, &all, &all, "loads", NULL);
	findings_share(&findings, FINDING_ID_dram, PRECIS_FIELD_MEM_REMOTE, &none, &none, "loads", NULL);
	findings_count(&findings, &counted, FINDING_ID_lost);
	CU_ASSERT_EQUAL(findings.tests, 0);
	findings_settle(&findings);
	CU_ASSERT_EQUAL(findings.count, 0);
	findings_share(&findings, FINDING_ID_dram, PRECIS_FIELD_MEM_REMOTE, &all, &all, "loads", NULL);
	findings_share(&findings, FINDING_ID_dram, PRECIS_FIELD_MEM_LEVEL, &half, &all, "loads", NULL);
	findings_settle(&findings);
	CU_ASSERT_EQUAL(findings.count, 2);
	findings_free(&findings);
}

/* Five at most, the weightiest first; of a rule that counts the largest */
static void order(void)
{
	const struct weighted whole = weighted_of(10000, 1);
	struct findings findings = { .count = 0 };
	struct finding counted = { .size = 0.02, .count = 2, .total = 98, .where = "first" };

	for (uint32_t id = 0; id < FINDING_IDS; id++) {
		const struct weighted part = weighted_of(4000 + 100 * id, 1);

		if (kinds[id] == FINDING_SHARE)
			findings_share(&findings, id, PRECIS_FIELD_OP, &part, &whole, "loads", NULL);
	}
	findings_count(&findings, &counted, FINDING_ID_throttled);
	counted = (struct finding){ .size = 0.9, .where = "second" };
	findings_count(&findings, &counted, FINDING_ID_throttled);
	counted.where = "third";
	findings_count(&findings, &counted, FINDING_ID_throttled);
	findings_settle(&findings);
	CU_ASSERT_EQUAL_FATAL(findings.count, FINDINGS_MOST);
	CU_ASSERT_STRING_EQUAL_FATAL(findings.list[0].rule->name, "throttled");
	CU_ASSERT_STRING_EQUAL(findings.list[0].where, "second");
	for (size_t n = 1; n < findings.count; n++)
		CU_ASSERT(findings.list[n - 1].size * findings.list[n - 1].rule->weight >=
			  findings.list[n].size * findings.list[n].rule->weight);
	findings_free(&findings);
}

static void says(const struct finding *finding, int is_command, const char *expected)
{
	const struct finding_words words = { " --pid=3", " f", " 'a b'" };
	char *text = is_command ? finding_command(finding, &words) : finding_sentence(finding);

	CU_ASSERT_FATAL(text != NULL);
	CU_ASSERT_STRING_EQUAL(text, expected);
	free(text);
}

static void sentences(void)
{
	const struct weighted part = weighted_of(500, 1), whole = weighted_of(1049, 1);
	struct findings findings = { .count = 0 };

	findings_share(&findings, FINDING_ID_remote_dram, PRECIS_FIELD_OP, &part, &whole, "loads", NULL);
	findings_settle(&findings);
	CU_ASSERT_EQUAL_FATAL(findings.count, 1);
	says(&findings.list[0], 0,
	     "48% [45,51] of 1049 loads get their data from the DRAM of another node.");
	says(&findings.list[0], 1,
	     "precis report --pid=3 --by node,symbol --columns samples,share,remote,DRAM 'a b'");
	findings_free(&findings);
	findings_share(&findings, FINDING_ID_hot_instruction, PRECIS_FIELD_IP, &part, &whole, "cycles",
		       "f+0x3 (a)");
	findings_in_function(&findings, FINDING_ID_remote_dram, "g"); /* of another rule */
	says(&findings.list[0], 1,
	     "precis report --pid=3 --by symbol,instruction --sort cycle_share 'a b'");
	findings_in_function(&findings, FINDING_ID_hot_instruction, "f");
	says(&findings.list[0], 1, "precis annotate --pid=3 f 'a b'");
	findings_free(&findings);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "where nothing is above its threshold at most 5 of 100 reports say so", errors },
		{ "nor do they of the one of many places that has most", errors_of_places },
		{ "what few samples add to a sum is none", few },
		{ "what is twice its threshold is found", power },
		{ "what was asked for, or is not known, is none", nothing },
		{ "five at most, by weight and size", order },
		{ "sentences and commands", sentences },
	};

	return tap_main("findings", cases, sizeof(cases) / sizeof(cases[0]));
}
