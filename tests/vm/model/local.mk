# SPDX-License-Identifier: BSD-3-Clause
# The modeled core: compiled into the guest's kernel modules, and here into its unit tests.

UNIT_TESTS += \
	tests/vm/test_vm_faults \
	tests/vm/test_vm_model \
	tests/vm/test_vm_registers \
	tests/vm/test_vm_sampling \
	tests/vm/test_vm_sharing

VM_MODEL_SOURCES = \
	tests/vm/model/cache.c \
	tests/vm/model/core.c \
	tests/vm/model/engine.c \
	tests/vm/model/faults.c \
	tests/vm/model/ibs_registers.c \
	tests/vm/model/line_table.c \
	tests/vm/model/lines.c \
	tests/vm/model/machines.c \
	tests/vm/model/machines.def \
	tests/vm/model/miss_buffers.c \
	tests/vm/model/model.h \
	tests/vm/model/parts.h \
	tests/vm/model/placement.c \
	tests/vm/model/predictor.c \
	tests/vm/model/tlb.c \
	tests/vm/model/totals.c \
	tests/vm/model/transfers.c \
	tests/vm/model/types.h

EXTRA_DIST += $(VM_MODEL_SOURCES)

tests_vm_test_vm_faults_SOURCES = tests/vm/test_vm_faults.c $(VM_MODEL_SOURCES)
tests_vm_test_vm_model_SOURCES = tests/vm/test_vm_model.c $(VM_MODEL_SOURCES)
tests_vm_test_vm_registers_SOURCES = tests/vm/test_vm_registers.c $(VM_MODEL_SOURCES)
tests_vm_test_vm_sampling_SOURCES = tests/vm/test_vm_sampling.c $(VM_MODEL_SOURCES)
tests_vm_test_vm_sharing_SOURCES = tests/vm/test_vm_sharing.c $(VM_MODEL_SOURCES)
