/* SPDX-License-Identifier: BSD-3-Clause */
/* A command, or a process that runs, is observed (sharing/live.h). */
#ifndef SHARING_LIVE_RUN_H
#define SHARING_LIVE_RUN_H

#include <sys/types.h>

#include "access_source.h"
#include "sharing/live.h"

enum live_method { LIVE_EXPERIMENTS, LIVE_COMDETECTIVE };

struct live_request {
	char **command; /* NULL: the process 'pid' */
	pid_t pid;
	struct access_request source;
	enum live_method method;
	struct live_settings settings;
	const char *command_name; /* for messages */
};

struct live_observed {
	struct live_result result;
	struct access_told source;
	pid_t pid;
	char *maps; /* what was mapped there, last; NULL: that is not known */
	int is_traced; /* a debugger has it, too */
	int end; /* of the command, as waitpid(2) has it */
};

/* Why a register could not be had, by errno */
const char *live_refusal_text(int error);

/* EXIT_OK; or an exit code, after the error was printed. To be freed in any case */
int live_run(struct live_request *request, struct live_observed *observed);
void live_observed_free(struct live_observed *observed);

#endif
