/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions, as Caliper's C interface has them. See stub_caliper.cpp. */
#ifndef STUB_CALI_H
#define STUB_CALI_H

#ifdef __cplusplus
extern "C" {
#endif
void stub_begin(const char *name);
void stub_end(const char *name);
#ifdef __cplusplus
}
#endif
#define CALI_MARK_BEGIN(name) stub_begin(name)
#define CALI_MARK_END(name) stub_end(name)

#endif
