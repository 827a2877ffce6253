/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that does what recorders do not expect: hostile CASE. Each case prints what came of it, which is
 * to be the same with the recorder and without: test_hostile.py.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <precis/objects.h>

#define NOINLINE __attribute__((noinline))
#define DEPTH 10
#define EXIT_HANDLED 7
#define NO_MEMORY_BLOCKS 20000
#define NO_MEMORY_BYTES 1000
#define NO_MEMORY_NAMES 5000

static void print(const char *text)
{
	if (write(1, text, strlen(text)) < 0)
		abort();
}

/* A handler for each moment in microseconds from now on; 0: no more */
static void alarm_each(unsigned int us, void (*handler)(int), int flags)
{
	const struct sigaction action = { .sa_handler = handler, .sa_flags = flags };
	const struct itimerval timer = { { 0, us }, { 0, us } };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static NOINLINE void map_one(void)
{
	void *start = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(start, 8192);
}

static NOINLINE void allocate_one(void)
{
	void *volatile block = malloc(100);

	free(block);
}

/* By two calls, so that there are 2^levels stacks */
static NOINLINE void by_path(int levels, unsigned int path, void (*end)(void))
{
	volatile char room[16];

	room[0] = (char)levels;
	if (!levels)
		end();
	else if (path & 1)
		by_path(levels - 1, path / 2, end);
	else
		(by_path)(levels - 1, path / 2, end), room[1] = 1;
	__asm__ volatile("" ::"r"(room) : "memory");
}

static void blocks(int count)
{
	for (int n = 0; n < count; n++) {
		void *volatile block = malloc((size_t)n % 300);

		free(block);
	}
}

/* --- handlers --- */

static volatile int handled;

static void maps(int number)
{
	(void)number;
	map_one();
	handled++;
}

static void exec_with_handlers(void)
{
	char *const arguments[] = { "nothing", NULL }, *const environment[] = { NULL };

	alarm_each(300, maps, SA_RESTART);
	while (handled < 1000)
		execve("/nowhere/at/all", arguments, environment);
	print("execs have failed\n");
}

/* Its own stack is a part of the thread's, above those whom it interrupts. */
static void stack_of_handlers(void)
{
	static const size_t bytes = 65536;
	char here[65536];
	const stack_t own = { .ss_sp = here, .ss_size = bytes };

	sigaltstack(&own, NULL);
	alarm_each(200, maps, SA_RESTART | SA_ONSTACK);
	while (handled < 3000)
		by_path(DEPTH, (unsigned int)handled, map_one);
	print("handled\n");
}

static void leaves(int number)
{
	(void)number;
	_exit(EXIT_HANDLED);
}

/* As those of SIGTERM do, wherever they come */
static void exits(int has_blocks)
{
	unsigned int ended = 0;

	for (unsigned int n = 0; n < 200; n++) {
		const pid_t child = fork();
		int status;

		if (!child) {
			if (has_blocks)
				allocate_one();
			alarm_each(200 + n * 20, leaves, 0);
			for (unsigned int path = 0;; path++)
				by_path(DEPTH + 6, path, allocate_one);
		}
		waitpid(child, &status, 0);
		ended += WIFEXITED(status) && WEXITSTATUS(status) == EXIT_HANDLED;
	}
	print(ended == 200 ? "all have ended\n" : "some have not ended\n");
}

static void exit_in_handler(void)
{
	exits(1);
}

/* ... also before they have a file */
static void exit_at_once(void)
{
	exits(0);
}

static volatile int is_child;

static void forks(int number)
{
	(void)number;
	if (is_child || handled == 100)
		return;
	if (fork())
		handled++;
	else
		is_child = 1;
}

/* The child goes on where the parent was. */
static void fork_in_handler(void)
{
	int ended = 0, status;

	alarm_each(900, forks, SA_RESTART);
	for (unsigned int path = 0; !is_child && handled < 100; path++)
		by_path(DEPTH, path, map_one);
	alarm_each(0, forks, SA_RESTART);
	if (is_child) {
		for (unsigned int path = 0; path < 500; path++)
			by_path(DEPTH, path, allocate_one);
		_exit(EXIT_HANDLED);
	}
	while (wait(&status) > 0)
		ended += WIFEXITED(status) && WEXITSTATUS(status) == EXIT_HANDLED;
	print(ended == 100 ? "all have ended\n" : "some have not ended\n");
}

/* Before so many looks at what is loaded have been made, one of them forks, with their lock held; 0: none */
static int looks;
static int (*look)(struct dl_phdr_info *info, size_t size, void *data);

static int fork_and_look(struct dl_phdr_info *info, size_t size, void *data)
{
	if (looks == 1) {
		looks = 0;
		is_child = !fork();
	}
	return look(info, size, data);
}

/* In place of the C library's: recorders call it. */
int dl_iterate_phdr(int (*callback)(struct dl_phdr_info *info, size_t size, void *data), void *data)
{
	static int (*real)(int (*)(struct dl_phdr_info *, size_t, void *), void *);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "dl_iterate_phdr");
	if (looks > 1)
		looks--;
	if (looks != 1)
		return real(callback, data);
	look = callback;
	return real(fork_and_look, data);
}

