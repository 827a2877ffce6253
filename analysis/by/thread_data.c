/* SPDX-License-Identifier: BSD-3-Clause */
/* See thread_data.h. */
#include "thread_data.h"

#include "analysis/model/rows.h"
#include "block_keys.h"

#define POINTER_ALIGNED 16u /* of malloc() and of stacks: the C library has more, others not less */

/* --- records --- */

/* The same as long as it is one program, whatever libraries come and go */
static struct thread_process process_of_epoch(struct by *by, uint32_t pid, uint32_t epoch)
{
	return (struct thread_process){ pid, model_program(&by->model.processes, pid, epoch) };
}

static struct thread_process process_at(struct by *by, uint32_t pid, uint64_t time)
{
	return process_of_epoch(by, pid, model_epoch(&by->model.processes, pid, time));
}

int by_thread_record(struct by *by, const struct precis_record *record, uint64_t time)
{
	struct precis_mmap map;
	struct precis_task task = { .size = sizeof(task) };

	/* which program it is can be asked when all programs are known */
	if (!by->model.symbols || by->model.phase == MODEL_READING)
		return 0;
	if (code_maps_are_in(record, &map))
		return map.filename[0] == '/'
			       ? thread_pointers_map(&by->threads, process_at(by, map.pid, time),
						     map.addr)
			       : 0;
	if (precis_task_parse(record, &task))
		return 0;
	if (record->type == PRECIS_RECORD_EXIT && time)
		thread_pointers_end(&by->threads, task.pid, task.tid, time);
	if (record->type == PRECIS_RECORD_FORK && task.pid != task.parent_pid)
		return thread_pointers_fork(&by->threads, process_at(by, task.parent_pid, time),
					    process_at(by, task.pid, time));
	return 0;
}

/* --- samples --- */

int by_thread_may_have(const struct by_memory *memory)
{
	const uint32_t kind = memory->is.kind;

	return memory->life.kind == LIFETIME_NONE &&
	       (kind == PRECIS_MEMORY_ANONYMOUS || kind == PRECIS_MEMORY_UNKNOWN ||
		kind == PRECIS_MEMORY_HEAP || kind == PRECIS_MEMORY_STACK);
}

static struct by_access *access_at(struct by *by, const struct by_memory *memory, uint64_t address)
{
	struct by_access *access = &by->accesses[(address ^ memory->pid) % BY_ACCESSES];
	const struct program_place files = { by->model.symbols, by->about->symbols };
	struct precis_location location = { .size = sizeof(location) };
	struct program_instruction is = { .cpumode = PRECIS_CPUMODE_USER };

	if (access->is_known && access->address == address && access->pid == memory->pid &&
	    access->epoch == memory->epoch)
		return access;
	*access = (struct by_access){
		.address = address,
		.pid = memory->pid,
		.epoch = memory->epoch,
		.is_known = 1,
	};
	if (precis_symbols_locate(by->model.symbols, memory->pid, PRECIS_CPUMODE_USER,
				  model_time(&by->model.processes, memory->pid, memory->epoch),
				  address, &location) <= 0)
		return access;
	is.file = location.object;
	is.offset = location.offset;
	access->is_from_thread = program_types_from_thread(&files, &is, &access->offset) != 0;
	return access;
}

/* A variable before that pointer, or all of them, of a program; 'memory' is of a sample of its process. */
static void assume(struct by_memory *memory, uint64_t code, uint64_t pointer, uint32_t tid)
{
	memory->life = (struct lifetime){
		.kind = LIFETIME_TLS,
		.start = pointer,
		.probability = 1,
		.tid = tid,
		.code = code,
		.is_before = 1,
	};
}

/* Most have none: then nobody needs to know where their threads' pointers are. */
static int has_variables(struct by *by, const struct by_memory *memory,
			 struct thread_process process)
{
	const struct program_place files = { by->model.symbols, by->about->symbols };
	struct thread_program *program = thread_pointers_program(&by->threads, process);
	struct program_object object;
	struct by_memory any;
	int found;

	if (!program || program->is_asked)
		return program && program->has_variables;
	any = *memory;
	assume(&any, program->code, 0, 0);
	object = by_program_object(by, &any);
	found = program_types_has_thread_variables(&by->types, &files, &object);
	by->failed |= found < 0;
	program->is_asked = 1;
	program->has_variables = found > 0;
	return program->has_variables;
}

void by_thread_learn(struct by *by, const struct sample_batch *batch, uint32_t row,
		     const struct by_memory *memory)
{
	const struct thread_process process = process_of_epoch(by, memory->pid, memory->epoch);
	const struct by_access *access;
	uint64_t pointer;

	if (!by->model.symbols || batch->column[PRECIS_FIELD_CPUMODE][row] != PRECIS_CPUMODE_USER ||
	    !batch_has_value(batch, row, PRECIS_FIELD_TID) ||
	    !batch_has_value(batch, row, PRECIS_FIELD_IP) || !has_variables(by, memory, process))
		return;
	access = access_at(by, memory, batch->column[PRECIS_FIELD_IP][row]);
	pointer = memory->data - (uint64_t)access->offset;
	if (!access->is_from_thread || !pointer || pointer % POINTER_ALIGNED)
		return;
	by->failed |=
		thread_pointers_learn(&by->threads, process,
				      (uint32_t)batch->column[PRECIS_FIELD_TID][row], pointer) < 0;
}

void by_thread_find(struct by *by, uint64_t time, struct by_memory *memory)
{
	const struct thread_process process = process_of_epoch(by, memory->pid, memory->epoch);
	const struct program_place files = { by->model.symbols, by->about->symbols };
	const struct thread_pointer *found =
		thread_pointers_find(&by->threads, process, time, memory->data);
	const struct lifetime before = memory->life;
	struct program_object object;
	const char *name = NULL, *path;

	if (!found)
		return;
	assume(memory, thread_pointers_code(&by->threads, process), found->pointer, found->tid);
	object = by_program_object(by, memory);
	if (program_types_thread_variable(&by->types, &files, &object, &name, &path) < 0)
		by->failed = 1;
	/* what libraries have there, and the thread's own, is no variable that is known */
	if (!name || !name[0])
		memory->life = before;
}
