# SPDX-License-Identifier: BSD-3-Clause
# The kernel's own driver in a guest: make check-vm. Not part of make check: it needs qemu, a kernel
# and a minute or two.

include tests/vm/model/local.mk

EXTRA_DIST += \
	tests/vm/build-image \
	tests/vm/build-modules \
	tests/vm/check-vm \
	tests/vm/check-vm-all \
	tests/vm/checks/check_context.py \
	tests/vm/checks/check_counts.py \
	tests/vm/checks/check_estimates.py \
	tests/vm/checks/check_fields.py \
	tests/vm/checks/check_intel.py \
	tests/vm/checks/check_known.py \
	tests/vm/checks/check_papi.py \
	tests/vm/checks/check_papi_intel.py \
	tests/vm/checks/check_same.py \
	tests/vm/checks/check_tools.py \
	tests/vm/checks/papi_delivery.py \
	tests/vm/checks/papi_listing.py \
	tests/vm/checks/scenario.py \
	tests/vm/contexts.tsv \
	tests/vm/fetch-kernel \
	tests/vm/guest/init \
	tests/vm/guest/papi_samples.c \
	tests/vm/guest/scenario_amd.sh \
	tests/vm/guest/scenario_context.sh \
	tests/vm/guest/scenario_estimates.sh \
	tests/vm/guest/scenario_intel.sh \
	tests/vm/guest/scenario_papi.sh \
	tests/vm/guest/seeds.sh \
	tests/vm/guest/steps.sh \
	tests/vm/kernels.tsv \
	tests/vm/modules/Kbuild \
	tests/vm/modules/cpu_ds.c \
	tests/vm/modules/cpu_ds.h \
	tests/vm/modules/cpu_ds_redirect.h \
	tests/vm/modules/cpu_events.c \
	tests/vm/modules/cpu_events.h \
	tests/vm/modules/cpu_host.c \
	tests/vm/modules/ibs_host.c \
	tests/vm/modules/ibs_host.h \
	tests/vm/modules/ibs_host_redirect.h \
	tests/vm/modules/instruction.c \
	tests/vm/modules/instruction.h \
	tests/vm/modules/instruction_table.c \
	tests/vm/modules/instruction_table.h \
	tests/vm/modules/kernel_symbols.c \
	tests/vm/modules/kernel_symbols.h \
	tests/vm/modules/kernel_versions.h \
	tests/vm/modules/modeled_core.c \
	tests/vm/modules/modeled_core.h \
	tests/vm/modules/proc.c \
	tests/vm/modules/proc.h \
	tests/vm/modules/stepper.c \
	tests/vm/modules/stepper.h \
	tests/vm/modules/timer.c \
	tests/vm/run-vm \
	tests/vm/workloads/branches.c \
	tests/vm/workloads/chase.c \
	tests/vm/workloads/greedy.c \
	tests/vm/workloads/mix.c \
	tests/vm/workloads/stream.c \
	tests/vm/workloads/streaming.c \
	tests/vm/workloads/traced.h

# Kernels are kept until make distclean, or where PRECIS_VM_CACHE says.
vm_environment = $(AM_V_at)$(AM_TESTS_ENVIRONMENT) \
	PRECIS_VM_CACHE="$${PRECIS_VM_CACHE-$(abs_top_builddir)/vm-kernels}" \
	PRECIS_PAPI="$${PRECIS_PAPI-$(papi_build)}"

check-vm: all
	$(vm_environment) $(SHELL) $(top_srcdir)/tests/vm/check-vm vm-check

# On demand: the newer kernels, on every core; some minutes.
check-vm-all: all
	$(vm_environment) $(SHELL) $(top_srcdir)/tests/vm/check-vm-all vm-check

CLEAN_DIRECTORIES += vm-check
DISTCLEAN_DIRECTORIES += vm-kernels
.PHONY: check-vm check-vm-all