/* As a signal handler that forks does, and another thread: in the child nobody gives the lock back. */
static void fork_in_look(void)
{
	int ended = 0, forked = 0, status;

	for (int n = 0; n < 20 && !is_child; n++) {
		looks = 2 + n;
		for (unsigned int path = 0; path < 100 && looks && !is_child; path++)
			by_path(DEPTH, (unsigned int)n * 100 + path, map_one);
		forked += !looks;
	}
	if (is_child) {
		alarm(60); /* it would wait for ever */
		for (unsigned int path = 0; path < 500; path++)
			by_path(DEPTH + 2, path, allocate_one);
		_exit(EXIT_HANDLED);
	}
	looks = 0;
	while (wait(&status) > 0)
		ended += WIFEXITED(status) && WEXITSTATUS(status) == EXIT_HANDLED;
	print(ended == forked ? "all have ended\n" : "some have not ended\n");
}

static sigjmp_buf outside;
static volatile int can_jump;

static void jumps(int number)
{
	(void)number;
	if (!can_jump)
		return;
	can_jump = 0;
	siglongjmp(outside, 1);
}

/*
 * Where a jump leads to a mapping is made: by that the recorder knows that what was interrupted is over, and
 * has no more events that it keeps until then than it has room for.
 */
static void until_jump(void)
{
	if (sigsetjmp(outside, 1)) {
		handled++;
		map_one();
		return;
	}
	can_jump = 1;
	for (unsigned int path = 0;; path++)
		by_path(DEPTH, path, map_one);
}

static void jump_out_of_handler(void)
{
	alarm_each(500, jumps, 0);
	while (handled < 500)
		until_jump();
	alarm_each(0, jumps, 0);
	print("jumped\n");
}

/* --- stacks --- */

/* A coroutine as programs make them by hand: where it returns to is at the very end of what can be read. */
static void *outer_stack, *inner_stack;

void change_stack(void **from, void *to);

__asm__(".text\n.globl change_stack\nchange_stack:\n"
	"push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n"
	"mov %rsp, (%rdi)\n mov %rsi, %rsp\n"
	"pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n ret\n");

static NOINLINE void coroutine_ends(void)
{
	change_stack(&inner_stack, outer_stack);
}

static NOINLINE void coroutine(void)
{
	blocks(100);
	map_one();
	coroutine_ends();
	abort(); /* nobody comes back */
}

