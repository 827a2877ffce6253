# SPDX-License-Identifier: BSD-3-Clause
# The kernel's own driver in a guest: make check-vm. Not part of make check: it needs qemu, a kernel
# and minutes.

include tests/vm/model/local.mk

# checks, guest and workloads are directories: what is put in them needs no line here.

EXTRA_DIST += \
	tests/vm/build-image \
	tests/vm/build-modules \
	tests/vm/check-vm \
	tests/vm/check-cpuid \
	tests/vm/check-mutations \
	tests/vm/check-vm-all \
	tests/vm/checks \
	tests/vm/contexts.tsv \
	tests/vm/fetch-kernel \
	tests/vm/fetch-program \
	tests/vm/guest \
	tests/vm/kernel-modules.sh \
	tests/vm/kernels.tsv \
	tests/vm/modules/Kbuild \
	tests/vm/modules/cpu_ds.c \
	tests/vm/modules/cpu_ds.h \
	tests/vm/modules/cpu_ds_redirect.h \
	tests/vm/modules/cpu_events.c \
	tests/vm/modules/cpu_events.h \
	tests/vm/modules/cpu_faults.c \
	tests/vm/modules/cpu_faults.h \
	tests/vm/modules/cpu_host.c \
	tests/vm/modules/ibs_host.c \
	tests/vm/modules/ibs_host.h \
	tests/vm/modules/ibs_host_redirect.h \
	tests/vm/modules/instruction.c \
	tests/vm/modules/instruction.h \
	tests/vm/modules/instruction_table.c \
	tests/vm/modules/instruction_table.h \
	tests/vm/modules/kernel_steps.c \
	tests/vm/modules/kernel_steps.h \
	tests/vm/modules/kernel_symbols.c \
	tests/vm/modules/kernel_symbols.h \
	tests/vm/modules/kernel_versions.h \
	tests/vm/modules/modeled_core.c \
	tests/vm/modules/modeled_core.h \
	tests/vm/modules/node_totals.c \
	tests/vm/modules/node_totals.h \
	tests/vm/modules/proc.c \
	tests/vm/modules/proc.h \
	tests/vm/modules/sampling_faults.c \
	tests/vm/modules/sampling_faults.h \
	tests/vm/modules/shared_lines.c \
	tests/vm/modules/shared_lines.h \
	tests/vm/modules/stepper.c \
	tests/vm/modules/stepper.h \
	tests/vm/modules/timer.c \
	tests/vm/mutations.tsv \
	tests/vm/run-vm \
	tests/vm/workloads

# Kernels are kept until make distclean, or where PRECIS_VM_CACHE says. The PAPI is that of make papi,
# or one that make check has built.
vm_environment = $(AM_V_at)$(AM_TESTS_ENVIRONMENT) \
	PRECIS_VM_CACHE="$${PRECIS_VM_CACHE-$(abs_top_builddir)/vm-kernels}"; \
	PRECIS_PAPI="$${PRECIS_PAPI-`ls -d $(papi_build) papi-check/* 2>/dev/null | head -n 1`}"; \
	export PRECIS_VM_CACHE PRECIS_PAPI

# A line of sums each. The second: the driver that takes single tasks. It is run beside the first, which has
# guests on all CPUs but for its beginning and its end.
check-vm: all
	$(vm_environment); status=0; newer=; \
	trap 'kill $$newer; exit 1' HUP INT TERM; \
	$(MKDIR_P) vm-check; \
	$(SHELL) $(top_srcdir)/tests/vm/check-vm --jobs 1 --kernel 6.12 --contexts vm-check/6.12 \
		context-zen5 >vm-check/6.12.log 2>&1 & newer=$$!; \
	$(SHELL) $(top_srcdir)/tests/vm/check-vm vm-check || status=1; \
	wait $$newer || status=1; \
	cat vm-check/6.12.log; \
	exit $$status

# What takes as long again: where samples are, on which node, whether a change helped, whether they are in
# step, what they weigh
check-vm-long: all
	$(vm_environment); $(SHELL) $(top_srcdir)/tests/vm/check-vm --long vm-check

# On demand: precis bench on sampling with faults on purpose, 100 seeds of each; minutes
check-vm-faults: all
	$(vm_environment); $(SHELL) $(top_srcdir)/tests/vm/check-vm --faults vm-check

# On demand: faults on purpose, each of which has to be found.
check-vm-mutations: all
	$(vm_environment); $(SHELL) $(top_srcdir)/tests/vm/check-mutations vm-mutations

# On demand: the newer kernels, on every core; some minutes.
check-vm-all: all
	$(vm_environment); $(SHELL) $(top_srcdir)/tests/vm/check-vm-all vm-check

# The tests of make check, or those in TESTS, where the CPU is another vendor's
check-cpuid: all $(check_PROGRAMS) $(check_LTLIBRARIES)
	$(vm_environment); $(SHELL) $(top_srcdir)/tests/vm/check-cpuid . cpuid-check $(TESTS)

# Those that come with precis, made anew. What changes them changes README.md, too.
recordings: all
	$(vm_environment); $(SHELL) $(top_srcdir)/tests/vm/check-vm --recordings vm-check/recordings
	for data in vm-check/recordings/recordings-*/*.data; do \
		$(INSTALL_DATA) $$data $(srcdir)/tests/recordings/`basename $$data .data`.perf.data || \
			exit 1; \
	done
	for run in zen4 sapphire_rapids; do \
		cd vm-check/recordings/btree-$$run && $(INSTALL_DATA) btree.data log.txt *.objects \
			$(abs_srcdir)/tests/recordings/btree/$$run || exit 1; \
		cd $(abs_builddir); \
	done
	$(INSTALL_PROGRAM) vm-check/recordings/programs/mix vm-check/recordings/programs/btree \
		$(srcdir)/tests/recordings/symfs/usr/bin

CLEAN_DIRECTORIES += vm-check cpuid-check vm-mutations
DISTCLEAN_DIRECTORIES += vm-kernels
.PHONY: check-cpuid check-vm check-vm-all check-vm-faults check-vm-long check-vm-mutations recordings
