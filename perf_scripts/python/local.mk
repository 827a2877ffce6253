# SPDX-License-Identifier: BSD-3-Clause
# precis.py, precis_recording.py beside it, and the scripts by which perf script itself offers it: with
# PERF_EXEC_PATH=$(perfscriptsdir), "perf script record precis", "perf script report precis".

EXTRA_DIST += perf_scripts/python/precis.py.in

if HAVE_PYTHON
nodist_pkgdata_DATA = perf_scripts/python/precis.py
dist_pkgdata_DATA += perf_scripts/python/precis_recording.py
CLEANFILES += perf_scripts/python/precis.py

perf_scripts/python/precis.py: perf_scripts/python/precis.py.in Makefile
	$(AM_V_at)$(MKDIR_P) perf_scripts/python
	$(AM_V_GEN)sed 's|[@]libdir[@]|$(libdir)|' \
		$(srcdir)/perf_scripts/python/precis.py.in > $@.tmp && mv $@.tmp $@

perfscriptsdir = $(pkgdatadir)/perf-scripts
perfscriptsbindir = $(perfscriptsdir)/scripts/python/bin
dist_perfscriptsbin_SCRIPTS = \
	perf_scripts/python/bin/precis-record \
	perf_scripts/python/bin/precis-report
endif
