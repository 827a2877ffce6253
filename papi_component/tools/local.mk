# SPDX-License-Identifier: BSD-3-Clause
# Plugins for tools that measure with PAPI's component. Their own Makefile builds them, with the tools'
# headers: nothing of them is made or installed by make all and make install.

EXTRA_DIST += \
	papi_component/tools/Makefile \
	papi_component/tools/README.md \
	papi_component/tools/caliper/service.cpp \
	papi_component/tools/check \
	papi_component/tools/collected.def \
	papi_component/tools/collector.c \
	papi_component/tools/collector.h \
	papi_component/tools/scorep/plugin.c \
	papi_component/tools/tau/plugin.c
