/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the kernel's driver of IBS needs around it to compile outside of a kernel, as far as it
 * makes generic sample fields. test_ibs_words_kernel.py puts it in front of the functions of a
 * kernel's source.
 */
#include <linux/types.h>
#include <stdbool.h>
#include <string.h>

typedef __u64 u64;
typedef __u32 u32;
typedef __u8 u8;

#define unlikely(condition) (condition)

#define MSR_AMD64_IBSOPCTL 0xc0011033
#define MSR_AMD64_IBSOPDATA 0xc0011035
#define MSR_AMD64_IBSOPDATA2 0xc0011036
#define MSR_AMD64_IBSOPDATA3 0xc0011037
#define MSR_AMD64_IBSDCLINAD 0xc0011038
#define MSR_AMD64_IBSDCPHYSAD 0xc0011039
#define MSR_AMD64_IBS_REG_COUNT_MAX 8

static u32 ibs_caps;

static struct {
	u8 x86, x86_model;
} boot_cpu_data;
