/* SPDX-License-Identifier: BSD-3-Clause */
/* What every public header begins with: declarations that are exported, for C and C++. */
#ifndef PRECIS_EXPORT_H
#define PRECIS_EXPORT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define PRECIS_BEGIN_DECLS extern "C" {
#define PRECIS_END_DECLS }
#else
#define PRECIS_BEGIN_DECLS
#define PRECIS_END_DECLS
#endif

/*
 * The library is built with hidden visibility: what carries this is its ABI. A library that has
 * the sources compiled into it, and does not want them in its own ABI, defines it as nothing.
 */
#ifndef PRECIS_API
#if defined(__GNUC__)
#define PRECIS_API __attribute__((visibility("default")))
#else
#define PRECIS_API
#endif
#endif

#endif
