/* SPDX-License-Identifier: BSD-3-Clause */
/* See live_run.h. */
#include "live_run.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "command/usage/complain.h"
#include "command/usage/interruption.h"
#include "mappings.h"
#include "program.h"
#include "sharing/comdetective/live_comdetective.h"
#include "sharing/threads.h"

struct run {
	const struct live_request *request;
	struct live_observed *observed;
	struct access_source source;
	struct program program;
	struct live *live;
	const volatile sig_atomic_t *interruption;
};

/* --- what the engine asks --- */

static int next(void *of, struct sampled_access *access)
{
	struct run *run = of;

	return access_source_next(&run->source, access);
}

static void look(void *of)
{
	struct run *run = of;

	access_source_look(&run->source);
}

static uint64_t cost_ns(void *of)
{
	const struct run *run = of;

	return access_source_cost_ns(&run->source);
}

static int has_ended(void *of)
{
	struct run *run = of;

	program_look(&run->program);
	return run->program.has_ended;
}

static int is_enough(void *of)
{
	const struct run *run = of;

	return *run->interruption != 0;
}

/* What is mapped there, and has a debugger come? */
static void look_around(void *of)
{
	struct run *run = of;
	char *maps = mappings_read(run->program.pid);

	run->observed->is_traced |= program_is_traced(&run->program);
	if (!maps)
		return;
	free(run->observed->maps);
	run->observed->maps = maps;
}

/* --- beginning --- */

static int begin_source(struct run *run)
{
	const struct live_request *request = run->request;
	const int error =
		access_source_prepare(&run->source, &request->source, request->command != NULL);

	if (!error)
		return EXIT_OK;
	complain(request->command_name, "%s: %s",
		 request->source.accesses ? request->source.accesses : "memfd_create",
		 error == -EINVAL ? "not a ring of accesses that a program hands over"
				  : strerror(-error));
	return EXIT_FAILED;
}

static int begin_program(struct run *run)
{
	const struct live_request *request = run->request;
	int code;

	if (request->command) {
		code = program_begin(&run->program, request->command, PRECIS_ACCESSES_ENVIRONMENT,
				     request->command_name);
		if (code)
			return code;
	} else if (program_attach(&run->program, request->pid)) {
		complain(request->command_name, "there is no process %d", (int)request->pid);
		return EXIT_FAILED;
	}
	threads_allow_files();
	if (!access_source_open(&run->source, &request->source, run->program.pid,
				request->command != NULL)) {
		if (request->command)
			program_release(&run->program, run->source.origin == ORIGIN_PROGRAM);
		return EXIT_OK;
	}
	complain(request->command_name, "the PMU samples no accesses here: %s%s",
		 run->source.why_no_pmu,
		 request->command ? "" : "; a program can hand its own over (--accesses FILE)");
	return EXIT_FAILED;
}

const char *live_refusal_text(int error)
{
	switch (error) {
	case ENOSPC:
		return "all are taken, by a debugger or by other events";
	case EACCES:
	case EPERM:
		return "this is not permitted (another user's process, kernel.perf_event_paranoid, or a "
		       "container that forbids perf_event_open(2))";
	case EMFILE:
	case ENFILE:
		return "too many open files (four of each thread)";
	case ENOSYS:
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		return "this kernel, or what it runs on, has no breakpoint events";
	default:
		return strerror(error);
	}
}

static int begin(struct run *run)
{
	const char *name = run->request->command_name;
	int error, code = begin_source(run);

	if (code)
		return code;
	switch (live_open(&run->live, &run->request->settings, &run->observed->result, &error)) {
	case LIVE_FINE:
		return begin_program(run);
	case LIVE_NO_MEMORY:
		complain(name, "out of memory");
		return EXIT_FAILED;
	case LIVE_NO_REGISTER:
		complain(name, "no debug register can be had: %s", live_refusal_text(error));
		return EXIT_FAILED;
	}
	return EXIT_FAILED;
}

static void observe(struct run *run)
{
	const struct live_host host = {
		.of = run,
		.pid = run->program.pid,
		.tells_bytes = run->source.origin == ORIGIN_PROGRAM,
		.next = next,
		.look = look,
		.cost_ns = cost_ns,
		.is_all = 1,
		.has_ended = has_ended,
		.is_enough = is_enough,
		.look_around = look_around,
	};

	run->interruption = interruption_await();
	live_observe(run->live, &host);
	if (*run->interruption && run->request->command && !run->program.has_ended)
		kill(run->program.pid, SIGTERM);
	access_source_tell(&run->source, &run->observed->source);
	if (run->source.origin == ORIGIN_PMU) /* whether or not one came */
		run->observed->result.heaviest = run->source.pmu.events[0].weight;
}

int live_run(struct live_request *request, struct live_observed *observed)
{
	struct run run = { .request = request,
			   .observed = observed,
			   .source = { .handed.fd = -1 },
			   .program.gate = -1 };
	int code;

	memset(observed, 0, sizeof(*observed));
	request->settings.rules = request->method == LIVE_COMDETECTIVE ? &live_comdetective : NULL;
	code = begin(&run);
	if (!code)
		observe(&run);
	live_close(run.live);
	access_source_close(&run.source);
	program_await(&run.program);
	observed->pid = run.program.pid;
	observed->end = run.program.end;
	return code;
}

void live_observed_free(struct live_observed *observed)
{
	live_free(&observed->result);
	free(observed->maps);
	memset(observed, 0, sizeof(*observed));
}
