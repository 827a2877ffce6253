/* SPDX-License-Identifier: BSD-3-Clause */
/* What this machine can sample, as a document. */
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "machine_core.h"

#define FINDING_BYTES 512

/* Columns of text: verdicts; verdicts and names of checks */
#define MACHINE_LABEL 9
#define FINDING_LABEL 25

/* "ibs_op and ibs_fetch, the whole system and single processes" */
static void summarize(const struct machine_scope *scope, char *text, size_t room)
{
	if (scope->ibs_op || scope->ibs_fetch)
		snprintf(text, room, "yes: %s%s%s, %s%s",
			 scope->ibs_op ? "ibs_op" : "",
			 scope->ibs_op && scope->ibs_fetch ? " and " : "",
			 scope->ibs_fetch ? "ibs_fetch" : "",
			 scope->ibs_system_wide && scope->ibs_per_task ?
				 "the whole system and single processes" :
			 scope->ibs_system_wide ? "the whole system only" :
						  "own processes only",
			 scope->ibs_needs_filter ? ", user space only" : "");
	else if (scope->pebs)
		snprintf(text, room, "yes: PEBS, %s",
			 scope->pebs_memory ? "loads and stores with address, source and latency" :
					      "without events of memory accesses");
	else
		snprintf(text, room, "no");
}

/* What to type, or NULL. Periods are primes, or 16 times a prime, as those of precis-record. */
static const char *command_for(const struct machine_scope *scope)
{
	static const char *const commands[2][3] = {
		{ "perf record -e ibs_fetch// --raw-samples -c 104752 -a -- sleep 10",
		  "perf record -e ibs_fetch// --raw-samples -c 104752 -- COMMAND",
		  "perf record -e ibs_fetch/swfilt=1/u --raw-samples -c 104752 -- COMMAND" },
		{ "perf record -e ibs_op/cnt_ctl=1/ --raw-samples -c 104752 -a -- sleep 10",
		  "perf record -e ibs_op/cnt_ctl=1/ --raw-samples -c 104752 -- COMMAND",
		  "perf record -e ibs_op/cnt_ctl=1,swfilt=1/u --raw-samples -c 104752 -- COMMAND" },
	};

	if (scope->pebs && !scope->ibs_op && !scope->ibs_fetch)
		return scope->pebs_memory ? "perf mem record --ldlat 30 -- COMMAND" :
					    "perf record -e cycles:P -c 1047523 -- COMMAND";
	if (!scope->ibs_op && !scope->ibs_fetch)
		return NULL;
	return commands[scope->ibs_op][scope->ibs_system_wide ? 0 : 1 + scope->ibs_needs_filter];
}

/* Of an Intel machine: absent where the register cannot be read */
static void fact_capabilities(const struct machine *machine, struct document *document)
{
	const struct machine_core_pmu *pmu;

	fact(document, "perf_capabilities");
	cell_entries(document);
	for (uint32_t n = 0; machine->cpu.vendor == PRECIS_VENDOR_INTEL &&
			     (pmu = machine_core_pmu(machine, n)); n++) {
		member_members(document, NULL);
		member_text(document, "pmu", pmu->name);
		if (pmu->has_capabilities)
			member_address(document, "value", pmu->capabilities);
		else
			member_absent(document, "value", NULL);
		member_text(document, "reason",
			    pmu->has_capabilities ? NULL : pmu->why_no_capabilities);
		close_nest(document);
	}
	close_nest(document);
}

static void facts_machine(const struct machine *machine, const struct machine_scope *scope,
			  struct document *document)
{
	int any = scope->ibs_op || scope->ibs_fetch;

	facts_begin(document, "machine", 0, MACHINE_LABEL);
	fact_text(document, "cpu", "machine", *machine->model_name ? machine->model_name : NULL);
	fact_says(document, "%s, Linux %s", *machine->model_name ? machine->model_name : "unknown CPU",
		  *machine->release ? machine->release : "of unknown release");
	fact_text(document, "os_release", NULL, *machine->release ? machine->release : NULL);
	fact_bool(document, "ibs_op", scope->ibs_op);
	fact_bool(document, "ibs_fetch", scope->ibs_fetch);
	fact_bool(document, "pebs", scope->pebs);
	fact_bool(document, "pebs_memory", scope->pebs_memory);
	fact_bool(document, "ibs_system_wide", any && scope->ibs_system_wide);
	fact_bool(document, "ibs_per_task", any && scope->ibs_per_task);
	fact_text(document, "command", NULL, command_for(scope));
	fact_capabilities(machine, document);
}

static void facts_check(const struct machine_check *check, enum machine_verdict verdict,
			const char *finding, struct document *document)
{
	const char *advice = verdict == MACHINE_YES ? NULL : check->advice;

	facts_begin(document, "checks", 0, FINDING_LABEL);
	facts_entry_of(document, "checks");
	fact_text(document, "name", NULL, check->name);
	fact_text(document, "verdict", NULL, machine_verdict_name(verdict));
	fact_text(document, "finding", "", finding);
	fact_label(document, "%-*s %s", MACHINE_LABEL, machine_verdict_name(verdict), check->name);
	fact_text(document, "advice", NULL, advice);
	if (advice)
		fact_label(document, "%*s", FINDING_LABEL, "->");
}

/* For people: what the checks come to, and what to type */
static void summary(const struct machine_scope *scope, struct document *document)
{
	const char *command = command_for(scope);
	char text[FINDING_BYTES];

	summarize(scope, text, sizeof(text));
	facts_begin(document, "machine", 0, 0);
	facts_title(document, "precise sampling here: %s", text);
	if (!command)
		return;
	facts_begin(document, "machine", 1, 0);
	fact(document, "");
	fact_label(document, "%s", "");
	fact_says_word(document, command);
}

void machine_describe(const struct machine *machine, struct document *document)
{
	const struct machine_check *check;
	struct machine_scope scope;
	char finding[FINDING_BYTES];
	int any = 0;

	document->is_bare = 1;
	document->absent_means = "there is none, or it is not known";
	machine_scope(machine, &scope);
	facts_machine(machine, &scope, document);
	for (uint32_t n = 0; (check = machine_check(n)); n++) {
		enum machine_verdict verdict = check->test(machine, finding, sizeof(finding));

		if (verdict == MACHINE_SKIP)
			continue;
		facts_check(check, verdict, finding, document);
		if (any++)
			facts_follow(document);
	}
	summary(&scope, document);
}
