/* SPDX-License-Identifier: BSD-3-Clause */
/* What this machine can sample, as text and as JSON. */
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "machine_pebs.h"
#include "document/json.h"
#include "document/quote.h"
#include "document/wrap.h"

#define FINDING_BYTES 512
#define FINDING_COLUMN 26

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

/* What to type, or NULL. Periods are primes, or 16 times a prime: they do not beat with loops. */
static const char *command_for(const struct machine_scope *scope)
{
	static const char *const commands[2][3] = {
		{ "perf record -e ibs_fetch// --raw-samples -c 100112 -a -- sleep 10",
		  "perf record -e ibs_fetch// --raw-samples -c 100112 -- COMMAND",
		  "perf record -e ibs_fetch/swfilt=1/u --raw-samples -c 100112 -- COMMAND" },
		{ "perf record -e ibs_op/cnt_ctl=1/ --raw-samples -c 100112 -a -- sleep 10",
		  "perf record -e ibs_op/cnt_ctl=1/ --raw-samples -c 100112 -- COMMAND",
		  "perf record -e ibs_op/cnt_ctl=1,swfilt=1/u --raw-samples -c 100112 -- COMMAND" },
	};

	if (scope->pebs && !scope->ibs_op && !scope->ibs_fetch)
		return scope->pebs_memory ? "perf mem record --ldlat 30 -- COMMAND" :
					    "perf record -e cycles:P -c 1001123 -- COMMAND";
	if (!scope->ibs_op && !scope->ibs_fetch)
		return NULL;
	return commands[scope->ibs_op][scope->ibs_system_wide ? 0 : 1 + scope->ibs_needs_filter];
}

static void print_column(struct output *output, const char *text)
{
	struct wrap wrap = wrap_begin(output, FINDING_COLUMN);

	wrap_text(&wrap, text);
	output_bytes(output, "\n", 1);
}

void machine_print_text(const struct machine *machine, struct output *output)
{
	const struct machine_check *check;
	struct machine_scope scope;
	char finding[FINDING_BYTES];
	const char *command;

	output_text(output, "machine   ");
	output_plain(output, *machine->model_name ? machine->model_name : "unknown CPU");
	output_text(output, ", Linux ");
	output_plain(output, *machine->release ? machine->release : "of unknown release");
	output_text(output, "\n\n");
	for (uint32_t n = 0; (check = machine_check(n)); n++) {
		enum machine_verdict verdict = check->test(machine, finding, sizeof(finding));

		if (verdict == MACHINE_SKIP)
			continue;
		output_format(output, "%-9s %-15s ", machine_verdict_name(verdict), check->name);
		print_column(output, finding);
		if (verdict != MACHINE_YES && check->advice) {
			output_format(output, "%*s", FINDING_COLUMN, "-> ");
			print_column(output, check->advice);
		}
	}
	machine_scope(machine, &scope);
	summarize(&scope, finding, sizeof(finding));
	output_format(output, "\nprecise sampling here: %s\n", finding);
	command = command_for(&scope);
	if (command)
		output_format(output, "\n  %s\n", command);
}

/* Of an Intel machine: null where the register cannot be read */
static void print_capabilities(const struct machine *machine, struct json *json)
{
	const struct machine_core_pmu *pmu;

	json_array(json, "perf_capabilities");
	for (uint32_t n = 0; machine->cpu.vendor == PRECIS_VENDOR_INTEL &&
			     (pmu = machine_core_pmu(machine, n)); n++) {
		json_object(json, NULL);
		json_text(json, "pmu", pmu->name);
		if (pmu->has_capabilities)
			json_hex(json, "value", pmu->capabilities);
		else
			json_text(json, "value", NULL);
		json_text(json, "reason", pmu->has_capabilities ? NULL : pmu->why_no_capabilities);
		json_object_end(json);
	}
	json_array_end(json);
}

void machine_print_json(const struct machine *machine, struct output *output)
{
	struct json json = { .output = output, .indent = 1 };
	const struct machine_check *check;
	struct machine_scope scope;
	char finding[FINDING_BYTES];
	int any;

	machine_scope(machine, &scope);
	any = scope.ibs_op || scope.ibs_fetch;
	json_object(&json, NULL);
	json_text(&json, "cpu", *machine->model_name ? machine->model_name : NULL);
	json_text(&json, "os_release", *machine->release ? machine->release : NULL);
	json_bool(&json, "ibs_op", scope.ibs_op);
	json_bool(&json, "ibs_fetch", scope.ibs_fetch);
	json_bool(&json, "pebs", scope.pebs);
	json_bool(&json, "pebs_memory", scope.pebs_memory);
	json_bool(&json, "ibs_system_wide", any && scope.ibs_system_wide);
	json_bool(&json, "ibs_per_task", any && scope.ibs_per_task);
	json_text(&json, "command", command_for(&scope));
	print_capabilities(machine, &json);
	json_array(&json, "checks");
	for (uint32_t n = 0; (check = machine_check(n)); n++) {
		enum machine_verdict verdict = check->test(machine, finding, sizeof(finding));

		if (verdict == MACHINE_SKIP)
			continue;
		json_object(&json, NULL);
		json_text(&json, "name", check->name);
		json_text(&json, "verdict", machine_verdict_name(verdict));
		json_text(&json, "finding", finding);
		json_text(&json, "advice", verdict == MACHINE_YES ? NULL : check->advice);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_object_end(&json);
}