static void coroutines(void)
{
	const size_t bytes = 65536, page = 4096;
	char *start = mmap(NULL, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(start + bytes, page, PROT_NONE);
	for (int returns = 1; returns < 8; returns += 2) {
		uint64_t *top = (uint64_t *)(start + bytes);

		for (int n = 0; n < returns; n++)
			*--top = (uint64_t)coroutine_ends + 1;
		*--top = (uint64_t)coroutine;
		inner_stack = top - 6;
		change_stack(&outer_stack, inner_stack);
	}
	print("back\n");
}

static sigjmp_buf before_overflow;

static void overflown(int number)
{
	(void)number;
	blocks(100);
	map_one();
	siglongjmp(before_overflow, 1);
}

static NOINLINE int fall(int depth)
{
	volatile char room[4096];

	room[0] = (char)depth;
	return depth < 1 << 20 ? fall(depth + 1) + room[0] : 0;
}

/* The handler's stack is another one, and there is none left of that which it interrupts. */
static void overflow(void)
{
	static char own_bytes[65536];
	const stack_t own = { .ss_sp = own_bytes, .ss_size = sizeof(own_bytes) };
	const struct sigaction action = { .sa_handler = overflown, .sa_flags = SA_ONSTACK };
	const struct rlimit limit = { 1 << 20, RLIM_INFINITY };

	setrlimit(RLIMIT_STACK, &limit);
	sigaltstack(&own, NULL);
	sigaction(SIGSEGV, &action, NULL);
	for (volatile int n = 0; n < 3; n++)
		if (!sigsetjmp(before_overflow, 1))
			fall(0);
	print("caught\n");
}

/* --- limits --- */

/* A limit that is there when the program begins, and the recorder, too */
static void little_memory(void)
{
	const struct rlimit little = { 64 << 20, 64 << 20 };

	setrlimit(RLIMIT_AS, &little);
	execl("/proc/self/exe", "hostile", "most_memory", (char *)NULL);
}

static void most_memory(void)
{
	unsigned int got = 0;

	blocks(10000);
	for (void *volatile block = malloc(1 << 20); block; block = malloc(1 << 20))
		got++;
	print(got > 32 ? "most of it\n" : "little\n");
}

/* ... and one of which the recorder knows nothing when it begins */
static void less_memory(void)
{
	const struct rlimit less = { 64 << 20, 64 << 20 };

	blocks(10000);
	setrlimit(RLIMIT_AS, &less);
	most_memory();
}

/* A heap that is large enough, and then no page more: what the recorder has no memory for is lost */
static void no_page_more(void)
{
	const struct rlimit none = { 1 << 20, 1 << 20 };
	void *volatile room;

	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
	room = malloc(2 * NO_MEMORY_BLOCKS * NO_MEMORY_BYTES);
	free(room);
	setrlimit(RLIMIT_AS, &none);
}

static void *made[NO_MEMORY_BLOCKS];

static void make_and_free(int count)
{
	for (int n = 0; n < count; n++)
		if (!(made[n] = malloc(NO_MEMORY_BYTES)))
			abort();
	for (int n = 0; n < count; n++)
		free(made[n]);
}

static void no_memory(void)
{
	make_and_free(NO_MEMORY_BLOCKS / 20); /* for some there is memory now */
	no_page_more();
	make_and_free(NO_MEMORY_BLOCKS);
	print("blocks without memory\n");
}

static void *make_and_free_here(void *unused)
{
	make_and_free(NO_MEMORY_BLOCKS);
	return unused;
}

/* A thread that comes when there is none: not even what it is about is known */
static void no_memory_thread(void)
{
	static _Alignas(4096) char stack[1 << 18];
	pthread_attr_t attributes;
	pthread_t thread;

	no_page_more();
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, stack, sizeof(stack));
	if (pthread_create(&thread, &attributes, make_and_free_here, NULL))
		abort();
	pthread_join(thread, NULL);
	print("a thread without memory\n");
}

static void tell_names(int from, int to)
{
	char name[4000];

	for (int n = from; n < to; n++) {
		snprintf(name, sizeof(name), "%03999d", n);
		precis_objects_name(made, sizeof(made), name, NULL);
	}
}

/* Names that there is no memory for; the last ones with nothing behind them that is recorded */
static void no_memory_names(void)
{
	no_page_more();
	tell_names(0, NO_MEMORY_NAMES / 2);
	execl("/nowhere/at/all", "nothing", (char *)NULL); /* all is written before that */
	tell_names(NO_MEMORY_NAMES / 2, NO_MEMORY_NAMES);
	print("names without memory\n");
}

/* --- files --- */

/* The number of standard error is that of another file, and nothing can be opened by its name any more. */
static void errors_elsewhere(void)
{
	char text[64], name[] = "/tmp/hostile-XXXXXX";
	struct stat status;
	int fd = mkstemp(name);

	dup2(fd, 2);
	unlink(name);
	for (fd = 3; fd < 2000; fd++)
		close(fd);
	if (chroot("/proc"))
		print("no chroot\n");
	blocks(100000);
	fstat(2, &status);
	snprintf(text, sizeof(text), "%lld bytes\n", (long long)status.st_size);
	print(text);
}

