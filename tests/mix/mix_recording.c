// SPDX-License-Identifier: BSD-3-Clause
/*
 * A perf.data of a program that is known to the last block, as a simulated CPU samples it.
 *
 *	mix_recording [--model NAME] [--seed N] [--samples N] [--stacks N] TRACE FILE
 *	mix_recording --models
 *
 * TRACE and TRACE.maps are what tests/mix/trace.sh makes. What each instruction really was executed is told
 * by mix_table --counts TRACE. Exit code 77 in a build that decodes no instructions.
 */
#include <precis/code.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"

static int usage(void)
{
	fputs("usage: mix_recording [--model NAME] [--seed N] [--samples N] [--stacks N] TRACE FILE\n"
	      "       mix_recording --models\n", stderr);
	return 2;
}

static int list_models(void)
{
	for (const struct simulated_model *model = simulated_models; model->name; model++)
		puts(model->name);
	return 0;
}

static int record(const char *trace, const char *path, const struct simulated *how)
{
	const char *slash = strrchr(trace, '/');
	struct truth truth;
	char maps[4096];
	int status;

	if (truth_read(&truth, trace) < 0)
		return 1;
	snprintf(maps, sizeof(maps), "%s.maps", trace);
	if (how->samples > truth.executed || how->stacks > truth.taken) {
		fprintf(stderr, "%s: too short for so many samples or stacks\n", trace);
		truth_free(&truth);
		return 1;
	}
	status = recording_write(path, &truth, how, slash ? slash + 1 : trace, maps);
	truth_free(&truth);
	return status < 0;
}

/* @return how many texts were options; negative: not understood */
static int take_options(int count, char **texts, struct simulated *how)
{
	const struct simulated_model *model = simulated_models;
	struct simulated given = { .seed = 1, .samples = 14000, .stacks = 11000 };
	int n = 1;

	for (; n + 1 < count && strncmp(texts[n], "--", 2) == 0; n += 2) {
		const uint64_t number = strtoull(texts[n + 1], NULL, 10);

		if (strcmp(texts[n], "--model") == 0)
			model = simulated_find(texts[n + 1]);
		else if (strcmp(texts[n], "--seed") == 0)
			given.seed = number;
		else if (strcmp(texts[n], "--samples") == 0)
			given.samples = (uint32_t)number;
		else if (strcmp(texts[n], "--stacks") == 0)
			given.stacks = (uint32_t)number;
		else
			return -1;
	}
	if (!model)
		return -1;
	*how = model->how;
	how->seed = given.seed;
	how->samples = given.samples;
	how->stacks = given.stacks;
	return n;
}

int main(int count, char **texts)
{
	struct simulated how;
	int n;

	if (count == 2 && strcmp(texts[1], "--models") == 0)
		return list_models();
	if (!precis_code_available())
		return 77;
	n = take_options(count, texts, &how);
	return n < 0 || count != n + 2 ? usage() : record(texts[n], texts[n + 1], &how);
}
