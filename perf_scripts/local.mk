# SPDX-License-Identifier: BSD-3-Clause
# What runs in perf script and beside perf record.

include perf_scripts/dlfilter/local.mk
include perf_scripts/python/local.mk
include perf_scripts/record/local.mk
