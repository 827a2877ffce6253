/* SPDX-License-Identifier: BSD-3-Clause */
/* What went wrong with a recording: the last error, and warnings. */
#ifndef PRECIS_PERF_ERRORS_H
#define PRECIS_PERF_ERRORS_H

#include <precis/error.h>
#include <precis/file.h>

/* Zeroed memory is none, but for last.size. */
struct file_errors {
	struct precis_file_error last;
	int sys_errno; /* of the system call that failed last */
	uint32_t
		data_file; /* as in struct precis_record: of a directory, the file that is read; else 0 */
	char **warnings;
	uint32_t warning_count;
};

#define NO_OFFSET UINT64_MAX

/* Note where and why; returns 'code'. The text says what was expected and what was found. */
int file_fail(struct file_errors *errors, int code, uint64_t offset, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* A failed system call, or memory that there is none of: no offset, no text */
int file_fail_system(struct file_errors *errors, int code);
/* @return 0 or PRECIS_E_NO_MEMORY */
int file_warn(struct file_errors *errors, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void file_errors_free(struct file_errors *errors);

#endif
