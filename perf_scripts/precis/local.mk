# SPDX-License-Identifier: BSD-3-Clause
# precis(1). A room includes headers of its own and of those above it here.

precis_SOURCES += perf_scripts/precis/main.c

include perf_scripts/precis/output/local.mk
include perf_scripts/precis/document/local.mk
include perf_scripts/precis/recording/local.mk
include perf_scripts/precis/validity/local.mk
include perf_scripts/precis/symbols/local.mk
include perf_scripts/precis/parts/local.mk
include perf_scripts/precis/records/local.mk
include perf_scripts/precis/pebs/local.mk
include perf_scripts/precis/dump/local.mk
include perf_scripts/precis/info/local.mk
include perf_scripts/precis/listing/local.mk
include perf_scripts/precis/report/local.mk
