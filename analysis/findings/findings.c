/* SPDX-License-Identifier: BSD-3-Clause */
/* See findings.h. */
#include "findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "statistics/quantiles.h"

static const struct finding_rule rules[FINDING_IDS] = {
#define FINDING(name, kind, least, weight, sentence, command)                                      \
	[FINDING_ID_##name] = { #name, sentence, command, kind, (least) / 100.0, weight },
#include "rules.def"
};

static const char *const commands_of_functions[FINDING_IDS] = {
#define FINDING_OF_FUNCTION(name, command) [FINDING_ID_##name] = command,
#include "rules.def"
};

static void free_finding(struct finding *finding)
{
	free(finding->of);
	free(finding->where);
	free(finding->function);
}

void findings_free(struct findings *findings)
{
	for (size_t n = 0; n < findings->count; n++)
		free_finding(&findings->list[n]);
	free(findings->list);
	memset(findings, 0, sizeof(*findings));
}

/* --- what is offered --- */

void findings_of_ops(struct findings *findings, int is_of_ops)
{
	findings->is_of_ops = is_of_ops;
}

static const char *unit_of(const struct findings *findings)
{
	return findings->is_of_ops ? findings->unit : NULL;
}

static char *copy_of(struct findings *findings, const char *text)
{
	char *copy = text ? strdup(text) : NULL;

	findings->failed |= text && !copy;
	return copy;
}

/* Its texts are copied. */
static void add(struct findings *findings, const struct finding *found)
{
	if (findings->count == findings->room) {
		const size_t room = findings->room ? 2 * findings->room : 16;
		struct finding *more = realloc(findings->list, room * sizeof(*more));

		if (!more) {
			findings->failed = 1;
			return;
		}
		findings->list = more;
		findings->room = room;
	}
	findings->list[findings->count] = *found;
	findings->list[findings->count].order = findings->count;
	findings->list[findings->count].of = copy_of(findings, found->of);
	findings->list[findings->count].function = copy_of(findings, found->function);
	findings->list[findings->count++].where = copy_of(findings, found->where);
}

static int is_given(const struct findings *findings, uint32_t field)
{
	return findings->given && findings->given[field / 64] >> field % 64 & 1;
}

void findings_depend(struct findings *findings, double effect)
{
	findings->effect = effect;
}

struct confidence finding_confidence(const struct finding *finding)
{
	return (struct confidence){ INTERVAL_Z, finding->effect };
}

void findings_share(struct findings *findings, enum finding_id id, uint32_t field,
		    const struct weighted *part, const struct weighted *whole, const char *of,
		    const char *where)
{
	const struct finding_rule *rule = &rules[id];
	const struct finding found = {
		.rule = rule,
		.part = *part,
		.whole = *whole,
		.effect = findings->effect ? findings->effect : 1,
		.unit = unit_of(findings),
		.of = (char *)(uintptr_t)of,
		.where = (char *)(uintptr_t)where,
	};

	if (!whole->samples || (part->samples == whole->samples && is_given(findings, field)))
		return;
	findings->tests += rule->kind == FINDING_PLACE ? ceil(1 / rule->least) : 1;
	add(findings, &found);
}

void findings_in_function(struct findings *findings, enum finding_id id, const char *function)
{
	struct finding *last = findings->count ? &findings->list[findings->count - 1] : NULL;

	if (last && last->rule == &rules[id] && !last->function)
		last->function = copy_of(findings, function);
}

const char *finding_command_of(const struct finding *finding)
{
	const char *command = commands_of_functions[finding->rule - rules];

	return finding->function && command ? command : finding->rule->command;
}

void findings_count(struct findings *findings, const struct finding *found, enum finding_id id)
{
	struct finding finding = *found;

	finding.rule = &rules[id];
	finding.unit = unit_of(findings);
	if (finding.size <= 0 || finding.size < finding.rule->least)
		return;
	for (size_t n = 0; n < findings->count; n++) {
		struct finding *before = &findings->list[n];

		if (before->rule != finding.rule || before->unit != finding.unit)
			continue;
		if (before->size >= finding.size)
			return;
		free_finding(before);
		*before = findings->list[--findings->count];
	}
	add(findings, &finding);
}

/* --- what of it is certain --- */

static double fewest_of(const struct finding *finding)
{
	if (finding->rule->kind == FINDING_SUM || finding->rule->kind == FINDING_PLACE)
		return FINDINGS_FEWEST_OF_SUM;
	return weighted_are_counted(&finding->whole) ? 0 : WEIGHTED_FEWEST;
}

/* As many independent samples of equal weight, of which as many as the share says */
static double chance_of(const struct finding *finding)
{
	const uint64_t n = (uint64_t)(weighted_effective(&finding->whole) / finding->effect);
	const double share = weighted_share(&finding->part, &finding->whole);
	const int is_plain = weighted_are_counted(&finding->whole) && finding->effect == 1;
	const uint64_t k = is_plain ? finding->part.samples : (uint64_t)(share * (double)n);

	return chance_of_so_many(k, n, finding->rule->least);
}

/* 'chance': how likely it may be without being so, of which z is the quantile */
static int is_certain(struct finding *finding, double chance, double z)
{
	struct interval interval;

	if (finding->rule->kind == FINDING_COUNT)
		return 1;
	if (!(weighted_effective(&finding->whole) / finding->effect >= fewest_of(finding)))
		return 0;
	interval = weighted_interval_at(&finding->part, &finding->whole,
					(struct confidence){ z, finding->effect });
	finding->size = interval.low;
	return finding->size > finding->rule->least && chance_of(finding) <= chance;
}

/* The weightiest first; of the same weight in the order of rules, and then as they were offered */
static int compare(const void *a, const void *b)
{
	const struct finding *left = a, *right = b;
	const double weights[] = { left->size * left->rule->weight, right->size * right->rule->weight };

	if (weights[0] != weights[1])
		return weights[0] < weights[1] ? 1 : -1;
	if (left->rule != right->rule)
		return left->rule < right->rule ? -1 : 1;
	return (left->order > right->order) - (left->order < right->order);
}

void findings_settle(struct findings *findings)
{
	const double chance = findings->tests ? FINDINGS_ERROR / findings->tests : FINDINGS_ERROR;
	const double z = normal_upper(chance);
	size_t kept = 0;

	for (size_t n = 0; n < findings->count; n++) {
		struct finding *finding = &findings->list[n];

		if (is_certain(finding, chance, z))
			findings->list[kept++] = *finding;
		else
			free_finding(finding);
	}
	findings->count = kept;
	if (kept)
		qsort(findings->list, kept, sizeof(*findings->list), compare);
	while (findings->count > FINDINGS_MOST)
		free_finding(&findings->list[--findings->count]);
}