static void short_files(void)
{
	const struct rlimit limit = { 20000, 20000 };

	setrlimit(RLIMIT_FSIZE, &limit);
	blocks(100000);
	print("not killed\n");
}

/* Where not even the first byte is allowed */
static void no_files(void)
{
	const struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_FSIZE, &none);
	execl("/proc/self/exe", "hostile", "blocks", (char *)NULL);
}

static void some_blocks(void)
{
	blocks(100000);
	print("blocks\n");
}

/* A descriptor that was closed is opened again, by a name that the mask made. */
static void daemonic(void)
{
	int status;

	umask(0777);
	if (chdir("/"))
		abort();
	if (!fork()) {
		setsid();
		blocks(50000);
		for (int fd = 3; fd < 2000; fd++)
			close(fd);
		blocks(50000);
		exit(0);
	}
	wait(&status);
	print(WIFEXITED(status) ? "ended\n" : "killed\n");
}

static int open_one(void)
{
	return open("/dev/null", O_WRONLY);
}

/* As many files as are allowed, and which numbers they have */
static void all_numbers(void)
{
	char text[64];
	int count = 0, last = -1;

	for (int fd = open_one(); fd >= 0; fd = open_one(), count++)
		last = fd;
	for (int fd = 3; fd <= last; fd++)
		close(fd);
	blocks(100000);
	snprintf(text, sizeof(text), "%d files, up to %d\n", count, last);
	print(text);
}

/* ... of a limit that is there when the program begins */
static void few_numbers(void)
{
	const struct rlimit few = { 20, 64 };

	setrlimit(RLIMIT_NOFILE, &few);
	execl("/proc/self/exe", "hostile", "all_numbers", (char *)NULL);
}

/* All numbers are those of a file of the program's: nothing is written to that. */
static void numbers_taken(void)
{
	char text[64], name[] = "/tmp/hostile-XXXXXX";
	struct stat status;
	int fd = mkstemp(name);

	unlink(name);
	blocks(50000);
	for (int number = 3; number < 1500; number++)
		if (number != fd)
			dup2(fd, number);
	blocks(100000);
	fstat(fd, &status);
	snprintf(text, sizeof(text), "%lld bytes\n", (long long)status.st_size);
	print(text);
}

/* Who may not write there has children that are not recorded. */
static void no_rights(void)
{
	int status;

	if (setgid(65534) || setuid(65534))
		print("no root\n");
	blocks(50000);
	if (!fork()) {
		blocks(50000);
		exit(EXIT_HANDLED);
	}
	wait(&status);
	print(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_HANDLED ? "ended\n" : "killed\n");
}

/* The child is the first process of a namespace, with a number that others have, too. */
static void namespaces(void)
{
	int status;

	blocks(50000);
	if (unshare(CLONE_NEWPID | CLONE_NEWNS))
		print("no namespaces\n");
	if (!fork()) {
		blocks(50000);
		exit(EXIT_HANDLED);
	}
	wait(&status);
	print(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_HANDLED ? "ended\n" : "killed\n");
}

/* --- filters of system calls --- */

/* So many of them come to a bad end; all others are allowed. */
static void set_filter(const int *numbers, unsigned int count, uint32_t end, int by_prctl)
{
	struct sock_filter filter[32] = { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0) };
	struct sock_fprog program = { .filter = filter };

	for (unsigned int n = 0; n < count; n++)
		filter[1 + n] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)numbers[n], (uint8_t)(count - n), 0);
	filter[1 + count] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	filter[2 + count] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, end);
	program.len = (unsigned short)(3 + count);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	/* as libraries ask what there is */
	if (!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) ||
	    !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL))
		abort();
	if (by_prctl ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)
		     : syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program))
		print("no filter\n");
}

static void *some_blocks_here(void *unused)
{
	blocks(50000);
	return unused;
}

/* A thread, and a child, from there on */
static void go_on(void)
{
	int status = 0;
	pthread_t thread;

	blocks(50000);
	pthread_create(&thread, NULL, some_blocks_here, NULL);
	pthread_join(thread, NULL);
	if (!fork()) {
		blocks(50000);
		exit(EXIT_HANDLED);
	}
	wait(&status);
	print(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_HANDLED ? "ended\n" : "killed\n");
}

