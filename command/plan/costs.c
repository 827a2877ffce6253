/* SPDX-License-Identifier: BSD-3-Clause */
/* See costs.h. */
#include "costs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command/usage/complain.h"

#define CALIBRATION_MOST (1u << 20) /* bytes: more are no calibration */

int plan_calibration_path(const struct plan_options *options, char path[PATH_MAX])
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int length;

	if (options->calibration)
		length = snprintf(path, PATH_MAX, "%s", options->calibration);
	else if (config && config[0] == '/')
		length = snprintf(path, PATH_MAX, "%s/precis/calibration", config);
	else if (home && home[0])
		length = snprintf(path, PATH_MAX, "%s/.config/precis/calibration", home);
	else
		return -1;
	return length > 0 && length < PATH_MAX ? 0 : -1;
}

/* The whole file, or NULL and errno */
static char *read_file(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "re");
	char *text = file ? malloc(CALIBRATION_MOST) : NULL;
	int error;

	if (file && text) {
		*bytes = fread(text, 1, CALIBRATION_MOST, file);
		error = ferror(file) ? errno : *bytes == CALIBRATION_MOST ? EFBIG : 0;
		if (error) {
			free(text);
			text = NULL;
			errno = error;
		}
	}
	if (file) {
		error = errno;
		fclose(file);
		errno = error;
	}
	return text;
}

/* 1 if the text has the event, 0 if not, -1 after it has been said what is wrong with it */
static int find_event(const struct plan_options *options, const char *path, const char *text,
		      size_t bytes, const struct plan_event *event, struct precis_plan_cost *cost)
{
	struct precis_plan_fault fault = { .size = sizeof(fault) };
	int code;

	for (uint32_t n = 0;; n++) {
		cost->size = sizeof(*cost);
		code = precis_plan_parse(text, bytes, n, cost, &fault);
		if (code)
			break;
		if (strcmp(cost->event, event->name) == 0)
			return 1;
	}
	if (code == PRECIS_E_NO_FIELD)
		return 0;
	complain(options->command, "%s: line %u, offset 0x%" PRIx64 " (%" PRIu64 "): %s", path, fault.line,
		 fault.offset, fault.offset, fault.what ? fault.what : precis_strerror(code));
	return -1;
}

static int is_this_machine(const struct precis_plan_cost *cost, const struct plan_setting *setting)
{
	return strcmp(cost->cpu, setting->cpu) == 0 && strcmp(cost->kernel, setting->kernel) == 0;
}

/* 1 if it is taken, 0 if not, for a reason in 'note'; -1 after an error has been said */
static int take_calibration(const struct plan_options *options, const struct plan_setting *setting,
			    const struct plan_event *event, struct precis_plan_cost *cost, char *note)
{
	char path[PATH_MAX], *text;
	size_t bytes;
	int found;

	if (plan_calibration_path(options, path)) {
		snprintf(note, PLAN_NOTE, "there is no calibration: neither HOME nor XDG_CONFIG_HOME is set");
		return 0;
	}
	text = read_file(path, &bytes);
	if (!text && (options->calibration || errno != ENOENT)) {
		complain(options->command, "%s: %s", path, strerror(errno));
		return -1;
	}
	if (!text) {
		snprintf(note, PLAN_NOTE, "there is no calibration of this machine: precis plan --calibrate");
		return 0;
	}
	found = find_event(options, path, text, bytes, event, cost);
	free(text);
	if (found < 0)
		return -1;
	if (!found) {
		snprintf(note, PLAN_NOTE, "the calibration has no %s", event->name);
		return 0;
	}
	if (is_this_machine(cost, setting))
		return 1;
	snprintf(note, PLAN_NOTE, "the calibration is of %s with Linux %s, which this machine is not",
		 cost->cpu, cost->kernel);
	return options->calibration != NULL;
}

static int take_published(const struct plan_options *options, const struct plan_event *event,
			  struct precis_plan_cost *cost)
{
	const uint64_t parts = PLAN_USUAL_PARTS | event->parts | options->parts;
	char name[64];
	uint32_t n = 0;

	if (!event->published)
		return 0;
	snprintf(name, sizeof(name), "%s%s", event->published,
		 event->pebs_bytes &&
				 (options->is_signalled || precis_plan_ends_large_pebs(parts)) ?
			 "-interrupt" : "");
	do {
		cost->size = sizeof(*cost);
		if (precis_plan_published(n++, cost))
			return 0;
	} while (strcmp(cost->event, name) != 0);
	return 1;
}

int plan_cost_find(const struct plan_options *options, const struct plan_setting *setting,
		   const struct plan_event *event, struct precis_plan_cost *cost,
		   char note[PLAN_NOTE])
{
	int found = 0;

	note[0] = '\0';
	if (!options->is_published)
		found = take_calibration(options, setting, event, cost, note);
	if (found < 0)
		return EXIT_FAILED;
	if (found || take_published(options, event, cost))
		return EXIT_OK;
	complain(options->command, "what a sample of %s costs is not known: %s%snothing has been published",
		 event->name, note, note[0] ? ", and " : "");
	return EXIT_FAILED;
}
