/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * The only header of the model that knows whether it is compiled into a kernel
 * module or into a program.
 */
#ifndef VM_MODEL_TYPES_H
#define VM_MODEL_TYPES_H

#ifdef __KERNEL__
#include <linux/string.h>
#include <linux/types.h>
typedef u8 vm_u8;
typedef u16 vm_u16;
typedef u32 vm_u32;
typedef u64 vm_u64;
typedef size_t vm_size;
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
typedef uint8_t vm_u8;
typedef uint16_t vm_u16;
typedef uint32_t vm_u32;
typedef uint64_t vm_u64;
typedef size_t vm_size;
#endif

#define VM_BIT(n) (1ull << (n))

#endif