static const int forbidden[] = { SYS_open,       SYS_fstat,        SYS_prlimit64,   SYS_ftruncate,
				 SYS_pwrite64,   SYS_getpid,       SYS_sched_yield, SYS_tgkill,
				 SYS_membarrier, SYS_clock_gettime };
static const int denied[] = { SYS_open, SYS_ftruncate, SYS_pwrite64, SYS_tgkill, SYS_membarrier };

static void filter_kills(void)
{
	blocks(50000);
	set_filter(forbidden, sizeof(forbidden) / sizeof(*forbidden), SECCOMP_RET_KILL_PROCESS, 0);
	go_on();
}

/* ... of a child, before it has a file */
static void filter_in_child(void)
{
	int status;

	blocks(50000);
	if (!fork()) {
		set_filter(forbidden, sizeof(forbidden) / sizeof(*forbidden),
			   SECCOMP_RET_KILL_PROCESS, 1);
		blocks(50000);
		exit(EXIT_HANDLED);
	}
	wait(&status);
	print(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_HANDLED ? "ended\n" : "killed\n");
}

/* One of these is enough. */
static void filter_traps(void)
{
	blocks(50000);
	set_filter(&forbidden[2], 1, SECCOMP_RET_TRAP, 1);
	go_on();
}

static void filter_denies(void)
{
	blocks(50000);
	set_filter(denied, sizeof(denied) / sizeof(*denied), SECCOMP_RET_ERRNO | EACCES, 1);
	go_on();
}

static void filter_strict(void)
{
	const char text[] = "strict\n";
	void *volatile block = malloc(100000);

	free(block);
	blocks(50000);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		print("no filter\n");
	blocks(50000);
	syscall(SYS_write, 1, text, sizeof(text) - 1);
	syscall(SYS_exit, 0);
}

/* Its own files are gone. */
static void removed(void)
{
	char path[4096];
	const char *directory = getenv("HOSTILE_DIRECTORY");

	blocks(50000);
	snprintf(path, sizeof(path), "%s/precis-%d.objects", directory ? directory : "/nowhere",
		 (int)getpid());
	unlink(path);
	blocks(50000);
	print("removed\n");
}

/* Where a mapping goes may be wished, not only ordered. */
static void wished(void)
{
	char *room = mmap(NULL, 65536, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
	     *start = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *moved;

	munmap(room, 65536);
	moved = mremap(start, 8192, 8192, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, room);
	print(moved == room ? "as wished\n" : moved == MAP_FAILED ? "not moved\n" : "elsewhere\n");
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{ "exec_with_handlers", exec_with_handlers },
	{ "stack_of_handlers", stack_of_handlers },
	{ "exit_in_handler", exit_in_handler },
	{ "exit_at_once", exit_at_once },
	{ "fork_in_handler", fork_in_handler },
	{ "fork_in_look", fork_in_look },
	{ "jump_out_of_handler", jump_out_of_handler },
	{ "coroutines", coroutines },
	{ "overflow", overflow },
	{ "little_memory", little_memory },
	{ "most_memory", most_memory },
	{ "less_memory", less_memory },
	{ "no_memory", no_memory },
	{ "no_memory_thread", no_memory_thread },
	{ "no_memory_names", no_memory_names },
	{ "errors_elsewhere", errors_elsewhere },
	{ "short_files", short_files },
	{ "no_files", no_files },
	{ "blocks", some_blocks },
	{ "daemonic", daemonic },
	{ "all_numbers", all_numbers },
	{ "few_numbers", few_numbers },
	{ "numbers_taken", numbers_taken },
	{ "no_rights", no_rights },
	{ "namespaces", namespaces },
	{ "removed", removed },
	{ "filter_kills", filter_kills },
	{ "filter_in_child", filter_in_child },
	{ "filter_traps", filter_traps },
	{ "filter_denies", filter_denies },
	{ "filter_strict", filter_strict },
	{ "wished", wished },
};

int main(int argc, char **argv)
{
	for (size_t n = 0; n < sizeof(cases) / sizeof(*cases); n++)
		if (argc > 1 && !strcmp(argv[1], cases[n].name))
			cases[n].run();
	return argc < 2;
}
