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

#ifndef PRECIS_API
#if defined(__GNUC__)
#define PRECIS_API __attribute__((visibility("default")))
#else
#define PRECIS_API
#endif
#endif

#endif
