/* SPDX-License-Identifier: BSD-3-Clause */
/* Tracing data with given tracepoints, as perf record keeps them. */
#ifndef TESTS_SUPPORT_TRACING_H
#define TESTS_SUPPORT_TRACING_H

#include "tests/support/build.h"

#define TRACING_COMMON                                                                             \
	"format:\n"                                                                                \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"                                 \
	"\n"

static inline void tracing_text(struct build *build, const char *text)
{
	build_u64(build, strlen(text));
	build_bytes(build, text, strlen(text));
}

/* Everything in front of the ftrace formats */
static inline void tracing_head(struct build *build, uint8_t big_endian, uint8_t long_bytes,
				const char *header_page)
{
	build->count = 0;
	build_bytes(build, "\x17\x08\x44tracing0.6", 14);
	build_bytes(build, &big_endian, 1);
	build_bytes(build, &long_bytes, 1);
	build_u32(build, 4096);
	build_bytes(build, "header_page", 12);
	tracing_text(build, header_page);
	build_bytes(build, "header_event", 13);
	tracing_text(build, "");
}

/* No ftrace formats, one system */
static inline void tracing_system(struct build *build, const char *system,
				  const char *const *formats, uint32_t count)
{
	build_u32(build, 0);
	build_u32(build, 1);
	build_bytes(build, system, strlen(system) + 1);
	build_u32(build, count);
	for (uint32_t n = 0; n < count; n++)
		tracing_text(build, formats[n]);
}

/* Kernel symbols, printk formats, command lines */
static inline void tracing_tail(struct build *build, const char *printk)
{
	build_u32(build, 0);
	build_u32(build, (uint32_t)strlen(printk));
	build_bytes(build, printk, strlen(printk));
	build_u64(build, 0);
}

static inline void tracing_build(struct build *build, const char *system,
				 const char *const *formats, uint32_t count)
{
	tracing_head(build, 0, 8, "");
	tracing_system(build, system, formats, count);
	tracing_tail(build, "");
}

#endif
