/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The times of a side file's events on the clock of a recording, for tests: lines "NUMBER TIME" on standard
 * input say when the recording has the COMM record of that number; lines "TIME CONVERTED ERROR" come out.
 */
#include <inttypes.h>
#include <stdio.h>

#include <precis/precis.h>

#define POINTS_MOST 1024

int main(int argc, char **argv)
{
	struct precis_object_moment moment = { .size = sizeof(moment) };
	struct precis_object_event event = { .size = sizeof(event) };
	struct precis_object_point points[POINTS_MOST];
	struct precis_object_file *file;
	uint64_t time, converted, error;
	uint32_t number;
	size_t count = 0;

	if (argc != 2 || precis_object_file_open(argv[1], NULL, &file, NULL))
		return 2;
	while (scanf("%" SCNu32 " %" SCNu64, &number, &time) == 2)
		for (uint32_t n = 0; !precis_object_file_moment(file, n, &moment) && count < POINTS_MOST; n++)
			if (moment.kind == PRECIS_OBJECT_MOMENT_COMM && moment.number == number)
				points[count++] =
					(struct precis_object_point){ moment.before, moment.after, time };
	while (precis_object_file_next(file, &event) > 0)
		if (!precis_object_clock_convert(points, count, event.time, &converted, &error))
			printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", event.time, converted, error);
	precis_object_file_close(file);
	return 0;
}
