/* SPDX-License-Identifier: BSD-3-Clause */
/* What is written is read again, number for number, and a file is there whole or as it was before. */
#include "command/plan/calibration_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/files.h"
#include "tests/support/tap.h"

static char directory[] = "/tmp/precis-calibration.XXXXXX";

static struct precis_plan_cost some(const char *event, double ns)
{
	struct precis_plan_cost cost = { .size = sizeof(cost), .source = PRECIS_PLAN_CALIBRATED,
					 .between = 0.0123456789, .noise = 1.0 / 3, .reach = 2.39,
					 .reader_delay_ns = 81234.5678 };

	cost.knowledge[PRECIS_PLAN_SAMPLE] = cost.knowledge[PRECIS_PLAN_BYTE] = PRECIS_PLAN_KNOWN;
	cost.ns[PRECIS_PLAN_SAMPLE] = ns;
	cost.ns[PRECIS_PLAN_BYTE] = 2.5e-3;
	cost.knowledge[PRECIS_PLAN_WAKEUP] = PRECIS_PLAN_MERGED;
	cost.as[PRECIS_PLAN_WAKEUP][PRECIS_PLAN_SAMPLE] = 1;
	cost.as[PRECIS_PLAN_WAKEUP][PRECIS_PLAN_BYTE] = -0.001;
	cost.covariance[PRECIS_PLAN_SAMPLE][PRECIS_PLAN_SAMPLE] = 1234.5;
	cost.covariance[PRECIS_PLAN_BYTE][PRECIS_PLAN_BYTE] = 1e-8;
	cost.covariance[PRECIS_PLAN_BYTE][PRECIS_PLAN_SAMPLE] =
		cost.covariance[PRECIS_PLAN_SAMPLE][PRECIS_PLAN_BYTE] = -1e-3;
	snprintf(cost.event, sizeof(cost.event), "%s", event);
	snprintf(cost.cpu, sizeof(cost.cpu), "AuthenticAMD,26,2,1");
	snprintf(cost.kernel, sizeof(cost.kernel), "6.18");
	snprintf(cost.made, sizeof(cost.made), "2026-11-25T15:00:00Z");
	snprintf(cost.origin, sizeof(cost.origin), "3 programs");
	return cost;
}

static void path_of(const char *name, char path[256])
{
	snprintf(path, 256, "%s/%s", directory, name);
}

static int read_one(const char *path, uint32_t n, struct precis_plan_cost *cost)
{
	static char text[65536];
	FILE *file = fopen(path, "re");
	size_t bytes;

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	bytes = fread(text, 1, sizeof(text), file);
	fclose(file);
	cost->size = sizeof(*cost);
	return precis_plan_parse(text, bytes, n, cost, NULL);
}

static void same(double a, double b)
{
	CU_ASSERT_DOUBLE_EQUAL(a, b, 1e-8 * fabs(b));
}

static void round_trip(void)
{
	const struct precis_plan_cost costs[] = { some("page-faults", 812.25), some("cpu-clock", 1e4 / 3) };
	struct precis_plan_cost found;
	char path[256];

	path_of("new/and/newer", path);
	CU_ASSERT_EQUAL_FATAL(calibration_write(path, costs, 2), 0);
	for (uint32_t n = 0; n < 2; n++) {
		CU_ASSERT_EQUAL(read_one(path, n, &found), 0);
		CU_ASSERT_STRING_EQUAL(found.event, costs[n].event);
		CU_ASSERT_STRING_EQUAL(found.cpu, costs[n].cpu);
		CU_ASSERT_STRING_EQUAL(found.made, costs[n].made);
		CU_ASSERT_STRING_EQUAL(found.origin, costs[n].origin);
		CU_ASSERT_EQUAL(memcmp(found.knowledge, costs[n].knowledge, sizeof(found.knowledge)), 0);
		for (uint32_t i = 0; i < PRECIS_PLAN_CAUSES; i++) {
			same(found.ns[i], costs[n].ns[i]);
			for (uint32_t j = 0; j < PRECIS_PLAN_CAUSES; j++) {
				same(found.covariance[i][j], costs[n].covariance[i][j]);
				same(found.as[i][j], costs[n].as[i][j]);
			}
		}
		same(found.between, costs[n].between);
		same(found.noise, costs[n].noise);
		same(found.reach, costs[n].reach);
		same(found.reader_delay_ns, costs[n].reader_delay_ns);
	}
}

static void failures(void)
{
	const struct precis_plan_cost cost = some("page-faults", 1);
	char path[256];
	int before;

	path_of("plain", path);
	CU_ASSERT_EQUAL(calibration_write(path, &cost, 1), 0);
	before = files_in(directory);
	/* a file is no directory */
	path_of("plain/below", path);
	errno = 0;
	CU_ASSERT_EQUAL(calibration_write(path, &cost, 1), -1);
	CU_ASSERT_EQUAL(errno, ENOTDIR);
	CU_ASSERT_EQUAL(files_in(directory), before);
	if (access("/dev/full", W_OK)) {
		tap_skip("there is no /dev/full");
		return;
	}
	errno = 0;
	CU_ASSERT_EQUAL(calibration_write("/dev/full", &cost, 1), -1);
	CU_ASSERT_EQUAL(errno, ENOSPC);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "what is written is read again", round_trip },
		{ "what cannot be written", failures },
	};
	char path[256];
	int code;

	if (!mkdtemp(directory))
		return 1;
	code = tap_main("calibration_file", cases, sizeof(cases) / sizeof(cases[0]));
	path_of("new/and/newer", path);
	unlink(path);
	path_of("new/and", path);
	rmdir(path);
	path_of("new", path);
	rmdir(path);
	path_of("plain", path);
	unlink(path);
	rmdir(directory);
	return code;
}
