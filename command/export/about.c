/* SPDX-License-Identifier: BSD-3-Clause */
/* See about.h. */
#include "about.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command/recording/losses.h"

/* What the recording does not say is not there. */
static void add(struct about *about, const char *key, const char *value)
{
	size_t used;

	if (!value || about->count == ABOUT_MOST)
		return;
	about->fact[about->count].key = key;
	used = precis_escape(value, strlen(value), 0, about->fact[about->count].value,
			     sizeof(about->fact[0].value) - 1, &used);
	about->fact[about->count++].value[used] = '\0';
}

static void add_number(struct about *about, const char *key, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	add(about, key, text);
}

void about_reading(struct about *about, const struct recording *recording, uint64_t samples)
{
	char text[200];

	add_number(about, "samples", samples);
	add(about, "complete", recording->broken ? "0" : "1");
	if (losses_in_short(recording, text, sizeof(text)))
		add(about, "lost", text);
}

void about_recording(struct about *about, const struct recording *recording)
{
	struct precis_file_info info = { .size = sizeof(info) };

	memset(about, 0, sizeof(*about));
	precis_file_info(recording->file, &info);
	add(about, "precis", precis_version());
	add(about, "recording", recording->path);
	add(about, "hostname", info.hostname);
	add(about, "os_release", info.os_release);
	add(about, "arch", info.arch);
	add(about, "cpuid", info.cpuid);
	add(about, "cpu", info.cpu_description);
	add(about, "perf_version", info.perf_version);
	if (info.has_sample_time) {
		add_number(about, "first_time", info.first_time);
		add_number(about, "last_time", info.last_time);
	}
}
