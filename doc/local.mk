# SPDX-License-Identifier: BSD-3-Clause
# Manual pages and guides.

library_pages = \
	doc/man/precis.3 \
	doc/man/precis_access.3 \
	doc/man/precis_accesses.3 \
	doc/man/precis_code.3 \
	doc/man/precis_columns.3 \
	doc/man/precis_cpu.3 \
	doc/man/precis_ds.3 \
	doc/man/precis_data_types.3 \
	doc/man/precis_datasrc.3 \
	doc/man/precis_decoder.3 \
	doc/man/precis_errata.3 \
	doc/man/precis_escape.3 \
	doc/man/precis_features.3 \
	doc/man/precis_fields.3 \
	doc/man/precis_file.3 \
	doc/man/precis_filter.3 \
	doc/man/precis_ibs.3 \
	doc/man/precis_input.3 \
	doc/man/precis_intel.3 \
	doc/man/precis_kernel_records.3 \
	doc/man/precis_loss.3 \
	doc/man/precis_object_file.3 \
	doc/man/precis_objects.3 \
	doc/man/precis_papi.3 \
	doc/man/precis_pebs.3 \
	doc/man/precis_pebs_groups.3 \
	doc/man/precis_pebs_pt.3 \
	doc/man/precis_pebs_pt_samples.3 \
	doc/man/precis_pebs_sample.3 \
	doc/man/precis_plan.3 \
	doc/man/precis_record.3 \
	doc/man/precis_ring.3 \
	doc/man/precis_sample.3 \
	doc/man/precis_sample_parts.3 \
	doc/man/precis_symbols.3 \
	doc/man/precis_tool_records.3 \
	doc/man/precis_tracepoint.3 \
	doc/man/precis_writer.3

dist_man_MANS += \
	$(library_pages) \
	doc/man/precis-annotate.1 \
	doc/man/precis-bench.1 \
	doc/man/precis-dlfilter.1 \
	doc/man/precis-diff.1 \
	doc/man/precis-dump.1 \
	doc/man/precis-errata.1 \
	doc/man/precis-export.1 \
	doc/man/precis-fields.1 \
	doc/man/precis-fields.7 \
	doc/man/precis-filter.7 \
	doc/man/precis-info.1 \
	doc/man/precis-mix.1 \
	doc/man/precis-modeled-machine.7 \
	doc/man/precis-objects.1 \
	doc/man/precis-objects.5 \
	doc/man/precis-objects.7 \
	doc/man/precis-plan.1 \
	doc/man/precis-record.1 \
	doc/man/precis-report.1 \
	doc/man/precis-saved.5 \
	doc/man/precis-sharing.1 \
	doc/man/precis.1 \
	doc/man/precis.py.1

dist_doc_DATA = \
	doc/fields.md \
	doc/can-i-trust-these-samples.md \
	doc/false-sharing-found-and-fixed.md \
	doc/which-array-which-member.md \
	doc/from-a-recording-to-a-decision.md \
	doc/perf-data-forms.md \
	doc/performance.md \
	doc/precise-events.md \
	doc/precise-samples-in-an-hpc-code.md \
	doc/what-did-it-execute.md \
	doc/what-each-ibs-number-means.md \
	doc/what-each-pebs-number-means.md \
	doc/with-extrae.md \
	doc/with-hpctoolkit.md \
	doc/with-tau.md

EXTRA_DIST += doc/man_aliases.awk

# "man precis_ibs_op_decode": a page of one line for each function, by the pages' NAME sections.
install-data-hook:
	@cd $(srcdir) && $(AWK) -f doc/man_aliases.awk $(library_pages) | \
	while read -r name page; do \
		echo ".so man3/$$page" > "$(DESTDIR)$(man3dir)/$$name.3" || exit 1; \
	done

uninstall-hook:
	@cd $(srcdir) && $(AWK) -f doc/man_aliases.awk $(library_pages) | \
	while read -r name page; do \
		rm -f "$(DESTDIR)$(man3dir)/$$name.3"; \
	done

# The reference of fields comes from the catalogue. It lies in the source tree, to be read there
# and to be installed without running anything; tests/doc/check_fields.sh compares.
check_PROGRAMS += doc/field_reference
doc_field_reference_SOURCES = doc/field_reference.c
doc_field_reference_LDADD = libprecis.la

field-reference: doc/field_reference$(EXEEXT)
	doc/field_reference man > $(srcdir)/doc/man/precis-fields.7
	doc/field_reference markdown > $(srcdir)/doc/fields.md
.PHONY: field-reference
