/* SPDX-License-Identifier: BSD-3-Clause */
/* See calibration_file.h. */
#include "calibration_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "document/output.h"

static void write_parts(struct output *output, const struct precis_plan_cost *cost)
{
	for (uint32_t cause = 0; cause < PRECIS_PLAN_CAUSES; cause++) {
		if (cost->knowledge[cause] == PRECIS_PLAN_KNOWN)
			output_format(output, "ns %s %.9g\n", precis_plan_cause_name(cause),
				      cost->ns[cause]);
	}
	for (uint32_t cause = 0; cause < PRECIS_PLAN_CAUSES; cause++) {
		for (uint32_t other = 0; other < PRECIS_PLAN_CAUSES; other++) {
			if (cost->as[cause][other] != 0)
				output_format(
					output, "as %s %s %.9g\n", precis_plan_cause_name(cause),
					precis_plan_cause_name(other), cost->as[cause][other]);
		}
	}
	for (uint32_t cause = 0; cause < PRECIS_PLAN_CAUSES; cause++) {
		for (uint32_t other = 0; other <= cause; other++) {
			if (cost->covariance[cause][other] != 0)
				output_format(output, "covariance %s %s %.9g\n",
					      precis_plan_cause_name(cause),
					      precis_plan_cause_name(other),
					      cost->covariance[cause][other]);
		}
	}
}

static void write_all(struct output *output, const struct precis_plan_cost *costs, uint32_t count)
{
	output_format(output, "precis-calibration 1\ncpu %s\nkernel %s\n", costs->cpu, costs->kernel);
	if (costs->governor[0])
		output_format(output, "governor %s\n", costs->governor);
	output_format(output, "made %s\n", costs->made);
	for (uint32_t n = 0; n < count; n++) {
		output_format(output, "event %s\norigin %s\n", costs[n].event, costs[n].origin);
		write_parts(output, &costs[n]);
		output_format(output, "between %.9g\nnoise %.9g\nreach %.9g\nreader-delay-ns %.9g\n",
			costs[n].between, costs[n].noise, costs[n].reach, costs[n].reader_delay_ns);
	}
	output_format(output, "end %u\n", count);
}

static int make_directories(const char *path)
{
	char above[PATH_MAX];

	if (snprintf(above, sizeof(above), "%s", path) >= (int)sizeof(above)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	for (char *at = strchr(above + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		if (mkdir(above, 0777) && errno != EEXIST)
			return -1;
		*at = '/';
	}
	return 0;
}

int calibration_check(const char *path)
{
	return make_directories(path) ? -1 : output_check(path);
}

int calibration_write(const char *path, const struct precis_plan_cost *costs, uint32_t count)
{
	struct output output;

	if (make_directories(path) || output_open_whole(&output, path))
		return -1;
	write_all(&output, costs, count);
	return output_close(&output);
}
