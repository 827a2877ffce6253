/* SPDX-License-Identifier: BSD-3-Clause */
/* See calibration_file.h. */
#define _GNU_SOURCE /* mkostemp() */
#include "calibration_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_parts(FILE *file, const struct precis_plan_cost *cost)
{
	for (uint32_t part = 0; part < PRECIS_PLAN_PARTS; part++) {
		if (cost->knowledge[part] == PRECIS_PLAN_KNOWN)
			fprintf(file, "ns %s %.9g\n", precis_plan_part_name(part), cost->ns[part]);
	}
	for (uint32_t part = 0; part < PRECIS_PLAN_PARTS; part++) {
		for (uint32_t other = 0; other < PRECIS_PLAN_PARTS; other++) {
			if (cost->as[part][other] != 0)
				fprintf(file, "as %s %s %.9g\n", precis_plan_part_name(part),
					precis_plan_part_name(other), cost->as[part][other]);
		}
	}
	for (uint32_t part = 0; part < PRECIS_PLAN_PARTS; part++) {
		for (uint32_t other = 0; other <= part; other++) {
			if (cost->covariance[part][other] != 0)
				fprintf(file, "covariance %s %s %.9g\n", precis_plan_part_name(part),
					precis_plan_part_name(other), cost->covariance[part][other]);
		}
	}
}

static void write_all(FILE *file, const struct precis_plan_cost *costs, uint32_t count)
{
	fprintf(file, "precis-calibration 1\ncpu %s\nkernel %s\n", costs->cpu, costs->kernel);
	if (costs->governor[0])
		fprintf(file, "governor %s\n", costs->governor);
	fprintf(file, "made %s\n", costs->made);
	for (uint32_t n = 0; n < count; n++) {
		fprintf(file, "event %s\norigin %s\n", costs[n].event, costs[n].origin);
		write_parts(file, &costs[n]);
		fprintf(file, "between %.9g\nnoise %.9g\nreach %.9g\nreader-delay-ns %.9g\n",
			costs[n].between, costs[n].noise, costs[n].reach, costs[n].reader_delay_ns);
	}
	fprintf(file, "end %u\n", count);
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

/* The file beside it becomes it: nobody reads half of one */
static int write_beside(const char *path, const struct precis_plan_cost *costs, uint32_t count)
{
	char beside[PATH_MAX];
	FILE *file = NULL;
	int fd, error = 0;

	if (snprintf(beside, sizeof(beside), "%s.XXXXXX", path) >= (int)sizeof(beside)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(beside, O_CLOEXEC);
	if (fd < 0)
		return -1;
	fchmod(fd, 0644);
	file = fdopen(fd, "w");
	if (!file) {
		error = errno;
		close(fd);
	} else {
		write_all(file, costs, count);
		if (fflush(file) || ferror(file) || fsync(fd))
			error = errno;
		if (fclose(file) && !error)
			error = errno;
	}
	if (!error && rename(beside, path))
		error = errno;
	if (error)
		unlink(beside);
	errno = error;
	return error ? -1 : 0;
}

int calibration_write(const char *path, const struct precis_plan_cost *costs, uint32_t count)
{
	struct stat status;

	/* a pipe or a device is written to as it is */
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
		FILE *file = fopen(path, "we");

		if (!file)
			return -1;
		write_all(file, costs, count);
		return fclose(file) ? -1 : 0;
	}
	return make_directories(path) ? -1 : write_beside(path, costs, count);
}
