# SPDX-License-Identifier: BSD-3-Clause
# The PAPI component: make papi, make check-papi, make install-papi. Nothing of it is made by
# make all: PAPI compiles the component.

EXTRA_DIST += \
	papi_component/README.md \
	papi_component/build-papi \
	papi_component/check-papi \
	papi_component/check-papi-sanitized \
	papi_component/fetch-papi \
	papi_component/include/precis/papi.h \
	papi_component/install-into-papi \
	papi_component/make-papi-patch \
	papi_component/precis/README.md \
	papi_component/precis/Rules.precis \
	papi_component/precis/precis.c \
	papi_component/precis/precis_affinity.c \
	papi_component/precis/precis_affinity.h \
	papi_component/precis/precis_aliases.def \
	papi_component/precis/precis_api.c \
	papi_component/precis/precis_budget.c \
	papi_component/precis/precis_budget.h \
	papi_component/precis/precis_buffer.c \
	papi_component/precis/precis_buffer.h \
	papi_component/precis/precis_change.c \
	papi_component/precis/precis_change.h \
	papi_component/precis/precis_clock.h \
	papi_component/precis/precis_counter.c \
	papi_component/precis/precis_counter.h \
	papi_component/precis/precis_debug.h \
	papi_component/precis/precis_deliver.c \
	papi_component/precis/precis_deliver.h \
	papi_component/precis/precis_domain.c \
	papi_component/precis/precis_domain.h \
	papi_component/precis/precis_encode.c \
	papi_component/precis/precis_encode.h \
	papi_component/precis/precis_errors.c \
	papi_component/precis/precis_errors.h \
	papi_component/precis/precis_event_rows.c \
	papi_component/precis/precis_event_rows.h \
	papi_component/precis/precis_events.c \
	papi_component/precis/precis_events.def \
	papi_component/precis/precis_events.h \
	papi_component/precis/precis_eventset.c \
	papi_component/precis/precis_eventset.h \
	papi_component/precis/precis_fork.c \
	papi_component/precis/precis_fork.h \
	papi_component/precis/precis_fortran.c \
	papi_component/precis/precis_inside.c \
	papi_component/precis/precis_inside.h \
	papi_component/precis/precis_kernel_cost.c \
	papi_component/precis/precis_kernel_cost.h \
	papi_component/precis/precis_left.c \
	papi_component/precis/precis_left.h \
	papi_component/precis/precis_listed.c \
	papi_component/precis/precis_listed.h \
	papi_component/precis/precis_lock.c \
	papi_component/precis/precis_lock.h \
	papi_component/precis/precis_machine.c \
	papi_component/precis/precis_machine.h \
	papi_component/precis/precis_memory.h \
	papi_component/precis/precis_missing.c \
	papi_component/precis/precis_missing.h \
	papi_component/precis/precis_open.c \
	papi_component/precis/precis_open.h \
	papi_component/precis/precis_overflow.c \
	papi_component/precis/precis_overflow.h \
	papi_component/precis/precis_periods.c \
	papi_component/precis/precis_periods.h \
	papi_component/precis/precis_pfm.c \
	papi_component/precis/precis_pfm.h \
	papi_component/precis/precis_pmu.c \
	papi_component/precis/precis_pmu.h \
	papi_component/precis/precis_poller.c \
	papi_component/precis/precis_poller.h \
	papi_component/precis/precis_ranges.c \
	papi_component/precis/precis_ranges.h \
	papi_component/precis/precis_reader.h \
	papi_component/precis/precis_reading.c \
	papi_component/precis/precis_reading.h \
	papi_component/precis/precis_refusals.c \
	papi_component/precis/precis_refusals.h \
	papi_component/precis/precis_running.c \
	papi_component/precis/precis_running.h \
	papi_component/precis/precis_sharing.c \
	papi_component/precis/precis_sharing.h \
	papi_component/precis/precis_signals.c \
	papi_component/precis/precis_signals.h \
	papi_component/precis/precis_spread.c \
	papi_component/precis/precis_spread.h \
	papi_component/precis/precis_vector.h \
	papi_component/precis/tests/Makefile \
	papi_component/precis/tests/precis_allocations.c \
	papi_component/precis/tests/precis_breakpoint.c \
	papi_component/precis/tests/precis_budget.c \
	papi_component/precis/tests/precis_callbacks.c \
	papi_component/precis/tests/precis_count.c \
	papi_component/precis/tests/precis_counts.c \
	papi_component/precis/tests/precis_cpu_clock.c \
	papi_component/precis/tests/precis_fork.c \
	papi_component/precis/tests/precis_fortran.c \
	papi_component/precis/tests/precis_full_ring.c \
	papi_component/precis/tests/precis_hpctoolkit.c \
	papi_component/precis/tests/precis_input.c \
	papi_component/precis/tests/precis_kernel_cost.c \
	papi_component/precis/tests/precis_leftovers.c \
	papi_component/precis/tests/precis_listed.c \
	papi_component/precis/tests/precis_load.h \
	papi_component/precis/tests/precis_offline.c \
	papi_component/precis/tests/precis_overhead.c \
	papi_component/precis/tests/precis_page_faults.c \
	papi_component/precis/tests/precis_parts.c \
	papi_component/precis/tests/precis_precise.c \
	papi_component/precis/tests/precis_process.h \
	papi_component/precis/tests/precis_profil.c \
	papi_component/precis/tests/precis_ranges.c \
	papi_component/precis/tests/precis_refused.c \
	papi_component/precis/tests/precis_removed.c \
	papi_component/precis/tests/precis_sharing.c \
	papi_component/precis/tests/precis_signals.c \
	papi_component/precis/tests/precis_soak.c \
	papi_component/precis/tests/precis_stress.c \
	papi_component/precis/tests/precis_targets.c \
	papi_component/precis/tests/precis_tau.c \
	papi_component/precis/tests/precis_test.h \
	papi_component/precis/tests/precis_tools.h \
	papi_component/precis/tests/precis_traps.h \
	papi_component/precis/tests/precis_wakeups.c \
	papi_component/upstream/precis_component_workflow.yml

