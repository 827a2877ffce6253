# SPDX-License-Identifier: BSD-3-Clause
# Examples of the PAPI component. Their own Makefile builds them, with a PAPI that has it.

EXTRA_DIST += \
	papi_component/examples/Makefile \
	papi_component/examples/check \
	papi_component/examples/fortran.f90 \
	papi_component/examples/histogram.h \
	papi_component/examples/latency.c \
	papi_component/examples/mpi.c \
	papi_component/examples/openmp.c \
	papi_component/examples/pick.h \
	papi_component/examples/sharing.c \
	papi_component/examples/stream.c