PAPI_SRC = @PAPI_SRC@
PAPI_VERSION = @PAPI_VERSION@
# More for PAPI's configure
PAPI_CONFIGURE_FLAGS =
# --with-libprecis=DIR: PAPI is linked with that one, rather than having the decoders in itself
PAPI_BUILD_FLAGS =

papi_build = $(abs_top_builddir)/papi-build
papi_component = $(papi_build)/src/components/precis
papi_scripts = $(abs_top_srcdir)/papi_component

papi:
	@src='$(PAPI_SRC)'; \
	if test -n '$(PAPI_VERSION)'; then \
		src=`$(SHELL) $(papi_scripts)/fetch-papi --version '$(PAPI_VERSION)' \
			"$${PRECIS_PAPI_CACHE-$(abs_top_builddir)/papi-sources}"` || exit 1; \
	elif test -z "$$src"; then \
		echo "make papi: configure with --with-papi-src=DIR or --with-papi-src=fetch" >&2; \
		exit 1; \
	fi; \
	$(SHELL) $(papi_scripts)/build-papi $(PAPI_BUILD_FLAGS) "$$src" $(papi_build) \
		--prefix='$(prefix)' --exec-prefix='$(exec_prefix)' --bindir='$(bindir)' \
		--libdir='$(libdir)' --includedir='$(includedir)' --datadir='$(datadir)' \
		--mandir='$(mandir)' $(PAPI_CONFIGURE_FLAGS)

check-papi: papi
	$(AM_V_at)$(SHELL) $(papi_scripts)/check-papi $(papi_build)

# Its tests with sanitizers and under valgrind: some minutes
check-papi-sanitized: papi
	$(AM_V_at)$(SHELL) $(papi_scripts)/check-papi-sanitized $(papi_build)

# A minute of eight threads with the smallest periods, a sample of each one's clock every 20 us
check-papi-stress: papi
	cd $(papi_component)/tests && \
		LD_LIBRARY_PATH=$(papi_build)/src ./precis_stress 60 20000

# Ten minutes of 64 threads that come and go
check-papi-soak: papi
	cd $(papi_component)/tests && \
		LD_LIBRARY_PATH=$(papi_build)/src ./precis_soak $${PRECIS_SOAK_SECONDS-600}

# With <precis/papi.h>, what that includes, and its manual page: Rules.precis
install-papi: papi
	$(MAKE) -C $(papi_build)/src install DESTDIR='$(DESTDIR)'

# The component as patches for PAPI's repository
papi-patch:
	$(AM_V_GEN)$(SHELL) $(papi_scripts)/make-papi-patch $(abs_top_builddir)/papi-patch

CLEAN_DIRECTORIES += papi-build papi-check papi-patch
DISTCLEAN_DIRECTORIES += papi-sources
.PHONY: papi papi-patch check-papi check-papi-sanitized check-papi-soak check-papi-stress install-papi
